import { problem } from '@vrata/contract'
import type { Db } from '../../../db/open.ts'
import { timeAfter, toTime } from '../../../db/values.ts'
import type { TransactionDeps } from '../../../deps.ts'
import * as store from './otp-attempts-store.ts'

/**
 * Ten per hour: a guess succeeds in 3 of 1,000,000 cases, so less than 0.1 % a day (security §6.5). A hundred consecutive
 * ones: then a new password is required (NIST SP 800-63B §3.2.2), because the attacker knows the old one.
 */
export const CODE_LIMITS = { within_hour: 10, in_a_row: 100 }
const HOUR = 60 * 60

declare const keyed: unique symbol
/** Key of a counter of attempts. */
export type AttemptKey = string & { [keyed]: true }

const ACCOUNT_SUFFIX = '/account'
export const attemptKey = {
  /** Sign-ins from browsers that the account does not know. */
  account: (user_id: string) => `${user_id}${ACCOUNT_SUFFIX}` as AttemptKey,
  /** Sign-ins from a known device, which attempts from other browsers cannot lock out. */
  device: (user_id: string, device_hash: string) => `${user_id}/device/${device_hash}` as AttemptKey,
  /** Reauthentication, which a stolen session could use for guessing. */
  session: (user_id: string) => `${user_id}/session` as AttemptKey,
  /** Password reset by a mailed link. */
  link: (user_id: string) => `${user_id}/link` as AttemptKey,
}

/** Counts an attempt and returns its number within the hour. Throws `too_many_requests`. */
export async function consumeAttempt(deps: Pick<TransactionDeps, 'db' | 'clock'>, key: AttemptKey): Promise<number> {
  const now = deps.clock.now()
  const times = { now: toTime(now), hour_until: timeAfter(now, HOUR) }
  const taken = await store.upsertAttempt(deps.db, key, CODE_LIMITS, times)
  if (taken) return taken.within_hour
  const until = (await store.findAttempts(deps.db, key))?.hour_until ?? times.hour_until
  const wait = Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  const seconds = wait > 0 ? wait : HOUR
  throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
}

/** Resets the counter after a correct code. */
export async function clearAttempts(db: Db, key: AttemptKey): Promise<void> {
  await store.deleteAttempts(db, key)
}

/** Resets all counters of the user after a new password. */
export async function deleteAttemptsOfUser(db: Db, user_id: string): Promise<void> {
  await store.deleteAttemptsByPrefix(db, `${user_id}/`)
}

const RETENTION = 30 * 24 * HOUR

/** Counters of accounts are kept, because the limit of consecutive attempts has no time limit. The others expire. */
export async function pruneAttempts(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteOldAttempts(deps.db, ACCOUNT_SUFFIX, timeAfter(deps.clock.now(), -RETENTION), limit)
}
