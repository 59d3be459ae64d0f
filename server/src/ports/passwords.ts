import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { BoundedQueue } from './bounded-queue.ts'

/**
 * Argon2id (RFC 9106) of passwords, never more at once than leaves the server a core to answer with. When too many wait,
 * the call fails with the problem `unavailable`.
 */
export interface Passwords {
  /** A PHC string, with its own random salt. */
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** As long as `verify`, for an account that does not exist: time must not tell which accounts do (security.md 6.3.8). */
  verifyNothing(password: string): Promise<false>
  /** True when it was made with weaker settings than today's; hash again at the next sign-in. */
  needsRehash(hash: string): boolean
}

/** OWASP's first choice for two cores: 19 MiB, two passes, one lane; about 8 ms (performance.md §1, decision 0013). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash of nothing: random salt and result in the form of a real one. */
const NOTHING = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$2nVn2pSQ8C1dGx0Zt4yB0g$Qb1mS5rJ1yZcV9vJ8m3QeYw1l5xg0d0JmWm0kq3cGzE`

/** At about 120 a second this is a wait of two seconds, after which a person would try again anyway. */
const WAITING = 256

export function passwords(atOnce = Math.max(1, availableParallelism() - 1)): Passwords {
  const queue = new BoundedQueue({ atOnce, waiting: WAITING })
  return {
    hash: (password) => queue.run(() => hash(normalised(password), COST)),
    verify: (stored, password) => queue.run(() => verify(stored, normalised(password))),
    async verifyNothing(password) {
      await queue.run(() => verify(NOTHING, normalised(password)))
      return false
    },
    needsRehash(stored) {
      const { memoryCost, timeCost } = parseOptions(stored)
      return memoryCost < COST.memoryCost || timeCost < COST.timeCost
    },
  }
}

/** The same character can be typed in two ways (`č` alone, or `c` and a caron); both must open the same door. */
function normalised(password: string): string {
  return password.normalize('NFC')
}
