import { setTimeout as pause } from 'node:timers/promises'
import { hash, parseOptions } from '@node-rs/argon2'
import { BoundedQueue } from '../../lib/waiting/bounded-queue.ts'
import { type Cost, LEAST_COST } from './cost.ts'
import { hashBatches } from './hash-batches.ts'

/**
 * Argon2id (RFC 9106) password hashing, with at most (cores − 1) hashes at the same time, and never more than four. Rejects with
 * `unavailable` when the queue is full, or a hash has waited for five seconds to be given to a thread.
 */
export interface Passwords {
  /** A PHC string with a random salt. */
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /**
   * Takes as long as `verify`, for accounts that do not exist, so that timing does not reveal which do (security
   * §6.3.8).
   */
  verifyNothing(password: string): Promise<false>
  /** Whether the hash has weaker settings than the current ones; hashed again at the next sign-in. */
  needsRehash(hash: string): boolean
}

/** A random hash in the format of a real one. */
const hashOfNothing = ({ memoryCost, timeCost, parallelism }: Cost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$2nVn2pSQ8C1dGx0Zt4yB0g$Qb1mS5rJ1yZcV9vJ8m3QeYw1l5xg0d0JmWm0kq3cGzE`

/** Work of a hash with this cost, for comparison with others. */
const workOf = ({ memoryCost, timeCost }: Pick<Cost, 'memoryCost' | 'timeCost'>) => memoryCost * timeCost

/** About two seconds of waiting at 120 hashes a second; on a slower machine the time is the limit, in milliseconds. */
const WAITING = 256
const PATIENCE = 5_000

/** For all servers of the process, as the journeys start them: the threads are those of the process. */
const BATCHES = hashBatches()

/** A lower `cost` is for tests that sign many people in, and `wait` for those of the time that a wrong guess takes. */
export function passwords(
  cost = LEAST_COST,
  argon2 = BATCHES,
  wait: (ms: number) => Promise<unknown> = pause,
): Passwords {
  /** The work of the current cost, or of a dearer hash that was verified: there are some where the cost has been lowered. */
  let mostWork = workOf(cost)
  /** Milliseconds that the last hash with this work took; infinite before the first. */
  let mostMs = Number.POSITIVE_INFINITY
  const queue = new BoundedQueue({ atOnce: argon2.atOnce, waiting: WAITING, patience: PATIENCE })
  const nothing = hashOfNothing(cost)
  const verifyStored = async (stored: string, password: string) => {
    const work = workOf(parseOptions(stored))
    if (work > mostWork) {
      mostWork = work
      mostMs = Number.POSITIVE_INFINITY
    }
    const { right, ms } = await queue.run(() => argon2.verify(stored, normalized(password)))
    if (work === mostWork) mostMs = ms
    // All wrong guesses take as long as the dearest one, whatever hash they are compared with. Its own time, where it is known, has once what
    // the main thread needed to notice the end of a hash; the multiple has it several times.
    else if (!right) await wait(Math.max(0, Math.min(ms * (mostWork / work - 1), mostMs - ms)))
    return right
  }
  return {
    hash: (password) => queue.run(() => argon2.hash(normalized(password), cost)),
    verify: verifyStored,
    async verifyNothing(password) {
      await verifyStored(nothing, password)
      return false
    },
    needsRehash(stored) {
      const { memoryCost, timeCost } = parseOptions(stored)
      return memoryCost < cost.memoryCost || timeCost < cost.timeCost
    },
  }
}

/** Milliseconds of a hash on this machine: the median of five. */
export async function measureHash(cost: Cost): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i += 1) {
    const began = performance.now()
    await hash('measured password', cost)
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[2] ?? 0
}

/** Unicode normalization: `č` and `c` with a caron are the same password. */
function normalized(password: string): string {
  return password.normalize('NFC')
}
