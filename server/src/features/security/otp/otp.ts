import { type InputOf, LIFETIMES, problem, type security } from '@vrata/contract'
import { qrCode } from '../../../adapters/qr-code.ts'
import { newSeed, otpauthUrl, stepOf } from '../../../adapters/totp.ts'
import { timeAfter, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { findUserForUpdate, type User } from '../../account/public.ts'
import { recordActivity } from '../../activity/public.ts'
import { requireConfirmedEmail } from '../email-verification/confirmed-email.ts'
import { notifyUser } from '../notify-user.ts'
import { requireOtherFactor } from '../required-factor.ts'
import { attemptKey, clearAttempts, consumeAttempt } from './otp-attempts.ts'
import * as store from './otp-store.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { decryptSeed, encryptSeed, isSecondFactorEnabled, verifySecondFactor } from './second-factor.ts'

/** Unconfirmed secrets of one user: the newest, and those that other tabs may be showing. */
const SECRETS_AT_ONCE = 3

/**
 * Creates a secret; two-factor authentication is on once a code confirms it (api §3.3). Another tab can still confirm the secret that it shows; the
 * first one that is confirmed replaces the others.
 */
export async function enableOtp(deps: TransactionDeps, actor: UserActor) {
  const user = requireConfirmedEmail(await findActorForUpdate(deps, actor))
  const former = await store.findSeed(deps.db, user.id)
  const secret = newSeed()
  const secrets = [...pendingSecrets(deps, former), secret].slice(-SECRETS_AT_ONCE)
  const inserted = await store.upsertSeed(deps.db, {
    user_id: user.id,
    sealed_seed: encryptSeed(deps, user.id, secrets.join(' ')),
    created_at: toTime(deps.clock.now()),
    enabled_at: null,
    last_step: 0,
  })
  if (!inserted) throw problem('otp_already_on')
  const otpauth_url = otpauthUrl(secret, { issuer: deps.branding.now().name ?? 'Vrata', account: user.email })
  return { secret, otpauth_url, qr_code: qrCode(otpauth_url) }
}

/** Turns two-factor authentication on and consumes the code (api §3.3). */
export async function confirmOtp(app: AppDeps, actor: UserActor, { otp_token }: InputOf<typeof security.confirmOtp>) {
  const recovery_codes = await app.transaction(async (deps) => {
    const user = requireConfirmedEmail(await findActorForUpdate(deps, actor))
    // Signing out everywhere may just have ended the session that asks.
    await deps.liveSessions.require(deps, actor)
    const seed = await store.findSeed(deps.db, user.id)
    if (seed?.enabled_at) throw problem('otp_already_on')
    const secrets = pendingSecrets(deps, seed)
    if (!seed || secrets.length === 0) throw problem('otp_setup_expired')
    const key = attemptKey.session(user.id)
    await consumeAttempt(deps, key)
    const now = deps.clock.now()
    const [confirmed] = secrets.flatMap((secret) => {
      const last_step = stepOf(secret, otp_token, now)
      return last_step === undefined ? [] : [{ sealed_seed: encryptSeed(deps, user.id, secret), last_step }]
    })
    if (!confirmed) return undefined
    if (!(await store.updateSeedEnabled(deps.db, seed, { ...confirmed, enabled_at: toTime(now) })))
      throw problem('otp_already_on')
    await clearAttempts(deps.db, key)
    await recordChange(deps, actor, user, 'on')
    return await createRecoveryCodes(deps, user.id)
  })
  if (!recovery_codes) throw invalidOtp('otp_token')
  return { recovery_codes }
}

/** Secrets that a code can confirm, the oldest first. None once two-factor authentication is on. */
function pendingSecrets(deps: TransactionDeps, seed: Awaited<ReturnType<typeof store.findSeed>>): string[] {
  const earliest = timeAfter(deps.clock.now(), -LIFETIMES.otp_setup)
  return seed?.enabled_at === null && seed.created_at >= earliest ? decryptSeed(deps, seed).split(' ') : []
}

/** Turns two-factor authentication off with a code (api §3.3). */
export async function disableOtp(app: AppDeps, actor: UserActor, input: InputOf<typeof security.disableOtp>) {
  const done = await app.transaction(async (deps) => {
    const user = await findActorForUpdate(deps, actor)
    if (!(await isSecondFactorEnabled(deps.db, user.id))) throw problem('otp_not_on')
    const { valid } = await verifySecondFactor(deps, user, attemptKey.session(user.id), input, actor)
    if (!valid) return false
    await requireOtherFactor(deps, user.id, 'otp')
    await recordChange(deps, actor, user, 'off')
    return true
  })
  if (!done) throw invalidOtp(input.otp_token === undefined ? 'recovery_code' : 'otp_token')
  return {}
}

/** The problem of a wrong, consumed or malformed code. */
export function invalidOtp(field: 'otp_token' | 'recovery_code') {
  return problem('invalid_otp', { fields: { [field]: 'wrong' } })
}

/** Locks the user, so that no concurrent sign-in uses the former second-factor setting. */
async function findActorForUpdate(deps: TransactionDeps, actor: UserActor): Promise<User> {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  return user
}

async function recordChange(deps: TransactionDeps, actor: UserActor, user: User, way: 'on' | 'off'): Promise<void> {
  const { user_id, session_id } = actor
  await recordActivity(deps, { type: way === 'on' ? 'ENABLED_OTP' : 'DISABLED_OTP', user_id, from: actor, session_id })
  await deps.revoke(way === 'on' ? 'second_factor_enabled' : 'second_factor_disabled', { user_id, keep: actor })
  await notifyUser(deps, user, way === 'on' ? 'otp_on' : 'otp_off', actor)
}

/** Deletes secrets that were not confirmed in time. */
export async function pruneSeeds(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteOldSeeds(deps.db, timeAfter(deps.clock.now(), -LIFETIMES.otp_setup), limit)
}
