import { problem } from '@vrata/contract'
import type { Db, Guard } from '../../../db/open.ts'
import { timeAfter, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor } from '../../../http/actors.ts'
import { hashToken } from '../../../lib/ids.ts'
import { loginKey } from '../../account/public.ts'
import { deleteAttemptsOfUser } from '../otp/otp-attempts.ts'
import * as store from './throttle-store.ts'

/**
 * Wrong passwords are throttled per account, because addresses are cheap (security §6.1.1, decision 0015):
 * ten failures are free, then each one doubles the delay, and after a hundred consecutive ones a new password is required.
 */
const FREE_FAILURES = 10
export const MAX_WAIT = 15 * 60
const MAX_FAILURES = 100
const NEVER = '9999-12-31T23:59:59.999Z'

declare const keyed: unique symbol
/** Key of a counter of failures. */
export type ThrottleKey = string & { [keyed]: true }

const UNKNOWN = 'nobody'
export const throttleKey = {
  /** Sign-ins from unknown browsers: one counter for user name and email address. */
  account: (user_id: string) => `${store.ACCOUNT_PREFIX}${user_id}` as ThrottleKey,
  /** Sign-ins from a known device, which failures in other browsers cannot lock out. */
  device: (user_id: string, device_hash: string) => `${store.DEVICE_PREFIX}${user_id}:${device_hash}` as ThrottleKey,
  /** Reauthentication, which a stolen session could use for guessing. */
  session: (user_id: string) => `session:${user_id}` as ThrottleKey,
  /** User codes of the device authorization grant (RFC 8628 §5.1). */
  code: (user_id: string) => `code:${user_id}` as ThrottleKey,
  /** Sign-ins with an unknown name, throttled like those of an account (security §6.3.8). */
  unknownLogin: (login: string) => `${UNKNOWN}:${hashToken(loginKey(login))}` as ThrottleKey,
}

type Guess = { key: ThrottleKey; hash: string | null | undefined; password: string }

/** `verifyUnblockedPassword` after `checkThrottle`. */
export async function verifyPassword(app: AppDeps, guess: Guess, from: AnonymousActor): Promise<boolean> {
  await checkThrottle(app, guess.key)
  return await verifyUnblockedPassword(app, guess, from)
}

/**
 * Verifies a password and counts a wrong one on `key`, which the caller has checked. Takes the same time without a hash. After a
 * correct password the caller calls `clearFailures` in the transaction that relies on it. Throws `too_many_requests`.
 */
export async function verifyUnblockedPassword(
  app: AppDeps,
  { key, hash, password }: Guess,
  from: AnonymousActor,
): Promise<boolean> {
  const valid = await (hash ? app.passwords.verify(hash, password) : app.passwords.verifyNothing(password))
  if (!valid) await app.transaction((deps) => countFailure(deps, key, from))
  return valid
}

/**
 * Resets the counter after a correct password. Throws `too_many_requests` when the key was blocked during verification, so
 * that concurrent guesses are limited like sequential ones. A caller that locks the user does so before (decision 0012).
 */
export async function clearFailures(deps: TransactionDeps, key: ThrottleKey): Promise<void> {
  const throttle = await store.findThrottleForUpdate(deps.db, key)
  if (!throttle) return
  throwIfBlocked(deps, throttle)
  await store.deleteThrottle(deps.db, key)
}

/**
 * `clearFailures` as a guard of `GuardedWrites`. Where the key had no counter before the password was verified (`isCounted`), as mostly, nothing is to be
 * deleted, and the guard does not hold when it has one by now.
 */
export function clearedFailuresGuard(
  { clock }: Pick<AppDeps, 'clock'>,
  { key, isCounted }: { key: ThrottleKey; isCounted: boolean },
): Guard {
  return isCounted ? store.deletedThrottleGuard(key, toTime(clock.now())) : store.withoutThrottleGuard(key)
}

/** Deletes all counters of the user, those of known devices included. */
export async function deleteThrottlesOfUser(db: Db, user_id: string): Promise<void> {
  const keys = [throttleKey.account(user_id), throttleKey.session(user_id), throttleKey.code(user_id)]
  await store.deleteThrottles(db, keys, throttleKey.device(user_id, ''))
  await deleteAttemptsOfUser(db, user_id)
}

/** Throws `too_many_requests` while the key is blocked. Called before another guessable value is looked up. */
export async function checkThrottle(app: AppDeps, key: ThrottleKey): Promise<void> {
  throwIfBlocked(app, await store.findThrottle(app.db, key))
}

/** Counts a wrong value. */
export async function countFailedAttempt(app: AppDeps, key: ThrottleKey, from: AnonymousActor): Promise<void> {
  await app.transaction((deps) => countFailure(deps, key, from))
}

async function countFailure(deps: TransactionDeps, key: ThrottleKey, from: AnonymousActor): Promise<void> {
  const now = deps.clock.now()
  const failures = await store.upsertFailure(deps.db, key, toTime(now))
  if (failures === undefined) throwIfBlocked(deps, await store.findThrottle(deps.db, key))
  else if (failures >= FREE_FAILURES) {
    await store.updateBlockedUntil(deps.db, key, blockedUntil(now, failures))
    const type = REPORTED.get(failures)
    if (type) await deps.emit('security_event', { type, user_id: userOf(key), from })
  }
}

/** Events once per row of failures, so that guessing does not fill the audit log. */
const REPORTED: ReadonlyMap<number, 'password_throttled' | 'password_locked'> = new Map([
  [FREE_FAILURES, 'password_throttled'],
  [MAX_FAILURES, 'password_locked'],
])

/** The user of a key; null for an unknown name. */
function userOf(key: ThrottleKey): string | null {
  const [kind, user_id] = key.split(':')
  return kind === UNKNOWN || user_id === undefined ? null : user_id
}

function blockedUntil(now: Date, failures: number): string {
  return failures >= MAX_FAILURES ? NEVER : timeAfter(now, Math.min(MAX_WAIT, 2 ** (failures - FREE_FAILURES)))
}

/** Throws `too_many_requests` with the seconds to wait while the counter is blocked. */
export function throwIfBlocked(
  deps: Pick<AppDeps, 'clock'>,
  throttle: { blocked_until: string | null } | undefined,
): void {
  if (!throttle?.blocked_until) return
  const wait = (Date.parse(throttle.blocked_until) - deps.clock.now().getTime()) / 1000
  if (wait <= 0) return
  const seconds = Math.ceil(Math.min(wait, MAX_WAIT))
  throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
}

const RETENTION = 30 * 24 * 60 * 60

/** Counters of accounts are kept: the limit of consecutive failures has no time limit (NIST SP 800-63B §3.2.2). */
export async function pruneThrottles(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteOldThrottles(deps.db, store.ACCOUNT_PREFIX, timeAfter(deps.clock.now(), -RETENTION), limit)
}
