import * as members from '@vrata/contract/members'
import { once } from '../../lib/once.ts'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** Members of the current developer account, then invitations. */
export const memberList = (wires: Pick<Wires, 'api'>) => callQuery(wires, members.listMembers, {})

export const primeMembers = (wires: Wires) => wires.queries.prefetchQuery(once(memberList(wires)))

/** After a change: the list is read anew before anybody is told that it worked. */
export async function reread(wires: Wires): Promise<void> {
  await wires.queries.invalidateQueries({ queryKey: [members.listMembers.path] })
}
