// Apart from `queries.ts`, which every signed-in page loads (`vite.config.ts`).
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { UserStatus } from '@vrata/contract/admin-users'
import * as adminUsers from '@vrata/contract/admin-users'
import * as groups from '@vrata/contract/groups'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { wholeList } from '../../lib/api/whole-list.ts'
import { withoutRetry, withoutRetryOnMount } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Filter in the address. */
export type PeopleFilter = { query?: string; status?: UserStatus; group?: string }

export function filterOf({ query, status, group }: { [name in keyof PeopleFilter]?: string }): PeopleFilter {
  const known = adminUsers.USER_STATUSES.find((one) => one === status)
  return { ...(query && { query }), ...(known && { status: known }), ...(group && { group }) }
}

/** People of the installation, in pages. */
export const peoplePages = ({ api }: Pick<AppContext, 'api'>, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: [adminUsers.listAdminUsers.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(adminUsers.listAdminUsers, { ...filter, ...(cursor && { cursor }) })
      return { people: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** All groups, for the filter and for new accounts. */
export const groupOptions = ({ api }: Pick<AppContext, 'api'>) =>
  queryOptions({
    queryKey: [groups.listGroups.path, 'all'],
    queryFn: () => wholeList((page) => api(groups.listGroups, page)),
  })

export const personQuery = (context: Pick<AppContext, 'api'>, id: string) =>
  withoutRetryOnMount(callQuery(context, adminUsers.getAdminUser, { id }))

export const preloadPerson = (context: AppContext, { userId = '' }: Record<string, string>) =>
  context.queries.prefetchQuery(withoutRetry(personQuery(context, userId)))
