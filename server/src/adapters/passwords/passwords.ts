import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { BoundedQueue } from '../../lib/bounded-queue.ts'

/**
 * Argon2id (RFC 9106) password hashing, with at most (cores − 1) hashes at the same time. Rejects with `unavailable`
 * when the queue is full.
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

/** `memoryCost` in KiB; passes; lanes. */
type Cost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP's recommendation: 19 MiB, two passes, one lane; about 8 ms (performance §1, decision 0015). */
const COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A random hash in the format of a real one. */
const hashOfNothing = ({ memoryCost, timeCost, parallelism }: Cost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$2nVn2pSQ8C1dGx0Zt4yB0g$Qb1mS5rJ1yZcV9vJ8m3QeYw1l5xg0d0JmWm0kq3cGzE`

/** About two seconds of waiting at 120 hashes a second. */
const WAITING = 256

/** A lower `cost` is for tests that sign many people in. */
export function passwords(cost = COST): Passwords {
  const queue = new BoundedQueue({ atOnce: Math.max(1, availableParallelism() - 1), waiting: WAITING })
  const nothing = hashOfNothing(cost)
  return {
    hash: (password) => queue.run(() => hash(normalised(password), cost)),
    verify: (stored, password) => queue.run(() => verify(stored, normalised(password))),
    async verifyNothing(password) {
      await queue.run(() => verify(nothing, normalised(password)))
      return false
    },
    needsRehash(stored) {
      const { memoryCost, timeCost } = parseOptions(stored)
      return memoryCost < cost.memoryCost || timeCost < cost.timeCost
    },
  }
}

/** Unicode normalization: `č` and `c` with a caron are the same password. */
function normalised(password: string): string {
  return password.normalize('NFC')
}
