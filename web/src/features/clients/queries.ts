import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import { CallError, callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { clientInfo, origins, redirectUris } from '../../lib/clients/client-queries.ts'

type Caller = Pick<AppContext, 'api'>

/** Maximum page size of the server. */
const PAGE = 100

/** Filter and order of the list of apps; by name by default. */
export type ClientView = { query?: string; enabled?: 'true' | 'false'; sort?: clients.ClientSort }

/** State of the list in the address; values that are not offered are ignored. */
export function viewOf({ query, enabled, sort }: { [name in keyof ClientView]?: string }): ClientView {
  const order = clients.CLIENT_SORTS.find((one) => one === sort)
  return {
    ...(query && { query }),
    ...((enabled === 'true' || enabled === 'false') && { enabled }),
    ...(order && { sort: order }),
  }
}

/** Apps of the current developer account. */
export const clientList = ({ api }: Caller, view: ClientView = {}) =>
  infiniteQueryOptions({
    queryKey: [clients.listClients.path, view] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam }) => {
      const answer = await api(clients.listClients, {
        limit: PAGE,
        ...view,
        ...(pageParam && { cursor: pageParam }),
      })
      return { apps: dataOrThrow(answer), next_cursor: answer.ok ? answer.next_cursor : null }
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const advancedSettings = (context: Caller, id: string) => callQuery(context, clients.getAdvanced, { id })

/** Features of this server, from its discovery document (RFC 8414 §2). It changes with the operator's settings only. */
export const serverMetadata = ({ fetch, origin }: Pick<AppContext, 'fetch' | 'origin'>) =>
  queryOptions({
    queryKey: ['discovery'],
    queryFn: async () => {
      const response = await fetch(`${origin}/.well-known/openid-configuration`)
      if (!response.ok) throw new Error(`The discovery document was answered with ${response.status}`)
      return (await response.json()) as ServerMetadata
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
type ServerMetadata = {
  token_endpoint_auth_methods_supported: string[]
  tls_client_certificate_bound_access_tokens?: boolean
}

type Params = Record<string, string>

/** Preloads for the routes. The pages show failures themselves. */
export const preloadClientList = (context: AppContext) =>
  context.queries.prefetchInfiniteQuery(withoutRetry(clientList(context)))

export const preloadClient = (context: AppContext, { clientId = '' }: Params) =>
  context.queries.prefetchQuery(withoutRetry(clientInfo(context, clientId)))

export const preloadClientDetails = (context: AppContext, { clientId = '' }: Params) =>
  context.queries.prefetchQuery(withoutRetry(redirectUris(context, clientId)))

export const preloadClientDevelopment = (context: AppContext, { clientId = '' }: Params) =>
  Promise.all([
    context.queries.prefetchQuery(withoutRetry(redirectUris(context, clientId))),
    context.queries.prefetchQuery(withoutRetry(origins(context, clientId))),
    context.queries.prefetchQuery(withoutRetry(advancedSettings(context, clientId))),
  ])

/** Apps of other organizations are reported as missing (api §1.4). */
export function isMissing(error: Error | null): boolean {
  return error instanceof CallError && error.problem.code === 'not_found'
}
