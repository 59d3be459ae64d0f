import { type Cost, LEAST_COST } from '../adapters/passwords/cost.ts'
import { THREADS } from '../adapters/passwords/hash-batches.ts'
import { measureHash } from '../adapters/passwords/passwords.ts'
import type { Config } from '../config/config.ts'

/** Milliseconds that a hash should take: unnoticed in a sign-in, and long for guesses. */
const WANTED = 50
/** Memory is better than passes against hardware for guessing, up to this much for one hash, in KiB. */
const MOST_MEMORY = 65_536
const STEP = 1024

/** Measures the hash of the settings on this machine, and proposes the one that takes about 50 ms. */
export async function describeHash(
  { password_cost }: Pick<Config, 'password_cost'>,
  measure: (cost: Cost) => Promise<number> = measureHash,
): Promise<string> {
  // The first one loads code.
  await measure(LEAST_COST)
  const now = await measure(password_cost)
  const proposed = costWithin(WANTED, await measure(LEAST_COST))
  const then = await measure(proposed)
  const perSecond = Math.floor((1000 / then) * THREADS)
  const memory = Math.ceil((THREADS * proposed.memoryCost) / STEP)
  return `${textOf(password_cost)} takes ${now.toFixed(0)} ms; VRATA_PASSWORD_COST=${textOf(proposed)} takes ${then.toFixed(0)} ms, which allows ${perSecond} sign-ins a second with ${memory} MiB`
}

/** The cost that takes about `wanted` milliseconds: time grows with memory times passes. Never less than the least one. */
export function costWithin(wanted: number, least: number): Cost {
  const units = (wanted / least) * LEAST_COST.memoryCost * LEAST_COST.timeCost
  const memory = Math.floor(units / LEAST_COST.timeCost / STEP) * STEP
  const memoryCost = Math.max(LEAST_COST.memoryCost, Math.min(MOST_MEMORY, memory))
  return {
    memoryCost,
    timeCost: Math.max(LEAST_COST.timeCost, Math.min(20, Math.floor(units / memoryCost))),
    parallelism: 1,
  }
}

function textOf({ memoryCost, timeCost, parallelism }: Cost): string {
  return `m=${memoryCost},t=${timeCost},p=${parallelism}`
}
