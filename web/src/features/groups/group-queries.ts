// Apart from `queries.ts`, which every signed-in page loads (`vite.config.ts`).
import { infiniteQueryOptions } from '@tanstack/react-query'
import * as groups from '@vrata/contract/groups'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { withoutRetry, withoutRetryOnMount } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

type Context = Pick<AppContext, 'api'>

/** Groups of the installation, in pages; `query` is text that they contain. */
export const groupPages = ({ api }: Context, query: string) =>
  infiniteQueryOptions({
    queryKey: [groups.listGroups.path, { query }],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(groups.listGroups, { ...(query && { query }), ...(cursor && { cursor }) })
      return { groups: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Members of a group, in pages. */
export const groupMemberPages = ({ api }: Context, key: string, query: string) =>
  infiniteQueryOptions({
    queryKey: [groups.listGroupMembers.path, key, { query }],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(groups.listGroupMembers, { key, ...(query && { query }), ...(cursor && { cursor }) })
      return { members: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Reloads all lists of groups and members after a change. */
export async function invalidateGroups({ queries }: Pick<AppContext, 'queries'>): Promise<void> {
  const paths = [groups.listGroups.path, groups.getGroup.path, groups.listGroupMembers.path]
  await Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: [path] })))
}

export const groupQuery = (context: Pick<AppContext, 'api'>, key: string) =>
  withoutRetryOnMount(callQuery(context, groups.getGroup, { key }))

export const preloadGroup = (context: AppContext, { groupKey = '' }: Record<string, string>) =>
  context.queries.prefetchQuery(withoutRetry(groupQuery(context, groupKey)))
