import { type InputOf, paths, problem, type signIn } from '@vrata/contract'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import { queueMail } from '../../adapters/mail/mail.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import {
  findUser,
  findUserByEmail,
  findUserForUpdate,
  greetingName,
  localeOf,
  restartAccount,
  takeOverAccount,
  type User,
} from '../account/public.ts'
import {
  attemptKey,
  checkNewPassword,
  consumeToken,
  findToken,
  invalidOtp,
  isSecondFactorEnabled,
  issueToken,
  MAX_ATTEMPTS,
  maskEmail,
  passwordRules,
  replacePassword,
  type SecondFactorInput,
  verifySecondFactor,
  voidTokens,
} from '../security/public.ts'
import { requireMethod } from './allowed-ways.ts'

/** Kind of the job that mails the link. */
export const FORGOT_PASSWORD_JOB = 'forgot_password'

/** Queues a job that looks the address up, so that the timing does not reveal whether it has an account (api §2.5). */
export async function forgotPassword(
  deps: TransactionDeps,
  _: AnonymousActor,
  { email }: InputOf<typeof signIn.forgotPassword>,
) {
  await requireMethod(deps, 'password')
  await enqueue(deps, FORGOT_PASSWORD_JOB, { email })
  return {}
}

/** Mails the link if the address has an account. Beyond the hourly limit nothing is sent, without an error. */
export function forgotPasswordJob(app: AppDeps): JobHandler {
  return async (payload) => {
    const { email } = payload as { email: string }
    await app.transaction(async (deps) => {
      const found = await findUserByEmail(deps.db, email)
      // Locked, so that requests at the same time neither exceed the hourly limit nor leave two valid links.
      const user = found && (await findUserForUpdate(deps.db, found.id))
      if (user?.email === email && user.disabled_at === null && !(await isGivenUp(deps, user)))
        await sendResetLink(deps, user)
    })
  }
}

/** Mails the link. Returns false when the hourly limit is reached. */
export async function sendResetLink(deps: TransactionDeps, user: User): Promise<boolean> {
  const issued = await issueToken(deps, 'reset_password', { user_id: user.id, email: user.email })
  if (!issued) return false
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'reset_password',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.resetPassword(issued.token)}` },
    expires_at: issued.expires_at,
  })
  return true
}

/** Describes a valid link. Consumes nothing, because mail programs open links (api §2.5, security §18.4). */
export async function checkPasswordLink(
  deps: LinkDeps,
  _: AnonymousActor,
  { token }: InputOf<typeof signIn.checkPasswordLink>,
) {
  const user = await findTokenUser(deps, await findToken(deps, 'reset_password', token))
  return { email: maskEmail(user.email), otp_required: await requiresCode(deps, user) }
}

/**
 * Sets the password and ends all sessions; does not sign in. Two-factor authentication stays on and its code is required
 * (api §2.5, security §6.4.3). An account whose address was never confirmed starts afresh, because a stranger may have
 * registered it; without a password an operator has created it, and nobody has used it.
 */
export async function resetPassword(
  app: AppDeps,
  visitor: AnonymousActor,
  { token, new_password, ...factor }: InputOf<typeof signIn.resetPassword>,
) {
  await requireMethod(app, 'password')
  const user = await findTokenUser(app, await findToken(app, 'reset_password', token))
  checkNewPassword(await passwordRules(app), new_password, user, 'new_password')
  const hash = await app.passwords.hash(new_password)
  // A wrong code is counted and leaves the link unused, so the transaction commits before the error is thrown.
  const valid = await app.transaction(async (deps) => {
    const current = await findUserForUpdate(deps.db, user.id)
    if (!current) throw problem('invalid_token')
    if (!(await verifyIfEnabled(deps, current, factor, visitor))) return false
    const bound = await findTokenUser(deps, await consumeToken(deps, 'reset_password', token))
    const owned = await ownedAccount(deps, visitor, bound, hash)
    await replacePassword(deps, owned, hash, visitor, null)
    return true
  })
  if (!valid) throw invalidOtp(factor.otp_token === undefined ? 'recovery_code' : 'otp_token')
  return {}
}

/** The account with a confirmed address, which the link proves. */
async function ownedAccount(
  deps: TransactionDeps,
  { locale }: AnonymousActor,
  user: User,
  hash: string,
): Promise<User> {
  if (user.email_verified_at !== null) return user
  return user.password_hash === null
    ? await takeOverAccount(deps, user, locale)
    : await restartAccount(deps, user, hash, locale)
}

async function requiresCode({ db }: Pick<AppDeps, 'db'>, user: User): Promise<boolean> {
  return user.email_verified_at !== null && (await isSecondFactorEnabled(db, user.id))
}

/** Requires the second factor where it is on. Every fifth wrong code voids the link (security §6.5.1). */
async function verifyIfEnabled(
  deps: TransactionDeps,
  user: User,
  factor: SecondFactorInput,
  visitor: AnonymousActor,
): Promise<boolean> {
  if (!(await requiresCode(deps, user))) return true
  if (factor.otp_token === undefined && factor.recovery_code === undefined) throw problem('otp_required')
  const { valid, attempts } = await verifySecondFactor(deps, user, attemptKey.link(user.id), factor, visitor)
  if (!valid && attempts % MAX_ATTEMPTS === 0) await voidTokens(deps, 'reset_password', user.id)
  return valid
}

type LinkDeps = Pick<AppDeps, 'db' | 'clock' | 'accountDeletions'>

/**
 * Whether nobody has used the account, and an operator is deleting it. A link to its address, which the operator may have mistyped, does not restore
 * it (operators §9).
 */
async function isGivenUp(deps: Omit<LinkDeps, 'clock'>, { id, email_verified_at, password_hash }: User) {
  if (email_verified_at !== null || password_hash !== null) return false
  return (await deps.accountDeletions.requestedAt(deps.db, id)) !== undefined
}

/** Returns the user of a link while they still have the address to which it was mailed. Throws `invalid_token`. */
async function findTokenUser(
  deps: Omit<LinkDeps, 'clock'>,
  bound: { user_id: string; email: string } | undefined,
): Promise<User> {
  const user = bound && (await findUser(deps.db, bound.user_id))
  if (user?.email !== bound?.email || !user || user.disabled_at !== null) throw problem('invalid_token')
  if (await isGivenUp(deps, user)) throw problem('invalid_token')
  return user
}
