import { setTimeout as pause } from 'node:timers/promises'
import { SharedSignals } from './shared-signals.ts'
import type { Listener } from './signals.ts'
import { deleteSignals, listSignals, upsertPolledUntil } from './signals-store.ts'

/** Milliseconds between two questions. */
const EVERY = 400
/**
 * Seconds for which a row can be found. By ten, as long as a transaction may take, longer than the time without an answer after which rows may have
 * been missed (`signals` of the timeouts): rows appear with the commit.
 */
const WINDOW = 20
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
    let began = performance.now()
    let renewed = Number.NEGATIVE_INFINITY
    // A signal that was announced before this process requested rows, but committed later, has no row.
    let isComplete: boolean = false
    // Measured by both clocks: that of this process stops while its machine is suspended, and that of the database can go back.
    let answered = { here: began, there: Number.POSITIVE_INFINITY }
    while (!signal.aborted) {
      try {
        if (performance.now() - renewed > RENEWED) {
          await upsertPolledUntil(this.db, KEPT)
          await deleteSignals(this.db, KEPT)
          renewed = performance.now()
        }
        const asked = { here: performance.now(), there: await this.#deliver() }
        const longest = Math.max(asked.here - answered.here, asked.there - answered.there)
        const becomesComplete: boolean = !isComplete && asked.here - began > WINDOW * 1000
        if (becomesComplete || longest > this.timeouts.signals) this.tellEverybodyToForget()
        isComplete ||= becomesComplete
        if (longest > this.timeouts.signals) {
          // Meanwhile the request to keep rows may have expired.
          began = asked.here
          renewed = Number.NEGATIVE_INFINITY
          isComplete = false
        }
        answered = asked
        this.noteArrival()
      } catch (error) {
        // `answered` has the time of the last answer.
        this.noteAbsence(error)
      }
      await pause(EVERY, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Resolves with the time of the database, in milliseconds. */
  async #deliver(): Promise<number> {
    const now = performance.now()
    const { asked_at, signals } = await listSignals(this.db, WINDOW)
    for (const signal of signals) {
      if (this.#seen.has(signal.id)) continue
      this.#seen.set(signal.id, now)
      this.deliver(signal)
    }
    for (const [id, at] of this.#seen) {
      if (now - at <= 2 * WINDOW * 1000) break
      this.#seen.delete(id)
    }
    return Date.parse(asked_at)
  }
}
