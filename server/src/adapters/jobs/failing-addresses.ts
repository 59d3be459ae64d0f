import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'
import { GiveUp, retryDelay, TryAgain } from './runner.ts'

const MAX_ENTRIES = 1000
/** Seconds for which an address is left alone at most. */
const LONGEST_PAUSE = 60

/**
 * Addresses of apps that have failed, in this process. Each attempt of a job takes up to the time limit of a request while a server hangs, and few jobs
 * run at once: without pauses, the jobs for one app whose server is gone would keep those for others waiting (decision 0049).
 */
export class FailingAddresses {
  readonly #clock: Clock
  readonly #entries = new LRUCache<string, { failures: number; until: number }>({ max: MAX_ENTRIES })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Makes a request. Throws `TryAgain` instead, as long as an earlier one to the same address has failed a moment ago. */
  async attempt<T>(address: string, request: () => Promise<T>): Promise<T> {
    const { failures = 0, until = 0 } = this.#entries.get(address) ?? {}
    if (this.#clock.now().getTime() < until) throw new TryAgain('the address has failed a moment ago')
    // One attempt finds out whether the server is back.
    if (failures > 0) this.#pause(address, failures)
    try {
      const done = await request()
      this.#entries.delete(address)
      return done
    } catch (error) {
      if (error instanceof GiveUp) this.#entries.delete(address)
      else this.#pause(address, failures + 1)
      throw error
    }
  }

  #pause(address: string, failures: number): void {
    const pause = Math.min(retryDelay(failures), LONGEST_PAUSE)
    this.#entries.set(address, { failures, until: this.#clock.now().getTime() + pause * 1000 })
  }
}
