import { type adminUsers, type audit, type InputOf, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../deps.ts'
import { accountDisabled, type User, updateDisabled } from '../account/public.ts'
import { isInvited, sendAccountInvitation, sendPasskeyLink } from '../account-invitations/public.ts'
import { requireOtherAdmin } from '../operators/public.ts'
import { hasAnyFactor } from '../security/public.ts'
import { sendResetLink } from '../sign-in/public.ts'
import { getAdminUser } from './list-people.ts'
import { finish, type Helper, lockPerson, MAIL_PAUSE } from './person-changes.ts'

/** Disables an account: sign-in is refused, and all of its access ends (operators §2). */
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

/**
 * Mails the person the link that sets a new password, or the invitation again where nobody has taken over the account. The
 * operator never sees it. While passwords are off, the link sets up a passkey; it throws `sign_in_method_off` for a person with a passkey or
 * second factor, whose removal waits and can be stopped.
 */
export async function sendPasswordReset(
  deps: TransactionDeps,
  actor: Helper,
  { id }: InputOf<typeof adminUsers.sendPasswordReset>,
) {
  const user = await lockPerson(deps, actor, id)
  if (user.disabled_at !== null) throw accountDisabled(user)
  if (!(await sendLink(deps, user))) throw problem('too_many_requests', { retry_after: MAIL_PAUSE })
  return await finish(deps, actor, user, 'user.reset_sent')
}

async function sendLink(deps: TransactionDeps, user: User): Promise<boolean> {
  if (isInvited(user)) return await sendAccountInvitation(deps, user)
  const { password_sign_in } = await deps.policy.find(deps.db)
  if (password_sign_in) return await sendResetLink(deps, user)
  if (user.email_verified_at === null || (await hasAnyFactor(deps, user.id)))
    throw problem('sign_in_method_off', { params: { method: 'password' } })
  return await sendPasskeyLink(deps, user)
}
