import { currentTransaction } from '../transactions/transactions.ts'

/**
 * Called for each signal. `undefined`: signals may have been missed (the connection was lost), so caches of this
 * channel must be cleared.
 */
export type Listener = (payload: string | undefined) => void

/**
 * Messages between server processes that share a database, such as "keys changed", for invalidating caches. Inside a
 * transaction a signal is sent with its commit.
 */
export interface Signals {
  /** Milliseconds after which a cache is read again, because not every change sends a signal. Shorter while signals do not arrive. */
  readonly maxAge: number
  /** Seconds for which signals of other servers have not arrived; 0 while they do, and without others. */
  readonly missing: number
  /** `payload` has at most 8000 bytes including the envelope and must not contain secrets. */
  announce(channel: string, payload: string): Promise<void>
  /** Calls the listeners of this process only, at once. */
  tell(channel: string, payload: string | undefined): void
  /** Returns a function that removes the listener. */
  on(channel: string, listener: Listener): () => void
}

/** The signals of one process. */
export class LocalSignals implements Signals {
  readonly #listeners = new Map<string, Set<Listener>>()
  protected readonly report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.report = report
  }

  get maxAge(): number {
    // Commands of the same computer also change the database, without a signal.
    return 500
  }

  get missing(): number {
    return 0
  }

  async announce(channel: string, payload: string): Promise<void> {
    const current = currentTransaction()
    if (current) current.hooks.push(() => this.tell(channel, payload))
    else this.tell(channel, payload)
  }

  on(channel: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  tell(channel: string, payload: string | undefined): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(payload)
      } catch (error) {
        this.report(error)
      }
    }
  }

  protected tellEverybodyToForget(): void {
    for (const channel of this.#listeners.keys()) this.tell(channel, undefined)
  }
}
