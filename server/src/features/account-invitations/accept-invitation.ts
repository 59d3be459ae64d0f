import { type accountInvitations, type InputOf, problem } from '@vrata/contract'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { findUser, findUserForUpdate, takeOverAccount, type User, updatePasswordHash } from '../account/public.ts'
import {
  checkNewPassword,
  consumeToken,
  findToken,
  insertNewPasskey,
  passwordRules,
  registrationOptions,
  verifyRegistration,
} from '../security/public.ts'
import { completeSignIn, requireMethod } from '../sign-in/public.ts'
import { isInvited } from './send-invitation.ts'

/** Describes the account of a link. Consumes nothing, because mail programs open links (security §18.4). */
export async function checkAccountInvitation(
  deps: LinkDeps,
  _: AnonymousActor,
  { token }: InputOf<typeof accountInvitations.checkAccountInvitation>,
) {
  const { email, first_name, last_name } = await findInvited(deps, token)
  return { email, first_name, last_name }
}

/** Sets the first password and signs in. */
export async function acceptWithPassword(
  app: AppDeps,
  visitor: AnonymousActor,
  { token, password }: InputOf<typeof accountInvitations.acceptWithPassword>,
) {
  await requireMethod(app, 'password')
  checkNewPassword(await passwordRules(app), password, await findInvited(app, token), 'password')
  const hash = await app.passwords.hash(password)
  return await app.transaction(async (deps) => {
    const user = await takeOver(deps, visitor, token)
    await updatePasswordHash(deps, user.id, hash)
    return await completeSignIn(deps, visitor, user, 'CREATED_ACCOUNT', ['pwd'])
  })
}

/** WebAuthn creation options for the first passkey. */
export async function acceptPasskeyOptions(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  { token }: InputOf<typeof accountInvitations.acceptPasskeyOptions>,
) {
  await requireMethod(deps, 'passkey')
  return await registrationOptions(deps, visitor, await findInvited(deps, token))
}

/** Registers the first passkey and signs in. */
export async function acceptWithPasskey(
  app: AppDeps,
  visitor: AnonymousActor,
  { token, name, response }: InputOf<typeof accountInvitations.acceptWithPasskey>,
) {
  await requireMethod(app, 'passkey')
  const { id } = await findInvited(app, token)
  const created = await verifyRegistration(app, visitor, id, response)
  return await app.transaction(async (deps) => {
    const user = await takeOver(deps, visitor, token)
    await insertNewPasskey(deps, user, name, created)
    return await completeSignIn(deps, visitor, user, 'CREATED_ACCOUNT', ['passkey'])
  })
}

type LinkDeps = Pick<AppDeps, 'db' | 'clock' | 'accountDeletions'>

async function findInvited(deps: LinkDeps, token: string): Promise<User> {
  const bound = await findToken(deps, 'accept_account', token)
  return await requireInvited(deps, bound && (await findUser(deps.db, bound.user_id)), bound)
}

/**
 * The user while the account still waits for the person at the address to which the link was mailed. A link from before a scheduled deletion does
 * not restore the account: the operator may have mistyped the address, and only operators restore what nobody has used.
 */
async function requireInvited(
  deps: LinkDeps,
  user: User | undefined,
  bound: { email: string; created_at: string } | undefined,
): Promise<User> {
  if (!user || !bound || user.email !== bound.email || !isInvited(user) || user.disabled_at !== null)
    throw problem('invalid_token')
  const deletion = await deps.accountDeletions.requestedAt(deps.db, user.id)
  if (deletion !== undefined && bound.created_at <= deletion) throw problem('invalid_token')
  return user
}

/** Consumes the link, once, and gives the account to the visitor. */
async function takeOver(deps: TransactionDeps, { locale }: AnonymousActor, token: string): Promise<User> {
  const found = await findInvited(deps, token)
  // The user is locked first, as in every change of an account.
  const user = await findUserForUpdate(deps.db, found.id)
  const invited = await requireInvited(deps, user, await consumeToken(deps, 'accept_account', token))
  return await takeOverAccount(deps, invited, locale)
}
