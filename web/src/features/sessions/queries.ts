import { sessions } from '@vrata/contract'
import { callQuery, JUST_READ } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Not cached, so that a new device appears. */
export const sessionList = (context: Pick<AppContext, 'api'>) => ({
  ...callQuery(context, sessions.listSessions, {}),
  staleTime: JUST_READ,
})

export const preloadDevices = (context: AppContext) => context.queries.prefetchQuery(withoutRetry(sessionList(context)))
