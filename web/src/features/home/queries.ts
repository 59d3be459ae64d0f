import { activity, connections, members, sessions } from '@vrata/contract'
import { callQuery, JUST_READ } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Number of rows on the home page. */
const RECENT = 3

export const connectedApps = (context: Pick<AppContext, 'api'>) => callQuery(context, connections.listConnections, {})
export const openSessions = (context: Pick<AppContext, 'api'>) => callQuery(context, sessions.listSessions, {})
export const recentActivity = (context: Pick<AppContext, 'api'>) =>
  callQuery(context, activity.listActivity, { limit: RECENT })
export const pendingInvitations = (context: Pick<AppContext, 'api'>) => callQuery(context, members.listInvitations, {})
/** Not cached, because a request expires. */
export const appRequests = (context: Pick<AppContext, 'api'>) => ({
  ...callQuery(context, connections.listRequests, {}),
  staleTime: JUST_READ,
})

/** Preloads the page. */
export async function preloadHome(context: AppContext): Promise<void> {
  await Promise.all([
    context.queries.prefetchQuery(withoutRetry(connectedApps(context))),
    context.queries.prefetchQuery(withoutRetry(openSessions(context))),
    context.queries.prefetchQuery(withoutRetry(pendingInvitations(context))),
    context.queries.prefetchQuery(withoutRetry(appRequests(context))),
    context.queries.prefetchQuery(withoutRetry(recentActivity(context))),
  ])
}
