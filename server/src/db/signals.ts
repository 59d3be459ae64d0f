import { randomUUID } from 'node:crypto'
import { sql as rawSql } from 'kysely'
import type { Sql } from 'postgres'
import type { Db } from './compiled-queries/handle.ts'
import { currentTransaction } from './transactions.ts'

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
  /** `payload` has at most 8000 bytes including the envelope and is no secret. */
  announce(channel: string, payload: string): Promise<void>
  /** Returns a function that removes the listener. */
  on(channel: string, listener: Listener): () => void
}

/** The PostgreSQL channel that carries all our channels. */
const WIRE = 'vrata'
type Message = { from: string; channel: string; payload: string }

export class LocalSignals implements Signals {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
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

  protected tell(channel: string, payload: string | undefined): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(payload)
      } catch (error) {
        this.#report(error)
      }
    }
  }

  protected tellEverybodyToForget(): void {
    for (const channel of this.#listeners.keys()) this.tell(channel, undefined)
  }
}

/**
 * LISTEN and NOTIFY. The sending process calls its own listeners directly after the commit; other processes receive the
 * notification.
 */
export class PostgresSignals extends LocalSignals {
  readonly #self = randomUUID()
  readonly #db: Db

  constructor(db: Db, report: (error: unknown) => void) {
    super(report)
    this.#db = db
  }

  /** Resolves when listening has begun. The driver listens again after a lost connection. */
  async listen(pool: Sql): Promise<void> {
    let again = false
    await pool.listen(
      WIRE,
      (text) => {
        const { from, channel, payload } = JSON.parse(text) as Message
        if (from !== this.#self) this.tell(channel, payload)
      },
      () => {
        if (again) this.tellEverybodyToForget()
        again = true
      },
    )
  }

  override async announce(channel: string, payload: string): Promise<void> {
    const message: Message = { from: this.#self, channel, payload }
    const db = currentTransaction()?.db ?? this.#db
    await rawSql`select pg_notify(${WIRE}, ${JSON.stringify(message)})`.execute(db)
    await super.announce(channel, payload)
  }
}
