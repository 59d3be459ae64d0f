import { problem } from '@vrata/contract'

/**
 * Runs at most `atOnce` tasks at the same time and queues at most `waiting`; rejects further ones with `unavailable`.
 */
export class BoundedQueue {
  readonly #waiting: Array<() => void> = []
  readonly #limits: { atOnce: number; waiting: number }
  #running = 0

  constructor(limits: { atOnce: number; waiting: number }) {
    this.#limits = limits
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      // The slot is passed on directly, so that no later task overtakes the queue.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting) throw problem('unavailable', { retry_after: 2 })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
