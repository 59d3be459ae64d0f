import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../compiled-queries/handle.ts'
import type { Timeouts } from '../timeouts.ts'
import { currentTransaction, type OpenTransaction } from '../transactions/transactions.ts'
import { LocalSignals } from './signals.ts'
import { insertSignal, type Signal } from './signals-store.ts'

/** Own signals of which listeners have been told and that have not come from the database yet, or the other way around. */
const MOST_TOLD = 1000

/** Signals announced by open transactions. */
const announced = new WeakMap<OpenTransaction, Set<string>>()

/**
 * Signals of several processes. The sending process calls its own listeners directly after the commit, or when its signal comes from the
 * database: a commit whose answer is lost or late may still take place.
 */
export abstract class SharedSignals extends LocalSignals {
  protected readonly self = randomUUID()
  protected readonly db: Db
  protected readonly timeouts: Timeouts
  readonly #told = new LRUCache<string, true>({ max: MOST_TOLD })
  /** Since when signals of other processes do not arrive. */
  #missingSince: number | undefined
  #isReported = false

  constructor(db: Db, report: (error: unknown) => void, timeouts: Timeouts) {
    super(report)
    this.db = db
    this.timeouts = timeouts
  }

  abstract close(): Promise<void>

  override get maxAge(): number {
    return this.#missingSince === undefined ? 60_000 : super.maxAge
  }

  override get missing(): number {
    return this.#missingSince === undefined ? 0 : (performance.now() - this.#missingSince) / 1000
  }

  override async announce(channel: string, payload: string): Promise<void> {
    const current = currentTransaction()
    if (current && isRepeated(current, `${channel} ${payload}`)) return
    const signal = { id: randomUUID(), from: this.self, channel, payload }
    await insertSignal(current?.db ?? this.db, signal)
    if (current) current.hooks.push(() => this.deliver(signal))
    else this.deliver(signal)
  }

  /** Calls the listeners of each announced signal, once per announcement. */
  protected deliver({ id, from, channel, payload }: Signal): void {
    const isOwn = from === this.self
    if (isOwn && this.#told.delete(id)) return
    if (isOwn) this.#told.set(id, true)
    this.tell(channel, payload)
  }

  /** Signals of other processes arrive. */
  protected noteArrival(): void {
    this.#missingSince = undefined
    this.#isReported = false
  }

  /** They do not. Reports the error of an attempt to receive them, once, when that lasts. */
  protected noteAbsence(error?: unknown): void {
    const now = performance.now()
    this.#missingSince ??= now
    if (error === undefined || this.#isReported || now - this.#missingSince < this.timeouts.signals) return
    this.#isReported = true
    this.report(new Error('Signals of other servers do not arrive', { cause: error }))
  }
}

/** Whether the transaction has announced the same before: once is enough. */
function isRepeated(transaction: OpenTransaction, text: string): boolean {
  const before = announced.get(transaction) ?? new Set()
  announced.set(transaction, before)
  if (before.has(text)) return true
  before.add(text)
  return false
}
