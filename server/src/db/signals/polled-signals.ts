import { setTimeout as pause } from 'node:timers/promises'
import { SharedSignals } from './shared-signals.ts'
import type { Listener } from './signals.ts'
import { deleteSignals, listSignals, upsertPolledUntil } from './signals-store.ts'

/** Milliseconds between two questions. */
const EVERY = 400
/** Seconds for which a row can be found. Longer than a transaction, whose rows appear with its commit. */
const WINDOW = 20
/** Seconds without an answer after which rows may have been missed. */
const MISSED = WINDOW - 10
/** Seconds after which rows are deleted. */
const KEPT = 60
/** Milliseconds between renewals of the request to keep rows, and between deletions. */
const RENEWED = 20_000

/**
 * Signals behind a pooler that gives each transaction another connection, so that LISTEN has no effect: reads the rows of
 * other processes. Begins with the first listener; a process that only announces reads nothing.
 */
export class PolledSignals extends SharedSignals {
  readonly #seen = new Map<string, number>()
  readonly #closing = new AbortController()
  #polling: Promise<void> | undefined

  override on(channel: string, listener: Listener): () => void {
    this.#polling ??= this.#poll()
    return super.on(channel, listener)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#polling
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing
    const began = performance.now()
    let answered = began
    let renewed = Number.NEGATIVE_INFINITY
    // What was announced before this process asked for rows, and committed later, is in no row.
    let isComplete: boolean = false
    while (!signal.aborted) {
      try {
        if (performance.now() - renewed > RENEWED) {
          await upsertPolledUntil(this.db, KEPT)
          await deleteSignals(this.db, KEPT)
          renewed = performance.now()
        }
        const asked = performance.now()
        await this.#deliver()
        const becomesComplete: boolean = !isComplete && asked - began > WINDOW * 1000
        if (becomesComplete || asked - answered > MISSED * 1000) this.tellEverybodyToForget()
        isComplete ||= becomesComplete
        answered = asked
      } catch {
        // The database is unavailable; `answered` tells how long.
      }
      await pause(EVERY, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  async #deliver(): Promise<void> {
    const now = performance.now()
    for (const { id, from, channel, payload } of await listSignals(this.db, WINDOW)) {
      if (this.#seen.has(id)) continue
      this.#seen.set(id, now)
      if (from !== this.self) this.tell(channel, payload)
    }
    for (const [id, at] of this.#seen) {
      if (now - at <= 2 * WINDOW * 1000) break
      this.#seen.delete(id)
    }
  }
}
