import { activity, connections } from '@vrata/contract'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** How many rows of activity the home page shows. */
const RECENT = 3

export const connectedApps = (wires: Pick<Wires, 'api'>) => callQuery(wires, connections.listConnections, {})
export const recentActivity = (wires: Pick<Wires, 'api'>) => callQuery(wires, activity.listActivity, { limit: RECENT })

/** Asks before the page is shown. What fails is said in its own place: the rest of the page is still of use. */
export async function primeHome(wires: Wires): Promise<void> {
  const { queries } = wires
  await Promise.all([queries.prefetchQuery(connectedApps(wires)), queries.prefetchQuery(recentActivity(wires))])
}
