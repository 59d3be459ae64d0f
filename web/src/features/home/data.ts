import { activity, auth, connections, invitations } from '@vrata/contract'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** How many rows of activity the home page shows. */
const RECENT = 3

export const connectedApps = (wires: Pick<Wires, 'api'>) => callQuery(wires, connections.listConnections, {})
export const openSessions = (wires: Pick<Wires, 'api'>) => callQuery(wires, auth.listSessions, {})
export const recentActivity = (wires: Pick<Wires, 'api'>) => callQuery(wires, activity.listActivity, { limit: RECENT })
export const waitingInvitations = (wires: Pick<Wires, 'api'>) => callQuery(wires, invitations.listInvitations, {})

/** Asks before the page is shown, once: what fails is said in its own place, and the rest of the page is of use. */
export async function primeHome(wires: Wires): Promise<void> {
  const once = { retry: false }
  await Promise.all([
    wires.queries.prefetchQuery({ ...connectedApps(wires), ...once }),
    wires.queries.prefetchQuery({ ...openSessions(wires), ...once }),
    wires.queries.prefetchQuery({ ...waitingInvitations(wires), ...once }),
    wires.queries.prefetchQuery({ ...recentActivity(wires), ...once }),
  ])
}
