import { type InputOf, LIMITS, paths, problem, type security } from '@vrata/contract'
import { queueMail } from '../../../adapters/mail/mail.ts'
import type { TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor, UserActor } from '../../../http/actors.ts'
import type { Listener } from '../../../listeners.ts'
import {
  confirmEmail,
  findUser,
  findUserByEmail,
  findUserForUpdate,
  greetingName,
  localeOf,
  mailFacts,
  type User,
} from '../../account/public.ts'
import { recordActivity } from '../../activity/public.ts'
import { countMail, mailKey } from '../mail-limits.ts'
import { maskEmail } from '../mask-email.ts'
import { consumeToken, findConsumedToken, findToken, issueToken, voidTokens } from '../one-time-tokens.ts'

/**
 * Mails the link that confirms `email`. When another account has the address, its user gets a mail instead; the caller cannot
 * tell the difference, also by the time it takes (security §6.3.8). Throws `too_many_requests`.
 */
export async function sendEmailConfirmation(deps: TransactionDeps, user: User, email: string): Promise<void> {
  const issued = await issueToken(deps, 'confirm_email', { user_id: user.id, email })
  if (!issued) throw problem('too_many_requests', { retry_after: 3600, params: { seconds: 3600 } })
  const holder = await findUserByEmail(deps.db, email)
  if (holder && holder.id !== user.id) return await notifyHolder(deps, holder)
  await queueMail(deps, {
    to: email,
    locale: localeOf(user),
    template: 'confirm_email',
    values: { name: '', link: `${deps.config.url}${paths.confirmEmail(issued.token)}` },
    expires_at: issued.expires_at,
  })
}

async function notifyHolder(deps: TransactionDeps, holder: User): Promise<void> {
  await queueMail(deps, {
    to: holder.email,
    locale: localeOf(holder),
    template: 'email_in_use',
    values: { name: greetingName(holder), link: `${deps.config.url}${paths.home}` },
  })
}

/** Mails a new pending address; voids the links of a cleared one. */
export const onPendingEmailChanged: Listener<'pending_email_changed'> = async (deps, { user_id, email }) => {
  if (email === null) return await voidTokens(deps, 'confirm_email', user_id)
  const user = await findUser(deps.db, user_id)
  if (!user) return
  await countConfirmation(deps, email)
  await sendEmailConfirmation(deps, user, email)
}

/** Mails the link again, to the pending address if there is one (api §3.7). */
export async function resendVerification(deps: TransactionDeps, actor: UserActor) {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  const email = user?.pending_email ?? (user?.email_verified_at === null ? user.email : undefined)
  if (!user || email === undefined) throw problem('already_confirmed')
  await countConfirmation(deps, email)
  await sendEmailConfirmation(deps, user, email)
  return {}
}

/**
 * Limits mails that accounts of any users cause at one address. Registrations do not count: an address has one account at a
 * time, and other accounts that enter the address must not keep its owner from registering.
 */
async function countConfirmation(deps: TransactionDeps, email: string): Promise<void> {
  await countMail(deps, mailKey.confirmation(email), LIMITS.confirmation_mails_per_address)
}

/**
 * Confirms an address with the token of the mail; needs no session (api §3.7). Repeated, it answers the same while the account has the
 * address: the first answer may have been lost, or the link opened twice.
 */
export async function verifyEmail(
  deps: TransactionDeps,
  actor: AnonymousActor,
  { token }: InputOf<typeof security.verifyEmail>,
): Promise<{ email: string }> {
  const found = await findToken(deps, 'confirm_email', token)
  // The user is locked first, as in every change of an account.
  const user = found && (await findUserForUpdate(deps.db, found.user_id))
  const bound = await consumeToken(deps, 'confirm_email', token)
  if (!bound) return await findConfirmed(deps, token)
  if (!user || !isUnconfirmed(user, bound.email)) throw problem('invalid_token')
  const { email } = bound
  if (!(await confirmEmail(deps, user, email))) throw problem('email_exists')
  if (email !== user.email) await replaceAddress(deps, actor, user, email)
  return { email }
}

/** The address of a consumed link, if it is confirmed. Throws `invalid_token`. */
async function findConfirmed(deps: TransactionDeps, token: string): Promise<{ email: string }> {
  const bound = await findConsumedToken(deps, 'confirm_email', token)
  const user = bound && (await findUser(deps.db, bound.user_id))
  if (!user || user.email !== bound.email || user.email_verified_at === null) throw problem('invalid_token')
  return { email: bound.email }
}

function isUnconfirmed(user: User, email: string): boolean {
  return user.pending_email === email || (user.email === email && user.email_verified_at === null)
}

/**
 * Ends what belongs to the former address and mails it, too, in case an attacker has changed it (security §6.3.7). One that nobody has confirmed
 * is not mailed: it may belong to another person, who cannot do anything about it, and the domain of the new one is text of the user.
 */
async function replaceAddress(
  deps: TransactionDeps,
  actor: AnonymousActor,
  before: User,
  email: string,
): Promise<void> {
  await deps.revoke('address_changed', { user_id: before.id, browser: actor })
  await recordActivity(deps, { type: 'CHANGED_EMAIL', user_id: before.id, from: actor, session_id: null })
  if (before.email_verified_at === null) return
  const locale = localeOf(before)
  await queueMail(deps, {
    to: before.email,
    locale,
    template: 'email_changed',
    values: {
      name: greetingName(before),
      link: `${deps.config.url}${paths.security}`,
      new_email: maskEmail(email),
      ...(await mailFacts(deps, locale, actor)),
    },
  })
}
