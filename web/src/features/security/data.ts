import { security } from '@vrata/contract'
import { once } from '../../lib/once.ts'
import { loadUser } from '../../lib/session.ts'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** Read anew at every visit: another device may have added one. */
export const passkeyList = (wires: Pick<Wires, 'api'>) => ({
  ...callQuery(wires, security.listPasskeys, {}),
  staleTime: 0,
})

export const primeTwoFactor = (wires: Wires) => wires.queries.prefetchQuery(once(passkeyList(wires)))

/** After a change of them: the list anew, and how many the account has. */
export async function reloadPasskeys(wires: Wires): Promise<void> {
  await Promise.all([wires.queries.invalidateQueries({ queryKey: passkeyList(wires).queryKey }), loadUser(wires)])
}
