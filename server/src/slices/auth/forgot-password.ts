import { type auth, type InputOf, problem } from '@vrata/contract'
import type { Deps, OpenDeps, ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { enqueue } from '../../ports/jobs/jobs.ts'
import type { JobHandler } from '../../ports/jobs/runner.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { findUser, findUserByEmail, localeOf, lockUser, type User } from '../account/door.ts'
import {
  adoptPassword,
  asksSecondFactor,
  checkNewPassword,
  consumeToken,
  type FactorProof,
  findToken,
  issueToken,
  masked,
  proveSecondFactor,
  TRIES,
  tryKey,
  voidTokens,
  wrongCode,
} from '../security/door.ts'

/** The kind of job in which a forgotten password's address is looked up. */
export const FORGOT_PASSWORD_JOB = 'forgot_password'

/**
 * api.md §2: POST /auth/forgot-password. Whether the address has an account is found out later, in a job, so that the
 * answer cannot tell by its time.
 */
export async function forgotPassword(deps: Deps, _: Visitor, { email }: InputOf<typeof auth.forgotPassword>) {
  await enqueue(deps, FORGOT_PASSWORD_JOB, { email })
  return {}
}

/** Mails the link, if there is an account to open with it; too many asked for are quietly left out. */
export function forgotPasswordJob(open: OpenDeps): JobHandler {
  return async (payload) => {
    const { email } = payload as { email: string }
    await open.transaction(async (deps) => {
      const user = await findUserByEmail(deps.db, email)
      if (user && user.disabled_at === null) await mailLink(deps, user)
    })
  }
}

async function mailLink(deps: Deps, user: User): Promise<void> {
  const issued = await issueToken(deps, 'reset_password', { user_id: user.id, email: user.email })
  if (!issued) return
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'reset_password',
    values: { name: user.first_name, link: `${deps.config.url}/change-password/${issued.token}` },
    expires_at: issued.expires_at,
  })
}

/** api.md §2: GET /auth/forgot-password/{token}; uses nothing up, since mail programs open links, too. */
export async function checkPasswordLink(deps: ReadDeps, _: Visitor, { token }: InputOf<typeof auth.checkPasswordLink>) {
  const user = await holder(deps, await findToken(deps, 'reset_password', token))
  return { email: masked(user.email), otp_required: await asksSecondFactor(deps.db, user.id) }
}

/**
 * api.md §2: PUT /auth/forgot-password. Every session ends, since whoever knew the old password may have one; nobody is
 * signed in by it. Two-factor authentication stays on, and its code is asked for here, too (security.md 6.4.3).
 */
export async function resetPassword(
  open: OpenDeps,
  visitor: Visitor,
  { token, new_password, ...proof }: InputOf<typeof auth.resetPassword>,
) {
  const user = await holder(open, await findToken(open, 'reset_password', token))
  checkNewPassword(new_password, user, 'new_password')
  const hash = await open.passwords.hash(new_password)
  // A wrong code is refused only after its transaction: its try must stay counted, and the link unused.
  const right = await open.transaction(async (deps) => {
    await lockUser(deps.db, user.id)
    if (!(await secondFactor(deps, user, proof))) return false
    const bound = await consumeToken(deps, 'reset_password', token)
    await adoptPassword(deps, await holder(deps, bound), hash, visitor, null)
    return true
  })
  if (!right) throw wrongCode(proof.otp_token === undefined ? 'recovery_code' : 'otp_token')
  return {}
}

/** A mailbox alone does not open an account that asks for two factors. After five wrong codes its link is void. */
async function secondFactor(deps: Deps, user: User, proof: FactorProof): Promise<boolean> {
  if (!(await asksSecondFactor(deps.db, user.id))) return true
  if (proof.otp_token === undefined && proof.recovery_code === undefined) throw problem('otp_required')
  const { right, tries } = await proveSecondFactor(deps, user, tryKey.link(user.id), proof)
  if (!right && tries % TRIES === 0) await voidTokens(deps, 'reset_password', user.id)
  return right
}

/** The account that a link opens: one that still has the address to which it was mailed. Throws `invalid_token`. */
async function holder(
  deps: Pick<ReadDeps, 'db'>,
  bound: { user_id: string; email: string } | undefined,
): Promise<User> {
  const user = bound && (await findUser(deps.db, bound.user_id))
  if (user?.email !== bound?.email || !user || user.disabled_at !== null) throw problem('invalid_token')
  return user
}
