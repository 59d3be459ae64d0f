import { setImmediate as turn } from 'node:timers/promises'
import { toTime } from '../db/values.ts'
import type { OpenDeps } from '../deps.ts'
import { pruneTokens } from './token-store.ts'
import { pruneWaiting } from './waiting-store.ts'

/** Rows a step: each is a transaction of its own, so that nobody waits long for the one writer. */
const STEP = 500

/**
 * Deletes what has expired: tokens, codes, requests that nobody answered. Spent refresh tokens stay until their own end,
 * since their second use is how a theft is found out. Answers how many rows went.
 */
export async function pruneIssuer(deps: OpenDeps): Promise<number> {
  const now = toTime(deps.clock.now())
  let pruned = 0
  for (const prune of [pruneTokens, pruneWaiting]) {
    for (let step = STEP; step === STEP; pruned += step) {
      step = await deps.transaction(({ db }) => prune(db, now, STEP))
      await turn()
    }
  }
  return pruned
}
