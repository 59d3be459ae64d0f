import { useQuery } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import { createContext, useState, useSyncExternalStore } from 'react'
import { wholeList } from '../../lib/api/whole-list.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useSession } from '../../lib/session.ts'
import type { DocPage } from './tree.ts'

/** Placeholders in the documentation. */
const EXAMPLE = { issuer: 'https://id.example.com', client_id: 'YOUR_CLIENT_ID' }
export type PlaceholderValues = typeof EXAMPLE

/** Replaces the placeholders. */
export function fillPlaceholders(text: string, { issuer, client_id }: PlaceholderValues): string {
  return text.replaceAll(EXAMPLE.issuer, issuer).replaceAll(EXAMPLE.client_id, client_id)
}

/** Whether a page contains the client ID placeholder. */
export function hasClientId(guide: DocPage): boolean {
  return JSON.stringify(guide.blocks).includes(EXAMPLE.client_id)
}

export const PlaceholderContext = createContext<PlaceholderValues>(EXAMPLE)

/** Address of this server and the client ID of a chosen app. */
export function usePlaceholderValues() {
  const context = useAppContext()
  const started = useIsClient()
  const user = useSession()
  const [client_id, choose] = useState(EXAMPLE.client_id)
  const { data: apps = [] } = useQuery({
    queryKey: [clients.listClients.path, 'guide'] as const,
    queryFn: () => wholeList((page) => context.api(clients.listClients, page)),
    enabled: started && can(user, clients.listClients),
  })
  const known = apps.some((app) => app.client_id === client_id) ? client_id : EXAMPLE.client_id
  const issuer = started ? location.origin : EXAMPLE.issuer
  return { apps, choose, values: { issuer, client_id: known } }
}

/** False while prerendering and until hydration. */
function useIsClient(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}
