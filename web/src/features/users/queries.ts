import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import * as users from '@vrata/contract/users'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { wholeList } from '../../lib/api/whole-list.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Filter in the query. */
export type UserFilter = { query?: string; client_id?: string; blocked?: 'true' | 'false' }
/** Filter and order of the list; the newest users are first by default. */
export type UserView = UserFilter & { sort?: users.UserSort }

export function viewOf({ query, client_id, blocked, sort }: { [name in keyof UserView]?: string }): UserView {
  return {
    ...(query && { query }),
    ...(client_id && { client_id }),
    ...((blocked === 'true' || blocked === 'false') && { blocked }),
    ...((sort === 'oldest' || sort === 'name') && { sort }),
  }
}

export function filterOf({ sort: _, ...filter }: UserView): UserFilter {
  return filter
}

/** Users of the organization's apps, in pages. */
export const userPages = ({ api }: Pick<AppContext, 'api'>, view: UserView) =>
  infiniteQueryOptions({
    queryKey: [users.listUsers.path, view],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(users.listUsers, { ...view, ...(cursor && { cursor }) })
      return { users: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export const userCount = (context: Pick<AppContext, 'api'>, filter: UserFilter) =>
  callQuery(context, users.countUsers, filter)

export const userDetails = (context: Pick<AppContext, 'api'>, id: string) => callQuery(context, users.getUser, { id })

/** Apps for the filter. */
export const clientOptions = ({ api }: Pick<AppContext, 'api'>) =>
  queryOptions({
    queryKey: [clients.listClients.path, 'all'],
    queryFn: () => wholeList((page) => api(clients.listClients, page)),
  })

export const preloadUsers = (context: AppContext) =>
  Promise.all([
    context.queries.prefetchInfiniteQuery(withoutRetry(userPages(context, {}))),
    context.queries.prefetchQuery(withoutRetry(userCount(context, {}))),
  ])

/** After a change of one user. */
export const invalidateUsers = ({ queries }: Pick<AppContext, 'queries'>) =>
  queries.invalidateQueries({
    predicate: ({ queryKey }) => typeof queryKey[0] === 'string' && queryKey[0].startsWith(users.listUsers.path),
  })
