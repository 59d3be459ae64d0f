import { privacy } from '@vrata/contract'
import type { DataRequest } from '@vrata/contract/privacy'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** How often a page looks whether an archive is ready, in milliseconds; a hidden page does not. */
const LOOK_EVERY = 2500

export const dataRequests = (wires: Pick<Wires, 'api'>) => ({
  ...callQuery(wires, privacy.listDataRequests, {}),
  refetchInterval: ({ state }: { state: { data?: readonly DataRequest[] } }) =>
    state.data?.some(isRunning) ? LOOK_EVERY : (false as const),
})

/** Somebody is still at it, or about to begin. */
export function isRunning({ state }: DataRequest): boolean {
  return state === 'queued' || state === 'building'
}
