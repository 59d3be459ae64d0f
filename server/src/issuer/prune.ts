import { setImmediate as turn } from 'node:timers/promises'
import { LIFETIMES } from '@vrata/contract'
import { timeAfter, toTime } from '../db/values.ts'
import type { OpenDeps } from '../deps.ts'
import { pruneTokens } from './token-store.ts'
import { pruneWaiting } from './waiting-store.ts'

/** Rows a step: each is a transaction of its own, so that nobody waits long for the one writer. */
const STEP = 500

/**
 * Deletes what has expired: tokens, codes, requests that nobody answered. Spent refresh tokens stay until their own end,
 * since their second use is how a theft is found out;
 * and what waited stays a while, so that a device and its person are told that the code has ended. Answers how many went.
 */
export async function pruneIssuer(deps: OpenDeps): Promise<number> {
  const now = deps.clock.now()
  const rounds = [
    [pruneTokens, toTime(now)],
    [pruneWaiting, timeAfter(now, -LIFETIMES.device_code)],
  ] as const
  let pruned = 0
  for (const [prune, before] of rounds) {
    for (let step = STEP; step === STEP; pruned += step) {
      step = await deps.transaction(({ db }) => prune(db, before, STEP))
      await turn()
    }
  }
  return pruned
}
