import { LEVELS, type Level } from '@vrata/contract'
import * as members from '@vrata/contract/members'
import { callQuery } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Filter and order of the members; by level by default. */
export type MemberView = { query?: string; permission?: Level; sort?: members.MemberSort }

/** Orders besides the default. */
export const SORTS = ['name', 'newest'] as const satisfies readonly members.MemberSort[]

/** Parameters of the address, which a person can edit. */
export function viewOf({ query, ...rest }: { [name in keyof MemberView]?: string }): MemberView {
  const permission = LEVELS.find((level) => level === rest.permission)
  const sort = SORTS.find((one) => one === rest.sort)
  return { ...(query && { query }), ...(permission && { permission }), ...(sort && { sort }) }
}

/** Members of the current developer account, then invitations. */
export const memberList = (context: Pick<AppContext, 'api'>, view: MemberView = {}) =>
  callQuery(context, members.listMembers, view)

export const preloadMembers = (context: AppContext) => context.queries.prefetchQuery(withoutRetry(memberList(context)))

/** Reloads the list after a change. */
export async function invalidateMembers(context: AppContext): Promise<void> {
  await context.queries.invalidateQueries({ queryKey: [members.listMembers.path] })
}
