import * as members from '@vrata/contract/members'
import { callQuery } from '../../../lib/api/call-query.ts'
import type { AppContext } from '../../../lib/app-context.tsx'

/** The invitation of a link. Failures are not retried. */
export const invitation = (context: Pick<AppContext, 'api'>, token: string) => ({
  ...callQuery(context, members.describeInvitation, { token }),
  retry: false,
})
