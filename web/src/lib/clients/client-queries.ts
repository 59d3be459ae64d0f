import type { QueryClient } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { callQuery } from '../api/call-query.ts'
import type { AppContext } from '../app-context.tsx'

type Caller = Pick<AppContext, 'api'>

export const clientInfo = (context: Caller, id: string) => callQuery(context, clients.getClientInfo, { id })
export const redirectUris = (context: Caller, id: string) => callQuery(context, clients.listRedirectUris, { id })
export const origins = (context: Caller, id: string) => callQuery(context, clients.listOrigins, { id })

/** Caches the app after a change and invalidates the list. */
export function setClientInfo(context: Caller & { queries: QueryClient }, info: ClientInfo): void {
  context.queries.setQueryData(clientInfo(context, info.client_id).queryKey, info)
  invalidateClientList(context)
}

export function invalidateClientList({ queries }: { queries: QueryClient }): void {
  void queries.invalidateQueries({ queryKey: [clients.listClients.path] })
}
