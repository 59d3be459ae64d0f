import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import type { Locale } from '@vrata/contract/locales'
import * as scopes from '@vrata/contract/scopes'
import { once } from '../../lib/once.ts'
import { callQuery, unwrap } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'
import { clientInfo, keepInfo } from './data.ts'

type Caller = Pick<Wires, 'api'>

/** What an app asks for, in one language. The list of keys is part of the question: another choice is another answer. */
export const askedScopes = ({ api }: Caller, app: Pick<ClientInfo, 'client_id' | 'scopes'>, language: Locale) =>
  queryOptions({
    queryKey: [scopes.listAskedScopes.path, app.client_id, language, app.scopes],
    queryFn: async () => unwrap(await api(scopes.listAskedScopes, { id: app.client_id, language })),
  })

export const ownScopes = (wires: Caller, id: string) => callQuery(wires, scopes.listScopes, { id })

/** One place of the tree, or with a query everything that contains it; page by page. */
export const explored = ({ api }: Caller, path: string, query: string, language: Locale) =>
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
      return { nodes: unwrap(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Somebody else may define one at any moment.
    staleTime: 0,
  })

/** Chooses what the app asks for; pages show it at once when the server has agreed. */
export async function chooseScopes(wires: Wires, id: string, keys: string[]) {
  const answer = await wires.api(clients.updateClientInfo, { id, scopes: keys })
  if (answer.ok) keepInfo(wires, answer.data)
  return answer
}

/** After a scope was defined, changed or removed: whatever shows scopes is asked anew. */
export async function forgetScopes({ queries }: Pick<Wires, 'queries'>): Promise<void> {
  const paths: unknown[] = [
    scopes.listAskedScopes.path,
    scopes.listScopes.path,
    scopes.exploreScopes.path,
    clients.getClientInfo.path,
  ]
  await queries.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(queryKey[0]) })
}

type Params = Record<string, string>

export async function primeScopes(wires: Wires, { clientId = '' }: Params): Promise<void> {
  const { queries, i18n } = wires
  const own = queries.prefetchQuery(once(ownScopes(wires, clientId)))
  const info = clientInfo(wires, clientId)
  await queries.prefetchQuery(once(info))
  const app = queries.getQueryData(info.queryKey)
  if (app) await queries.prefetchQuery(once(askedScopes(wires, app, i18n.now().locale)))
  await own
}
