import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import type { Locale } from '@vrata/contract/locales'
import * as scopes from '@vrata/contract/scopes'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { clientInfo, setClientInfo } from '../../lib/clients/client-queries.ts'

type Caller = Pick<AppContext, 'api'>

/** Scopes requested by an app in one language. The keys are part of the query key, so that a change loads again. */
export const requestedScopes = ({ api }: Caller, app: Pick<ClientInfo, 'client_id' | 'scopes'>, language: Locale) =>
  queryOptions({
    queryKey: [scopes.listRequestedScopes.path, app.client_id, language, app.scopes],
    queryFn: async () => dataOrThrow(await api(scopes.listRequestedScopes, { id: app.client_id, language })),
  })

export const definedScopes = (context: Caller, id: string) => callQuery(context, scopes.listScopes, { id })

export const resources = (context: Caller, id: string) => callQuery(context, scopes.listResources, { id })

/** Children of a node, or all matches of a query, in pages. */
export const scopeTree = ({ api }: Caller, path: string, query: string, language: Locale) =>
  infiniteQueryOptions({
    queryKey: [scopes.exploreScopes.path, path, query, language],
    queryFn: async ({ pageParam: cursor }) => {
      const mode = query ? 'all-children' : 'direct-children'
      const answer = await api(scopes.exploreScopes, {
        path,
        mode,
        language,
        ...(query && { query }),
        ...(cursor && { cursor }),
      })
      return { nodes: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Not cached, because any developer may define a scope.
    staleTime: 0,
  })

/** Changes the requested scopes and updates the cache. */
export async function updateRequestedScopes(context: AppContext, id: string, keys: string[]) {
  const answer = await context.api(clients.updateClientInfo, { id, scopes: keys })
  if (answer.ok) setClientInfo(context, answer.data)
  return answer
}

/** Invalidates all scope queries after a change. */
export async function invalidateScopes({ queries }: Pick<AppContext, 'queries'>): Promise<void> {
  const paths: unknown[] = [
    scopes.listRequestedScopes.path,
    scopes.listScopes.path,
    scopes.listResources.path,
    scopes.exploreScopes.path,
    clients.getClientInfo.path,
  ]
  await queries.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(queryKey[0]) })
}

type Params = Record<string, string>

export async function preloadScopes(context: AppContext, { clientId = '' }: Params): Promise<void> {
  const { queries, i18n } = context
  const own = Promise.all([
    queries.prefetchQuery(withoutRetry(definedScopes(context, clientId))),
    queries.prefetchQuery(withoutRetry(resources(context, clientId))),
  ])
  const info = clientInfo(context, clientId)
  await queries.prefetchQuery(withoutRetry(info))
  const app = queries.getQueryData(info.queryKey)
  if (app) await queries.prefetchQuery(withoutRetry(requestedScopes(context, app, i18n.now().locale)))
  await own
}
