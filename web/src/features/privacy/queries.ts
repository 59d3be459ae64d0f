import { privacy } from '@vrata/contract'
import type { DataRequest } from '@vrata/contract/privacy'
import { callQuery } from '../../lib/api/call-query.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Milliseconds between checks of an archive. Hidden pages do not check. */
const POLL_INTERVAL = 2500

export const dataRequests = (context: Pick<AppContext, 'api'>) => ({
  ...callQuery(context, privacy.listDataRequests, {}),
  refetchInterval: ({ state }: { state: { data?: readonly DataRequest[] } }) =>
    state.data?.some(isRunning) ? POLL_INTERVAL : (false as const),
})

/** Whether an archive is queued or being built. */
export function isRunning({ state }: DataRequest): boolean {
  return state === 'queued' || state === 'building'
}
