import { problem } from '@vrata/contract'
import type { Db } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import * as store from './otp-tries-store.ts'

/**
 * Ten an hour: a guess is right in 3 of 1,000,000 cases, so less than 0.1 % a day (security.md 6.5). A hundred in a row:
 * then only a new password helps (NIST SP 800-63B §3.2.2), for whoever guesses codes knows the old one.
 */
const BOUNDS = { within_hour: 10, in_a_row: 100 }
const HOUR = 60 * 60

declare const keyed: unique symbol
/** What tried codes are counted on. */
export type TryKey = string & { [keyed]: true }

const OF_ACCOUNT = '/account'
export const tryKey = {
  /** Sign-ins from browsers that the account does not know. */
  account: (user_id: string) => `${user_id}${OF_ACCOUNT}` as TryKey,
  /** Sign-ins from a browser in which the person has signed in before; strangers cannot lock it out. */
  device: (user_id: string, device_hash: string) => `${user_id}/device/${device_hash}` as TryKey,
  /** Somebody signed in who proves it again: a stolen session must not guess either. */
  session: (user_id: string) => `${user_id}/session` as TryKey,
  /** Whoever holds the link of a forgotten password. */
  link: (user_id: string) => `${user_id}/link` as TryKey,
}

/** Counts a try and answers which one of the hour it is. Throws `too_many_requests`. */
export async function takeTry(deps: Pick<Deps, 'db' | 'clock'>, key: TryKey): Promise<number> {
  const now = deps.clock.now()
  const times = { now: toTime(now), hour_until: timeAfter(now, HOUR) }
  const taken = await store.takeTry(deps.db, key, BOUNDS, times)
  if (taken) return taken.within_hour
  const until = (await store.findTries(deps.db, key))?.hour_until ?? times.hour_until
  const wait = Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  const seconds = wait > 0 ? wait : HOUR
  throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
}

/** The right code came: the count begins anew. */
export async function forgetTries(db: Db, key: TryKey): Promise<void> {
  await store.deleteTries(db, key)
}

/** After a new password nobody's old guesses count. */
export async function resetTries(db: Db, user_id: string): Promise<void> {
  await store.deleteAllTries(db, `${user_id}/`)
}

const KEPT = 30 * 24 * HOUR

/** Counters of accounts stay: a hundred in a row means ever. The others age. */
export async function pruneTries(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteOldTries(deps.db, OF_ACCOUNT, timeAfter(deps.clock.now(), -KEPT), most)
}
