import { infiniteQueryOptions } from '@tanstack/react-query'
import { developers } from '@vrata/contract'
import { DEVELOPER_ACTIVITY_TYPES, type Developer, type DeveloperActivityType } from '@vrata/contract/developers'
import { once } from '../../lib/once.ts'
import { currentUser, setUser } from '../../lib/session.ts'
import { callQuery, unwrap } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

export const organization = (wires: Pick<Wires, 'api'>) => callQuery(wires, developers.getDeveloper, {})

export const primeOrganization = (wires: Wires) => wires.queries.prefetchQuery(once(organization(wires)))

/** After a change: the page shows what the server answered, and so do the menus. */
export function keepOrganization(wires: Wires, developer: Developer): void {
  wires.queries.setQueryData(organization(wires).queryKey, developer)
  void wires.queries.invalidateQueries({ queryKey: [developers.listDeveloperActivity.path] })
  const user = currentUser(wires)
  if (!user) return
  const { developer_id, name, logo } = developer
  const developer_accounts = user.developer_accounts.map((account) =>
    account.developer_id === developer_id ? { ...account, name, logo } : account,
  )
  setUser(wires, { ...user, developer_accounts })
}

/** What the activity is narrowed down to; it stands in the address, so that the way back keeps it. */
export type ActivityFilter = { type?: DeveloperActivityType; user_id?: string }

/** The filter that an address names; words that nobody knows are no filter. */
export function filterOf({ type, user_id }: Record<string, string | undefined>): ActivityFilter {
  const known = DEVELOPER_ACTIVITY_TYPES.find((one) => one === type)
  return { ...(known && { type: known }), ...(user_id && { user_id }) }
}

/** All that was done in the organisation, page by page, newest first. */
export const activityPages = ({ api }: Pick<Wires, 'api'>, filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [developers.listDeveloperActivity.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(developers.listDeveloperActivity, { ...filter, ...(cursor && { cursor }) })
      return { rows: unwrap(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
