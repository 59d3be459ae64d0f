import { randomUUID } from 'node:crypto'
import { sql as rawSql } from 'kysely'
import type { Sql } from 'postgres'
import type { Db } from './handle.ts'
import { currentTransaction } from './tx.ts'

/**
 * Hears what was announced. `undefined` means that announcements may have been missed (the connection was lost): forget
 * everything that was remembered on this channel.
 */
export type Listener = (payload: string | undefined) => void

/**
 * Word between server processes that share a database, such as "keys changed" or "this client changed", for what they
 * keep in memory. Inside a transaction an announcement leaves with its commit, or not at all.
 */
export interface Signals {
  /** `payload` is short (8000 bytes with everything around it) and no secret. */
  announce(channel: string, payload: string): Promise<void>
  /** Returns how to stop listening. */
  on(channel: string, listener: Listener): () => void
}

/** The one channel of PostgreSQL on which all of ours travel. */
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
 * LISTEN and NOTIFY. The announcing process tells its own listeners directly after the commit, the others hear it from
 * the database a moment later.
 */
export class PostgresSignals extends LocalSignals {
  readonly #self = randomUUID()
  readonly #db: Db

  constructor(db: Db, report: (error: unknown) => void) {
    super(report)
    this.#db = db
  }

  /** Resolves when listening has begun. The driver listens again by itself after a lost connection. */
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
