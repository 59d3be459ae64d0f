import { auth } from '@vrata/contract'
import { once } from '../../lib/once.ts'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** Read anew at every visit: a device that has just signed in must be there. */
export const sessionList = (wires: Pick<Wires, 'api'>) => ({ ...callQuery(wires, auth.listSessions, {}), staleTime: 0 })

export const primeDevices = (wires: Wires) => wires.queries.prefetchQuery(once(sessionList(wires)))
