import { problem } from '@vrata/contract'
import type { Db } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps, ReadDeps } from '../../deps.ts'
import { hashToken } from '../../ports/ids.ts'
import { resetTries } from './otp-tries.ts'
import * as store from './throttle-store.ts'

/**
 * Guessing passwords is bounded per key, not per address, because addresses are cheap (security.md 6.1.1, decision 0041):
 * ten wrong ones are free, then each further one doubles the wait, and after a hundred in a row only a new password helps.
 */
const FREE = 10
const LONGEST_WAIT = 15 * 60
const MOST = 100
/** Later than any clock of ours. */
const NEVER = '9999-12-31T23:59:59.999Z'

declare const keyed: unique symbol
/** What wrong passwords are counted on. */
export type GuessKey = string & { [keyed]: true }

const OF_ACCOUNT = 'user:'
export const guessKey = {
  /** Sign-ins from browsers that the account does not know; one counter, whatever name was typed. */
  account: (user_id: string) => `${OF_ACCOUNT}${user_id}` as GuessKey,
  /** Sign-ins from a browser in which the person has signed in before; strangers cannot lock it out. */
  device: (user_id: string, device_hash: string) => `device:${user_id}:${device_hash}` as GuessKey,
  /** Somebody signed in who proves the password again: a stolen session must not guess either. */
  session: (user_id: string) => `session:${user_id}` as GuessKey,
  /** Codes that devices show. */
  code: (user_id: string) => `code:${user_id}` as GuessKey,
  /** A name that nobody has behaves like one that somebody has. */
  nobody: (login: string) => `nobody:${hashToken(login.toLowerCase())}` as GuessKey,
}

/**
 * Whether the password is the one of `hash`, counting a wrong one on `key`. Takes as long for no hash at all. A right one
 * counts only once `forgetFailures` has agreed, in the transaction of what it opens. Throws `too_many_requests`.
 */
export async function provePassword(
  open: OpenDeps,
  { key, hash, password }: { key: GuessKey; hash: string | null | undefined; password: string },
): Promise<boolean> {
  refuseBlocked(open, await store.findThrottle(open.db, key))
  const right = await (hash ? open.passwords.verify(hash, password) : open.passwords.verifyNothing(password))
  if (!right) await open.transaction((deps) => countFailure(deps, key))
  return right
}

/**
 * The right password came: the count begins anew. Throws `too_many_requests` when the key was blocked while this one was
 * being verified, so that many guesses at once learn no more than one after the other.
 */
export async function forgetFailures(deps: Deps, key: GuessKey): Promise<void> {
  const throttle = await store.lockThrottle(deps.db, key)
  if (!throttle) return
  refuseBlocked(deps, throttle)
  await store.deleteThrottle(deps.db, key)
}

/** After a new password nobody's old guesses count. */
export async function resetThrottle(db: Db, user_id: string): Promise<void> {
  await store.deleteThrottle(db, guessKey.account(user_id))
  await store.deleteThrottle(db, guessKey.session(user_id))
  await resetTries(db, user_id)
}

/** Before something else that can be guessed is looked up. Throws `too_many_requests`. */
export async function refuseGuesser(open: OpenDeps, key: GuessKey): Promise<void> {
  refuseBlocked(open, await store.findThrottle(open.db, key))
}

/** After it was wrong. */
export async function countGuess(open: OpenDeps, key: GuessKey): Promise<void> {
  await open.transaction((deps) => countFailure(deps, key))
}

async function countFailure(deps: Deps, key: GuessKey): Promise<void> {
  const now = deps.clock.now()
  const failures = await store.countFailure(deps.db, key, toTime(now))
  if (failures === undefined) refuseBlocked(deps, await store.findThrottle(deps.db, key))
  else if (failures >= FREE) await store.blockUntil(deps.db, key, blockedUntil(now, failures))
}

function blockedUntil(now: Date, failures: number): string {
  return failures >= MOST ? NEVER : timeAfter(now, Math.min(LONGEST_WAIT, 2 ** (failures - FREE)))
}

function refuseBlocked(deps: Pick<ReadDeps, 'clock'>, throttle: { blocked_until: string | null } | undefined): void {
  if (!throttle?.blocked_until) return
  const wait = (Date.parse(throttle.blocked_until) - deps.clock.now().getTime()) / 1000
  if (wait <= 0) return
  const seconds = Math.ceil(Math.min(wait, LONGEST_WAIT))
  throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
}

const KEPT = 30 * 24 * 60 * 60

/** Counters of accounts stay: a hundred in a row means ever (NIST SP 800-63B §3.2.2). The others age. */
export async function pruneThrottles(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteOldThrottles(deps.db, OF_ACCOUNT, timeAfter(deps.clock.now(), -KEPT), most)
}
