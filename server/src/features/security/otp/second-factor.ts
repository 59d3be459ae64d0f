import { stepOf } from '../../../adapters/totp.ts'
import type { ReadDb } from '../../../db/open.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor } from '../../../http/actors.ts'
import type { User } from '../../account/public.ts'
import { notifyUser } from '../notify-user.ts'
import { type AttemptKey, CODE_LIMITS, clearAttempts, consumeAttempt } from './otp-attempts.ts'
import * as store from './otp-store.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'

/** A one-time password of the authenticator app, or a recovery code. */
export interface SecondFactorInput {
  otp_token?: string | undefined
  recovery_code?: string | undefined
}

/** Wrong codes after which a challenge is void and the user is mailed (security §6.3.5, §6.5). */
export const MAX_ATTEMPTS = 5

export async function isSecondFactorEnabled(db: ReadDb, user_id: string): Promise<boolean> {
  return Boolean((await store.findSeed(db, user_id))?.enabled_at)
}

/** `attempts`: attempts within the hour on the key, including this one. */
export type SecondFactorResult = { valid: boolean; attempts: number }

/**
 * Verifies and consumes a code and counts the attempt on `key`, in the caller's transaction. After a wrong code the caller
 * commits and then throws `invalid_otp`; otherwise the attempt is not counted. Throws `too_many_requests`.
 */
export async function verifySecondFactor(
  deps: TransactionDeps,
  user: User,
  key: AttemptKey,
  input: SecondFactorInput,
  from: AnonymousActor,
): Promise<SecondFactorResult> {
  const seed = await store.findSeed(deps.db, user.id)
  if (!seed?.enabled_at) return { valid: false, attempts: 0 }
  const attempts = await consumeAttempt(deps, key)
  const valid = await isValid(deps, seed, input)
  if (valid) await clearAttempts(deps.db, key)
  else if (attempts === MAX_ATTEMPTS) await notifyUser(deps, user, 'otp_failed', from)
  else if (attempts === CODE_LIMITS.within_hour)
    await deps.emit('security_event', { type: 'codes_throttled', user_id: user.id, from })
  return { valid, attempts }
}

async function isValid(
  deps: TransactionDeps,
  seed: Seed,
  { otp_token, recovery_code }: SecondFactorInput,
): Promise<boolean> {
  if (otp_token === undefined) {
    return recovery_code !== undefined && (await consumeRecoveryCode(deps, seed.user_id, recovery_code))
  }
  const step = stepOf(decryptSeed(deps, seed), otp_token, deps.clock.now())
  return step !== undefined && (await store.consumeStep(deps.db, seed.user_id, step))
}

type Seed = { user_id: string; sealed_seed: string }

/** Returns the seed in base32. It is stored encrypted, with the user id as context. */
export function decryptSeed(deps: Pick<TransactionDeps, 'encryption'>, seed: Seed): string {
  return deps.encryption.decrypt(seed.sealed_seed, encryptionContext(seed.user_id))
}

/** Encrypts the seed of an authenticator app so that it can be decrypted for this user only. */
export function encryptSeed(deps: Pick<TransactionDeps, 'encryption'>, user_id: string, seed: string): string {
  return deps.encryption.encrypt(seed, encryptionContext(user_id))
}

/** Encrypts the seeds with the current secret; returns how many were encrypted with another one. */
export async function resealSeeds(app: Pick<AppDeps, 'transaction'>): Promise<number> {
  let resealed = 0
  let last: string | undefined = ''
  while (last !== undefined) {
    const after: string = last
    last = await app.transaction(async ({ db, encryption }) => {
      const seeds = await store.listSeedsForUpdate(db, after, RESEALED_AT_ONCE)
      for (const { user_id, sealed_seed } of seeds) {
        const sealed = encryption.reseal(sealed_seed, encryptionContext(user_id))
        if (sealed === undefined) continue
        await store.updateSealedSeed(db, user_id, sealed)
        resealed += 1
      }
      return seeds.at(-1)?.user_id
    })
  }
  return resealed
}

/** Rows of one transaction; few, because SQLite has one writer. */
const RESEALED_AT_ONCE = 200

function encryptionContext(user_id: string): string {
  return `otp ${user_id}`
}
