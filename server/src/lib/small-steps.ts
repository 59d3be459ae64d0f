import { setTimeout as pause } from 'node:timers/promises'

/** Rows of a step. */
const ROWS = { first: 100, least: 100, most: 500 }
/** Milliseconds that a step may take. */
const WANTED = 4
/** A pause is this many times as long as the step before it, at most so many milliseconds. */
const REST = { times: 4, most: 40 }

/**
 * Runs a step again and again with at most so many rows, until it finds fewer; resolves with the number of rows. Steps are short and
 * apart, because SQLite has one writer and runs on the thread that answers requests: a million rows must not delay them.
 */
export async function inSmallSteps(step: (most: number) => Promise<number>): Promise<number> {
  let total = 0
  for (let most = ROWS.first; ; ) {
    const began = performance.now()
    const done = await step(most)
    total += done
    if (done < most) return total
    const took = performance.now() - began
    await pause(Math.min(took * REST.times, REST.most))
    most = took > WANTED ? Math.max(ROWS.least, most >> 1) : took < WANTED / 2 ? Math.min(ROWS.most, most * 2) : most
  }
}
