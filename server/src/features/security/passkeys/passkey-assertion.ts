import { LIFETIMES, type PasskeyAssertion } from '@vrata/contract'
import { challengeOf, relyingParty, userHandleOf, verifyProof } from '../../../adapters/passkeys.ts'
import type { PasskeyChallengesTable, PasskeysTable } from '../../../db/schema.ts'
import { timeAfter, toFlag, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor } from '../../../http/actors.ts'
import { hashToken } from '../../../lib/ids.ts'
import { ensureDeviceCookie } from '../device-cookie.ts'
import * as store from './passkey-store.ts'

/** Purpose and user of a challenge. The user is null at sign-in, where the passkey identifies them. */
export interface ChallengeContext {
  purpose: PasskeyChallengesTable['purpose']
  user_id: string | null
}

/** Stores the hash of a challenge, bound to this browser. */
export async function createChallenge(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  context: ChallengeContext,
  challenge: string,
) {
  await store.insertChallenge(deps.db, {
    ...context,
    challenge_hash: hashToken(challenge),
    browser_hash: ensureDeviceCookie(visitor),
    expires_at: timeAfter(deps.clock.now(), LIFETIMES.passkey_challenge),
  })
}

/** Consumes a challenge in the caller's transaction. Returns false when this browser does not have it, or no longer. */
export async function consumeChallenge(
  { db, clock }: Pick<TransactionDeps, 'db' | 'clock'>,
  key: store.ChallengeKey,
): Promise<boolean> {
  return await store.consumeChallenge(db, key, toTime(clock.now()))
}

/** Whether this browser has the challenge. */
export async function hasChallenge(
  { db, clock }: Pick<AppDeps, 'db' | 'clock'>,
  key: store.ChallengeKey,
): Promise<boolean> {
  return await store.hasChallenge(db, key, toTime(clock.now()))
}

/** Where a challenge is stored. */
export function challengeKey(
  visitor: AnonymousActor,
  context: ChallengeContext,
  challenge: string,
): store.ChallengeKey {
  return { ...context, challenge_hash: hashToken(challenge), browser_hash: ensureDeviceCookie(visitor) }
}

/** A verified assertion. The caller calls `recordPasskeyUse` in the transaction that relies on it. */
export interface VerifiedPasskey {
  challenge: store.ChallengeKey
  passkey: PasskeysTable
  counter: number
  backed_up: boolean
}

/**
 * Verifies an assertion (WebAuthn §7.2). Returns undefined when it is invalid, and consumes its challenge; the log states the reason. That of a
 * valid one is consumed by the transaction that relies on it: a step that is refused because another tab has just refreshed is repeated with the
 * same assertion (decision 0023).
 */
export async function verifyPasskey(
  app: AppDeps,
  visitor: AnonymousActor,
  context: ChallengeContext,
  response: PasskeyAssertion,
): Promise<VerifiedPasskey | undefined> {
  const challenge = challengeOf(response) ?? ''
  const key = challengeKey(visitor, context, challenge)
  if (!(await hasChallenge(app, key))) return logRejection(app, context, 'unknown challenge')
  const verified = await verifyAssertion(app, context, challenge, response)
  if (verified) return { ...verified, challenge: key }
  await app.transaction((deps) => consumeChallenge(deps, key))
  return undefined
}

function logRejection({ log }: Pick<AppDeps, 'log'>, { purpose }: ChallengeContext, reason: string): undefined {
  log.info({ reason, purpose }, 'passkey rejected')
}

async function verifyAssertion(
  app: AppDeps,
  context: ChallengeContext,
  challenge: string,
  response: PasskeyAssertion,
): Promise<Omit<VerifiedPasskey, 'challenge'> | undefined> {
  const reject = (reason: string) => logRejection(app, context, reason)
  const passkey = await store.findPasskey(app.db, response.id)
  if (!passkey) return reject('unknown credential')
  const handle = userHandleOf(response)
  // A discoverable credential must return its user handle; others may omit it (WebAuthn §7.2, step 6).
  if (handle === undefined ? context.user_id === null : handle !== passkey.user_id) return reject('wrong user handle')
  if (context.user_id !== null && context.user_id !== passkey.user_id) return reject('passkey of another user')
  const verified = await verifyProof(relyingParty(app.config.url), challenge, response, {
    credential_id: passkey.credential_id,
    public_key: passkey.public_key,
    synced: passkey.synced === 1,
  })
  if (verified.rejection !== undefined) return reject(verified.rejection)
  const { counter, backed_up } = verified.key
  if (isCopy(Number(passkey.counter), counter)) {
    app.log.warn(
      { passkey_id: passkey.id, user_id: passkey.user_id },
      'the signature counter of a passkey decreased: there may be a copy of it',
    )
    return undefined
  }
  return { passkey, counter, backed_up }
}

/** Signature counters increase, except those of synced passkeys, which stay 0 (WebAuthn §6.1.1). */
function isCopy(before: number, now: number): boolean {
  return (before > 0 || now > 0) && now <= before
}

/**
 * Consumes the challenge and updates counter and last use in the caller's transaction. Returns false when the challenge or the passkey was used
 * meanwhile, or the passkey was removed.
 */
export async function recordPasskeyUse(
  deps: TransactionDeps,
  { challenge, passkey, counter, backed_up }: VerifiedPasskey,
): Promise<boolean> {
  if (!(await consumeChallenge(deps, challenge))) return false
  return await store.updatePasskeyUse(deps.db, passkey, {
    counter: String(counter),
    backed_up: toFlag(backed_up),
    last_used_at: toTime(deps.clock.now()),
  })
}

export async function pruneChallenges(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteExpiredChallenges(deps.db, toTime(deps.clock.now()), limit)
}
