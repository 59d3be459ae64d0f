import { type activity, type adminUsers, type audit, type InputOf, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { accountDisabled, findUserForUpdate, type User, updateDisabled } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { findOperatorRole, requireOtherAdmin } from '../operators/public.ts'
import { sendResetLink } from '../sign-in/public.ts'
import { getAdminUser } from './list-people.ts'

/** An operator, or a command that acts with the role of an admin. */
export type Helper = AuditActor & Pick<OperatorActor, 'role' | 'locale'>

/** Disables an account: nobody signs in to it, and everything that it has open ends (operators §2). */
export async function disableUser(
  deps: TransactionDeps,
  actor: Helper,
  { id, reason }: InputOf<typeof adminUsers.disableUser>,
) {
  const user = await lockPerson(deps, actor, id)
  await requireOtherAdmin(deps, user.id)
  await updateDisabled(deps, user.id, reason)
  await deps.revoke('account_disabled', { user_id: user.id })
  const changes = { reason: [user.disabled_reason, reason] } satisfies audit.AuditChanges
  return await finish(deps, actor, user, 'user.disabled', changes)
}

/** Enables a disabled account. Enabling an enabled one changes nothing. */
export async function enableUser(deps: TransactionDeps, actor: Helper, { id }: InputOf<typeof adminUsers.enableUser>) {
  const user = await lockPerson(deps, actor, id)
  if (user.disabled_at === null) return await getAdminUser(deps, actor, { id })
  await updateDisabled(deps, user.id, null)
  return await finish(deps, actor, user, 'user.enabled', { reason: [user.disabled_reason, null] })
}

/** Signs a person out everywhere, also out of apps. */
export async function endUserSessions(
  deps: TransactionDeps,
  actor: Helper,
  { id }: InputOf<typeof adminUsers.endUserSessions>,
) {
  const user = await lockPerson(deps, actor, id)
  await deps.revoke('signed_out_by_operator', { user_id: user.id })
  return await finish(deps, actor, user, 'user.sessions_ended')
}

/** Lifts the waits after wrong passwords and codes. */
export async function unlockUser(deps: TransactionDeps, actor: Helper, { id }: InputOf<typeof adminUsers.unlockUser>) {
  const user = await lockPerson(deps, actor, id)
  await deps.revoke('account_unlocked', { user_id: user.id })
  return await finish(deps, actor, user, 'user.unlocked')
}

/** Seconds after which a mail can be sent again at the latest. */
const HOUR = 60 * 60

/** Mails the person the link that sets a new password. The operator never sees it. */
export async function sendPasswordReset(
  deps: TransactionDeps,
  actor: Helper,
  { id }: InputOf<typeof adminUsers.sendPasswordReset>,
) {
  const user = await lockPerson(deps, actor, id)
  if (user.disabled_at !== null) throw accountDisabled(user)
  if (!(await sendResetLink(deps, user))) throw problem('too_many_requests', { retry_after: HOUR })
  return await finish(deps, actor, user, 'user.reset_sent')
}

/**
 * Locks a person whom the operator may help. Only admins act on operators, so that nobody gets the account of somebody with a
 * higher role.
 */
async function lockPerson(deps: TransactionDeps, actor: Helper, id: string): Promise<User> {
  const user = await findUserForUpdate(deps.db, id)
  if (!user) throw problem('not_found')
  const role = await findOperatorRole(deps.db, id)
  if (role !== null && actor.role !== 'admin') throw problem('insufficient_level', { params: { needed: 'admin' } })
  return user
}

/** What the person sees in their own activity. */
const ACTIVITY = {
  'user.disabled': 'OPERATOR_DISABLED_ACCOUNT',
  'user.enabled': 'OPERATOR_ENABLED_ACCOUNT',
  'user.sessions_ended': 'OPERATOR_SIGNED_OUT',
  'user.unlocked': 'OPERATOR_UNLOCKED',
  'user.reset_sent': 'OPERATOR_SENT_RESET',
} as const satisfies Partial<Record<audit.AuditType, activity.ActivityType>>

/** Records what was done, for the person and in the audit log, and returns the person as they are now. */
async function finish(
  deps: TransactionDeps,
  actor: Helper,
  { id }: User,
  type: keyof typeof ACTIVITY,
  changes?: audit.AuditChanges,
) {
  // Without the browser and address of the operator, which are not the person's.
  await recordActivity(deps, { type: ACTIVITY[type], user_id: id, from: null, session_id: null })
  await recordAudit(deps, actor, { type, subject: { kind: 'user', id }, ...(changes ? { changes } : {}) })
  return await getAdminUser(deps, actor, { id })
}
