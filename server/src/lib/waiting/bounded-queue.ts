import { problem } from '@vrata/contract'

/**
 * `patience`: milliseconds that a task waits at most. On a slow machine a number alone would not limit the time.
 */
export type QueueLimits = { atOnce: number; waiting: number; patience?: number }

/**
 * Runs at most `atOnce` tasks at the same time and queues at most `waiting`; rejects further ones, and those that have waited too
 * long, with `unavailable`.
 */
export class BoundedQueue {
  readonly #waiting = new Set<() => void>()
  readonly #limits: QueueLimits
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      // The slot is passed on directly, so that no later task overtakes the queue.
      const [next] = this.#waiting
      if (next) next()
      else this.#running -= 1
    }
  }

  #turn(): Promise<void> {
    const { waiting, patience } = this.#limits
    if (this.#waiting.size >= waiting) throw unavailable()
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin)
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(begin)
        reject(unavailable())
      }
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience)
      this.#waiting.add(begin)
    })
  }
}

function unavailable(): Error {
  return problem('unavailable', { retry_after: 2 })
}
