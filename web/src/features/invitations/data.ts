import * as invitations from '@vrata/contract/invitations'
import { callQuery } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** What the invitation behind a link is. A link that is no good stays so: it is not asked for twice. */
export const invitation = (wires: Pick<Wires, 'api'>, token: string) => ({
  ...callQuery(wires, invitations.describeInvitation, { token }),
  retry: false,
})
