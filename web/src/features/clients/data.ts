import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { listQuickStarts } from '@vrata/contract/quick-start'
import { once } from '../../lib/once.ts'
import { CallFailed, callQuery, unwrap } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

type Caller = Pick<Wires, 'api'>

/** As many as the server gives at once. */
const PAGE = 100

/** Apps of the current developer account whose name contains `query`, by name; further pages on demand. */
export const clientList = ({ api }: Caller, query = '') =>
  infiniteQueryOptions({
    queryKey: [clients.listClients.path, query] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam }) => {
      const answer = await api(clients.listClients, {
        limit: PAGE,
        ...(query && { query }),
        ...(pageParam && { cursor: pageParam }),
      })
      return { apps: unwrap(answer), next_cursor: answer.ok ? answer.next_cursor : null }
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const clientInfo = (wires: Caller, id: string) => callQuery(wires, clients.getClientInfo, { id })
export const redirectUris = (wires: Caller, id: string) => callQuery(wires, clients.listRedirectUris, { id })
export const origins = (wires: Caller, id: string) => callQuery(wires, clients.listOrigins, { id })
export const quickStarts = (wires: Caller, id: string) => callQuery(wires, listQuickStarts, { id })
export const advancedSettings = (wires: Caller, id: string) => callQuery(wires, clients.getAdvanced, { id })

type Params = Record<string, string>

/** Asked before the pages are shown. What fails is said in its own place. */
export const primeList = (wires: Wires) => wires.queries.prefetchInfiniteQuery(once(clientList(wires)))

export const primeClient = (wires: Wires, { clientId = '' }: Params) =>
  wires.queries.prefetchQuery(once(clientInfo(wires, clientId)))

export const primeDetails = (wires: Wires, { clientId = '' }: Params) =>
  wires.queries.prefetchQuery(once(redirectUris(wires, clientId)))

export const primeDevelopment = (wires: Wires, { clientId = '' }: Params) =>
  Promise.all([
    wires.queries.prefetchQuery(once(redirectUris(wires, clientId))),
    wires.queries.prefetchQuery(once(origins(wires, clientId))),
    wires.queries.prefetchQuery(once(advancedSettings(wires, clientId))),
  ])

export const primeQuickStart = (wires: Wires, { clientId = '' }: Params) =>
  wires.queries.prefetchQuery(once(quickStarts(wires, clientId)))

/** After a change: what the server answered is what pages show, and the list is read anew. */
export function keepInfo(wires: Caller & { queries: QueryClient }, info: ClientInfo): void {
  wires.queries.setQueryData(clientInfo(wires, info.client_id).queryKey, info)
  forgetList(wires)
}

export function forgetList({ queries }: { queries: QueryClient }): void {
  void queries.invalidateQueries({ queryKey: [clients.listClients.path] })
}

/** Another organisation's id and one that does not exist answer alike (api.md §5). */
export function isMissing(error: Error | null): boolean {
  return error instanceof CallFailed && error.problem.code === 'not_found'
}
