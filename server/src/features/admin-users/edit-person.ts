import { type adminUsers, type audit, type InputOf, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../deps.ts'
import { createUser as insertUser, updatePerson } from '../account/public.ts'
import { isInvited, sendAccountInvitation } from '../account-invitations/public.ts'
import { addToGroups } from '../groups/public.ts'
import { getAdminUser } from './list-people.ts'
import { finish, type Helper, lockPerson, MAIL_PAUSE, recordPersonChange, requireAdmin } from './person-changes.ts'

/** Creates an account without a way to sign in; the person sets one by the mailed link (operators §2). */
export async function createUser(
  deps: TransactionDeps,
  actor: Helper,
  { email, first_name = '', last_name = '', groups = [], send_invitation }: InputOf<typeof adminUsers.createUser>,
) {
  // Groups open apps; support cannot give them afterwards either.
  if (groups.length > 0) requireAdmin(actor)
  // The language of the operator, until the person takes the account over.
  const fresh = { email, first_name, last_name, password_hash: null, locale: actor.locale }
  const user = await insertUser(deps, fresh)
  if (!user) throw problem('email_exists', { fields: { email: 'taken' } })
  if (send_invitation) await sendAccountInvitation(deps, user)
  await recordPersonChange(deps, actor, user, 'user.created', { invitation: [null, send_invitation] })
  await addToGroups(deps, actor, { keys: [...new Set(groups)], user_id: user.id })
  return await getAdminUser(deps, actor, user)
}

/**
 * Changes names and address, or takes a new address back that nobody has confirmed. An account that nobody has taken over gets the new address
 * at once, and a new invitation.
 */
export async function updateUser(
  deps: TransactionDeps,
  actor: Helper,
  { id, ...input }: InputOf<typeof adminUsers.updateUser>,
) {
  const user = await lockPerson(deps, actor, id)
  const names = ['first_name', 'last_name', 'email', 'pending_email'] as const
  const changed = names.filter((name) => input[name] !== undefined && input[name] !== user[name])
  if (changed.length === 0) return await getAdminUser(deps, actor, { id })
  const wanted: typeof input = Object.fromEntries(changed.map((name) => [name, input[name]]))
  await updatePerson(deps, user, wanted, { at_once: isInvited(user) })
  if (isInvited(user) && wanted.email !== undefined) {
    const sent = await sendAccountInvitation(deps, { ...user, email: wanted.email })
    if (!sent) throw problem('too_many_requests', { retry_after: MAIL_PAUSE })
  }
  // Which fields, not their values: the log outlives the account.
  const changes: audit.AuditChanges = { fields: [null, changed.join(', ')] }
  return await finish(deps, actor, user, 'user.changed', changes)
}
