import { connections } from '@vrata/contract'
import { once } from '../../lib/once.ts'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** What an app asks for, as the address of the consent page says it (server: `issuer/interactions.ts`). */
export type Asking = {
  client: string
  /** Space-separated keys. */
  scopes: string
  /** The waiting authorization request; without it, nothing but the connection changes. */
  uid?: string
}

/** Asked anew at every visit: what was allowed meanwhile, in another tab perhaps, counts. */
export const consentOf = (wires: Pick<Wires, 'api'>, asking: Asking) => ({
  ...callQuery(wires, connections.getConsent, asking),
  gcTime: 0,
})

/** Read anew at every visit: another device may have allowed one more. */
export const connectionList = (wires: Pick<Wires, 'api'>) => ({
  ...callQuery(wires, connections.listConnections, {}),
  staleTime: 0,
})

export const primeApplications = (wires: Wires) => wires.queries.prefetchQuery(once(connectionList(wires)))
