import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ClientInfo } from '@vrata/contract/clients'
import { useAppContext } from '../app-context.tsx'
import { clientInfo } from './client-queries.ts'

/** The app of the current page; the layout has loaded it. */
export function useClient(): ClientInfo {
  const { clientId = '' } = useParams({ strict: false })
  return useSuspenseQuery(clientInfo(useAppContext(), clientId)).data
}
