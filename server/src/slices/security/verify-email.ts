import { type account, type InputOf, problem } from '@vrata/contract'
import type { Deps } from '../../deps.ts'
import type { Person, Visitor } from '../../edge/actors.ts'
import type { Listener } from '../../events.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { confirmAddress, findUser, localeOf, lockUser, type User } from '../account/door.ts'
import { record } from '../activity/door.ts'
import { masked } from './mask.ts'
import { consumeToken, issueToken, voidTokens } from './one-time-tokens.ts'

/** Mails a link with which the holder of `email` confirms it. Throws `too_many_requests`. */
export async function sendConfirmation(deps: Deps, user: User, email: string): Promise<void> {
  const issued = await issueToken(deps, 'confirm_email', { user_id: user.id, email })
  if (!issued) throw problem('too_many_requests', { retry_after: 3600, params: { seconds: 3600 } })
  await queueMail(deps, {
    to: email,
    locale: localeOf(user),
    template: 'confirm_email',
    values: { name: user.first_name, link: `${deps.config.url}/confirm-email/${issued.token}` },
    expires_at: issued.expires_at,
  })
}

/** Listens to the account: a new address gets its link, the former one's is void. */
export const onPendingEmailChanged: Listener<'pending_email_changed'> = async (deps, { user_id, email }) => {
  if (email === null) return await voidTokens(deps, 'confirm_email', user_id)
  const user = await findUser(deps.db, user_id)
  if (user) await sendConfirmation(deps, user, email)
}

/** api.md §3: POST /account/verify-email. */
export async function resendVerification(deps: Deps, actor: Person) {
  const user = await lockUser(deps.db, actor.user_id)
  const email = user?.pending_email ?? (user?.email_verified_at === null ? user.email : undefined)
  if (!user || email === undefined) throw problem('already_confirmed')
  await sendConfirmation(deps, user, email)
  return {}
}

/** api.md §3: POST /account/verify-email/{token}; signed in or not, for the mailbox is the proof. */
export async function verifyEmail(
  deps: Deps,
  actor: Visitor,
  { token }: InputOf<typeof account.verifyEmail>,
): Promise<{ email: string }> {
  const bound = await consumeToken(deps, 'confirm_email', token)
  const user = bound && (await lockUser(deps.db, bound.user_id))
  if (!user || !awaits(user, bound.email)) throw problem('invalid_token')
  const { email } = bound
  if (!(await confirmAddress(deps, user, email))) throw problem('email_exists')
  if (email !== user.email) await tellChanged(deps, actor, user, email)
  return { email }
}

function awaits(user: User, email: string): boolean {
  return user.pending_email === email || (user.email === email && user.email_verified_at === null)
}

/** The old address hears of it, too: it may be the only one that its owner still reads (security.md 6.3.7). */
async function tellChanged(deps: Deps, actor: Visitor, before: User, email: string): Promise<void> {
  await record(deps, { type: 'CHANGED_EMAIL', user_id: before.id, from: actor, session_id: null })
  await queueMail(deps, {
    to: before.email,
    locale: localeOf(before),
    template: 'email_changed',
    values: { name: before.first_name, link: `${deps.config.url}/security`, new_email: masked(email) },
  })
}
