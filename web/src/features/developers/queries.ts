import { infiniteQueryOptions } from '@tanstack/react-query'
import { developers } from '@vrata/contract'
import { DEVELOPER_ACTIVITY_TYPES, type Developer, type DeveloperActivityType } from '@vrata/contract/developers'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { currentUser, setUser } from '../../lib/session.ts'

export const currentDeveloper = (context: Pick<AppContext, 'api'>) => callQuery(context, developers.getDeveloper, {})

export const preloadDeveloper = (context: AppContext) =>
  context.queries.prefetchQuery(withoutRetry(currentDeveloper(context)))

/** Updates the cached organization and the menus after a change. */
export function setDeveloperData(context: AppContext, developer: Developer): void {
  context.queries.setQueryData(currentDeveloper(context).queryKey, developer)
  void context.queries.invalidateQueries({ queryKey: [developers.listDeveloperActivity.path] })
  const user = currentUser(context)
  if (!user) return
  const { developer_id, name, logo } = developer
  const developer_accounts = user.developer_accounts.map((account) =>
    account.developer_id === developer_id ? { ...account, name, logo } : account,
  )
  setUser(context, { ...user, developer_accounts })
}

/** Filter in the query, so that back navigation restores it. */
export type DeveloperActivityFilter = { type?: DeveloperActivityType; user_id?: string }

/** Parses the filter of an address; unknown types are ignored. */
export function filterOf({
  type,
  user_id,
}: { [name in keyof DeveloperActivityFilter]?: string }): DeveloperActivityFilter {
  const known = DEVELOPER_ACTIVITY_TYPES.find((one) => one === type)
  return { ...(known && { type: known }), ...(user_id && { user_id }) }
}

/** Pages of activity of the organization, newest first. */
export const developerActivityPages = ({ api }: Pick<AppContext, 'api'>, filter: DeveloperActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [developers.listDeveloperActivity.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(developers.listDeveloperActivity, { ...filter, ...(cursor && { cursor }) })
      return { rows: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
