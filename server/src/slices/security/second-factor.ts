import type { ReadDb } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { stepOf } from '../../ports/totp.ts'
import type { User } from '../account/door.ts'
import * as store from './otp-store.ts'
import { forgetTries, type TryKey, takeTry } from './otp-tries.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { tellOwner } from './tell-owner.ts'

/** A code of the authenticator app, or a recovery code. */
export interface FactorProof {
  otp_token?: string | undefined
  recovery_code?: string | undefined
}

/** As many wrong codes as make a challenge worthless, and a mail worth sending (security.md 6.3.5, 6.5). */
export const TRIES = 5

/** Whether this account asks for a second factor. */
export async function asksSecondFactor(db: ReadDb, user_id: string): Promise<boolean> {
  return Boolean((await store.findSeed(db, user_id))?.enabled_at)
}

/** `tries` of the hour on this key, this one counted. */
export type Verdict = { right: boolean; tries: number }

/**
 * Proves and uses up a code, counting the try on `key`, all in the caller's transaction: whoever is told "wrong" must let
 * it commit and throw `invalid_otp` afterwards, or the try was never counted. Throws `too_many_requests`.
 */
export async function proveSecondFactor(deps: Deps, user: User, key: TryKey, proof: FactorProof): Promise<Verdict> {
  const seed = await store.findSeed(deps.db, user.id)
  // There is nothing to guess.
  if (!seed?.enabled_at) return { right: false, tries: 0 }
  const tries = await takeTry(deps, key)
  const right = await isRight(deps, seed, proof)
  if (right) await forgetTries(deps.db, key)
  else if (tries === TRIES) await tellOwner(deps, user, 'otp_failed')
  return { right, tries }
}

async function isRight(deps: Deps, seed: Seed, { otp_token, recovery_code }: FactorProof): Promise<boolean> {
  if (otp_token === undefined) {
    return recovery_code !== undefined && (await useRecoveryCode(deps, seed.user_id, recovery_code))
  }
  const step = stepOf(openSeed(deps, seed), otp_token, deps.clock.now())
  return step !== undefined && (await store.useStep(deps.db, seed.user_id, step))
}

type Seed = { user_id: string; sealed_seed: string }

/** The seed in base32; the database knows it sealed, and for this person only. */
export function openSeed(deps: Pick<Deps, 'sealing'>, seed: Seed): string {
  return deps.sealing.open(seed.sealed_seed, sealingContext(seed.user_id))
}

export function sealSeed(deps: Pick<Deps, 'sealing'>, user_id: string, seed: string): string {
  return deps.sealing.seal(seed, sealingContext(user_id))
}

function sealingContext(user_id: string): string {
  return `otp ${user_id}`
}
