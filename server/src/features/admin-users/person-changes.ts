import { type activity, type audit, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { findUserForUpdate, type User } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { findOperatorRole } from '../operators/public.ts'
import { getAdminUser } from './list-people.ts'

/** An operator, or a command that acts with the role of an admin. */
export type Helper = Extract<AuditActor, { user_id: string } | { command: string }> &
  Pick<OperatorActor, 'role' | 'locale'>

/** Seconds after which a mail can be sent again at the latest. */
export const MAIL_PAUSE = 60 * 60

/**
 * Locks a person whom the operator may help. Only admins act on operators, so that no operator gets the account of one with a
 * higher role.
 */
export async function lockPerson(deps: TransactionDeps, actor: Helper, id: string): Promise<User> {
  const user = await findUserForUpdate(deps.db, id)
  if (!user) throw problem('not_found')
  const role = await findOperatorRole(deps.db, id)
  if (role !== null) requireAdmin(actor)
  return user
}

/** Throws `insufficient_level` for every other role. */
export function requireAdmin({ role }: Pick<Helper, 'role'>): void {
  if (role !== 'admin') throw problem('insufficient_level', { params: { needed: 'admin' } })
}

/** Entry in the person's own activity. */
const ACTIVITY = {
  'user.created': 'OPERATOR_CREATED_ACCOUNT',
  'user.changed': 'OPERATOR_CHANGED_PROFILE',
  'user.deletion_requested': 'OPERATOR_BEGAN_DELETION',
  'user.restored': 'OPERATOR_UNDID_DELETION',
  'user.disabled': 'OPERATOR_DISABLED_ACCOUNT',
  'user.enabled': 'OPERATOR_ENABLED_ACCOUNT',
  'user.sessions_ended': 'OPERATOR_SIGNED_OUT',
  'user.unlocked': 'OPERATOR_UNLOCKED',
  'user.reset_sent': 'OPERATOR_SENT_RESET',
  'user.factor_reset_requested': 'OPERATOR_REQUESTED_FACTOR_RESET',
  'user.factor_reset_canceled': 'OPERATOR_CANCELED_FACTOR_RESET',
  'user.factors_reset': 'OPERATOR_RESET_FACTORS',
} as const satisfies Partial<Record<audit.AuditType, activity.ActivityType>>

/** Records what was done to a person, for them and in the audit log. */
export async function recordPersonChange(
  deps: TransactionDeps,
  actor: AuditActor,
  { id }: Pick<User, 'id'>,
  type: keyof typeof ACTIVITY,
  changes?: audit.AuditChanges,
): Promise<void> {
  // Without the browser and address of the operator, which are not the person's.
  await recordActivity(deps, { type: ACTIVITY[type], user_id: id, from: null, session_id: null })
  await recordAudit(deps, actor, { type, subject: { kind: 'user', id }, ...(changes ? { changes } : {}) })
}

/** Records what was done and returns the person as they are now. */
export async function finish(
  deps: TransactionDeps,
  actor: Helper,
  user: Pick<User, 'id'>,
  type: keyof typeof ACTIVITY,
  changes?: audit.AuditChanges,
) {
  await recordPersonChange(deps, actor, user, type, changes)
  return await getAdminUser(deps, actor, { id: user.id })
}
