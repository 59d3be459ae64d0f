import { activity, auth, connections, invitations } from '@vrata/contract'
import { once } from '../../lib/once.ts'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** How many rows of activity the home page shows. */
const RECENT = 3

export const connectedApps = (wires: Pick<Wires, 'api'>) => callQuery(wires, connections.listConnections, {})
export const openSessions = (wires: Pick<Wires, 'api'>) => callQuery(wires, auth.listSessions, {})
export const recentActivity = (wires: Pick<Wires, 'api'>) => callQuery(wires, activity.listActivity, { limit: RECENT })
export const waitingInvitations = (wires: Pick<Wires, 'api'>) => callQuery(wires, invitations.listInvitations, {})

/** Asks before the page is shown. */
export async function primeHome(wires: Wires): Promise<void> {
  await Promise.all([
    wires.queries.prefetchQuery(once(connectedApps(wires))),
    wires.queries.prefetchQuery(once(openSessions(wires))),
    wires.queries.prefetchQuery(once(waitingInvitations(wires))),
    wires.queries.prefetchQuery(once(recentActivity(wires))),
  ])
}
