import { type accountInvitations, type InputOf, paths, problem } from '@vrata/contract'
import { queueMail } from '../../adapters/mail/mail.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { findUser, findUserForUpdate, greetingName, localeOf, type User } from '../account/public.ts'
import {
  consumeToken,
  findToken,
  hasAnyFactor,
  insertNewPasskey,
  issueToken,
  recordPasskeyChange,
  registrationOptions,
  verifyRegistration,
} from '../security/public.ts'
import { completeSignIn, requireMethod } from '../sign-in/public.ts'

/**
 * Mails the link by which a person sets up a new passkey and signs in. Former links become void. Returns false when the hourly
 * limit is reached.
 */
export async function sendPasskeyLink(deps: TransactionDeps, user: User): Promise<boolean> {
  const issued = await issueToken(deps, 'new_passkey', { user_id: user.id, email: user.email })
  if (!issued) return false
  const { token, expires_at } = issued
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'new_passkey',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.newPasskey(token)}` },
    expires_at,
  })
  return true
}

/** Describes the account of a link. Consumes nothing, because mail programs open links (security §18.4). */
export async function checkPasskeyLink(
  deps: LinkDeps,
  _: AnonymousActor,
  { token }: InputOf<typeof accountInvitations.checkPasskeyLink>,
) {
  const { email } = await findLinkUser(deps, token)
  return { email }
}

/** WebAuthn creation options for the passkey of a link. */
export async function passkeyLinkOptions(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  { token }: InputOf<typeof accountInvitations.passkeyLinkOptions>,
) {
  await requireMethod(deps, 'passkey')
  return await registrationOptions(deps, visitor, await findLinkUser(deps, token))
}

/** Registers the passkey of a link, consumes the link and signs in. */
export async function addPasskeyByLink(
  app: AppDeps,
  visitor: AnonymousActor,
  { token, name, response }: InputOf<typeof accountInvitations.addPasskeyByLink>,
) {
  await requireMethod(app, 'passkey')
  const { id } = await findLinkUser(app, token)
  const created = await verifyRegistration(app, visitor, id, response)
  return await app.transaction(async (deps) => {
    // The user is locked first, as in every change of an account.
    const current = await findUserForUpdate(deps.db, id)
    const user = await requireLinkUser(deps, current, await consumeToken(deps, 'new_passkey', token))
    await insertNewPasskey(deps, user, name, created)
    const info = await completeSignIn(deps, visitor, user, 'LOGGED_IN', ['passkey'])
    await recordPasskeyChange(deps, visitor, info.session_id, user, 'ADDED_PASSKEY')
    return info
  })
}

type LinkDeps = Pick<AppDeps, 'db' | 'clock' | 'secondFactors'>

async function findLinkUser(deps: LinkDeps, token: string): Promise<User> {
  const bound = await findToken(deps, 'new_passkey', token)
  return await requireLinkUser(deps, bound && (await findUser(deps.db, bound.user_id)), bound)
}

/**
 * The user while the link may sign them in: with the address to which it was mailed, and without a passkey or second factor, which the link
 * would get around.
 */
async function requireLinkUser(
  deps: LinkDeps,
  user: User | undefined,
  bound: { email: string } | undefined,
): Promise<User> {
  if (!user || user.email !== bound?.email || user.email_verified_at === null || user.disabled_at !== null)
    throw problem('invalid_token')
  if (await hasAnyFactor(deps, user.id)) throw problem('invalid_token')
  return user
}
