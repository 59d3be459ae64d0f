import { useQuery } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import { createContext, useState, useSyncExternalStore } from 'react'
import { can, useSession } from '../../lib/session.ts'
import { unwrap } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import type { Guide } from './tree.ts'

/** What stands in the pages' text where a reader's own values belong. */
const EXAMPLE = { issuer: 'https://id.example.com', client_id: 'YOUR_CLIENT_ID' }
export type Values = typeof EXAMPLE

/** Puts values into a text of the documentation. */
export function filled(text: string, { issuer, client_id }: Values): string {
  return text.replaceAll(EXAMPLE.issuer, issuer).replaceAll(EXAMPLE.client_id, client_id)
}

/** Whether choosing an app changes anything on a page. */
export function namesAnApp(guide: Guide): boolean {
  return JSON.stringify(guide.blocks).includes(EXAMPLE.client_id)
}

export const ValuesContext = createContext<Values>(EXAMPLE)

/** The address of this very server, and one of the reader's own apps if they choose one. */
export function useValues() {
  const wires = useWires()
  const started = useStarted()
  const user = useSession()
  const [client_id, choose] = useState(EXAMPLE.client_id)
  const { data: apps = [] } = useQuery({
    queryKey: [clients.listClients.path, 'guide'] as const,
    queryFn: async () => unwrap(await wires.api(clients.listClients, { limit: 100 })),
    enabled: started && can(user, clients.listClients),
  })
  const known = apps.some((app) => app.client_id === client_id) ? client_id : EXAMPLE.client_id
  const issuer = started ? wires.apiBase || location.origin : EXAMPLE.issuer
  return { apps, choose, values: { issuer, client_id: known } }
}

/** False in the HTML of the build, which knows neither address nor reader, and until the page has taken it over. */
function useStarted(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}
