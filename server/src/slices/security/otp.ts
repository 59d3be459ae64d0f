import { type InputOf, LIFETIMES, problem, type security } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { qrCode } from '../../ports/qr.ts'
import { newSeed, otpauthUrl, stepOf } from '../../ports/totp.ts'
import { lockUser, type User } from '../account/door.ts'
import { record } from '../activity/door.ts'
import * as store from './otp-store.ts'
import { forgetTries, takeTry, tryKey } from './otp-tries.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { asksSecondFactor, openSeed, proveSecondFactor, sealSeed } from './second-factor.ts'
import { tellOwner } from './tell-owner.ts'

/** api.md §3: PUT /account/enable-otp. Asked again before it is confirmed, it makes a new secret. */
export async function enableOtp(deps: Deps, actor: Person) {
  const user = await owner(deps, actor)
  const secret = newSeed()
  const kept = await store.putSeed(deps.db, {
    user_id: user.id,
    sealed_seed: sealSeed(deps, user.id, secret),
    created_at: toTime(deps.clock.now()),
    enabled_at: null,
    last_step: 0,
  })
  if (!kept) throw problem('otp_already_on')
  const otpauth_url = otpauthUrl(secret, { issuer: 'Vrata', account: user.email })
  return { secret, otpauth_url, qr_code: qrCode(otpauth_url) }
}

/** api.md §3: POST /account/confirm-otp. The code that turns it on is used up by that. */
export async function confirmOtp(open: OpenDeps, actor: Person, { otp_token }: InputOf<typeof security.confirmOtp>) {
  const recovery_codes = await open.transaction(async (deps) => {
    const user = await owner(deps, actor)
    const seed = await waitingSeed(deps, user.id)
    const key = tryKey.session(user.id)
    await takeTry(deps, key)
    const step = stepOf(openSeed(deps, seed), otp_token, deps.clock.now())
    if (step === undefined) return undefined
    if (!(await store.enableSeed(deps.db, seed, step, toTime(deps.clock.now())))) throw problem('otp_already_on')
    await forgetTries(deps.db, key)
    await turned(deps, actor, user, 'on')
    return await makeRecoveryCodes(deps, user.id)
  })
  if (!recovery_codes) throw wrongCode('otp_token')
  return { recovery_codes }
}

async function waitingSeed(deps: Deps, user_id: string) {
  const seed = await store.findSeed(deps.db, user_id)
  if (seed?.enabled_at) throw problem('otp_already_on')
  const earliest = timeAfter(deps.clock.now(), -LIFETIMES.otp_setup)
  if (!seed || seed.created_at < earliest) throw problem('otp_setup_expired')
  return seed
}

/** api.md §3: PUT /account/disable-otp. */
export async function disableOtp(open: OpenDeps, actor: Person, proof: InputOf<typeof security.disableOtp>) {
  const done = await open.transaction(async (deps) => {
    const user = await owner(deps, actor)
    if (!(await asksSecondFactor(deps.db, user.id))) throw problem('otp_not_on')
    const { right } = await proveSecondFactor(deps, user, tryKey.session(user.id), proof)
    if (!right) return false
    await store.deleteSeed(deps.db, user.id)
    await store.deleteCodes(deps.db, user.id)
    await turned(deps, actor, user, 'off')
    return true
  })
  if (!done) throw wrongCode(proof.otp_token === undefined ? 'recovery_code' : 'otp_token')
  return {}
}

/** The same words for whatever was wrong with a code. */
export function wrongCode(field: 'otp_token' | 'recovery_code') {
  return problem('invalid_otp', { fields: { [field]: 'wrong' } })
}

/** Locked, so that no sign-in begins meanwhile by the rules of before. */
async function owner(deps: Deps, actor: Person): Promise<User> {
  const user = await lockUser(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  return user
}

async function turned(deps: Deps, actor: Person, user: User, way: 'on' | 'off'): Promise<void> {
  const { user_id, session_id } = actor
  await record(deps, { type: way === 'on' ? 'ENABLED_OTP' : 'DISABLED_OTP', user_id, from: actor, session_id })
  await deps.tell('second_factor_changed', { user_id, keep: actor })
  await tellOwner(deps, user, way === 'on' ? 'otp_on' : 'otp_off')
}

/** Secrets that nobody confirmed in time. */
export async function pruneSeeds(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteOldSeeds(deps.db, timeAfter(deps.clock.now(), -LIFETIMES.otp_setup), most)
}
