import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '@vrata/contract'
import type { CompiledQuery, QueryResult } from 'kysely'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { isConnectionLost, isNeverSent, isOvertaken, isWorthRepeating } from './dialect.ts'
import type { RunQuery } from './handle.ts'
import { OpenTransaction, refuseNesting, startHooks, type TransactionOptions, type Tx } from './tx.ts'

const CONNECTIONS = 10
/** More than this many statements and transactions under way and the next one is told to come back. */
const UNDER_WAY = 2000
/** How often work is done again that lost against another transaction, or met a connection that had been broken. */
const REPEATS = CONNECTIONS
/** The same, for work that may have been overtaken; if it is the work's own fault, it fails again. */
const OVERTAKEN = 3
const COUNTED = /^(INSERT|UPDATE|DELETE|MERGE)$/

/**
 * A pool over postgres.js. Statements outside transactions go straight to the pool, which sends several over one
 * connection without waiting for the answers (decision 0011).
 */
export class PostgresPool {
  readonly sql: Sql
  readonly #report: (error: unknown) => void
  #underWay = 0

  constructor(url: string, report: (error: unknown) => void) {
    this.#report = report
    this.sql = postgres(withoutTlsMode(url), {
      max: CONNECTIONS,
      ssl: tlsFor(url),
      connect_timeout: 5,
      // Ten knocks in a quarter of a second hurt nobody, and a database that comes back is found at once.
      backoff: () => 0.05 + Math.random() * 0.2,
      fetch_types: false,
      onnotice: () => {},
      types: {
        // Counts are 64-bit; as on SQLite, they arrive as numbers.
        count: { to: 20, from: [20], serialize: String, parse: Number },
      },
      connection: {
        application_name: 'vrata',
        statement_timeout: 10_000,
        lock_timeout: 5_000,
        idle_in_transaction_session_timeout: 15_000,
      },
    })
  }

  readonly run: RunQuery = (query) => this.#counted(() => repeated(() => runOn(this.sql, query), isNeverSent))

  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    refuseNesting('A transaction')
    return this.#counted(() =>
      repeated(
        () => this.#once(work, options),
        (error, attempt) =>
          isWorthRepeating(error) || isNeverSent(error) || (isOvertaken(error) && attempt <= OVERTAKEN),
      ),
    )
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 5 })
  }

  async #once<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T> {
    const open = new OpenTransaction()
    try {
      const value = await this.sql.begin((sql) =>
        whileConnected(
          open,
          open.perform('postgres', (query) => runOn(sql, query), work, options),
        ),
      )
      startHooks(open.hooks, this.#report)
      return value as T
    } finally {
      // When the connection breaks, `begin` is over before the work is; what the work still sends must not be sent.
      open.abandon()
    }
  }

  async #counted<T>(fn: () => Promise<T>): Promise<T> {
    if (this.#underWay >= UNDER_WAY) throw problem('unavailable', { retry_after: 1 })
    this.#underWay += 1
    try {
      return await fn()
    } finally {
      this.#underWay -= 1
    }
  }
}

async function repeated<T>(
  work: () => Promise<T>,
  isWorthIt: (error: unknown, attempt: number) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt > REPEATS || !isWorthIt(error, attempt)) throw error
      await pause(Math.random() * 10 * attempt)
    }
  }
}

/**
 * Settles like the work, but never once the connection is lost. `begin` itself then rejects; if the work settled as well,
 * the driver would send its `rollback` over a connection that is closed, which ends the process, or that by then serves
 * somebody else.
 */
function whileConnected<T>(open: OpenTransaction, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const isOver = () => open.isAbandoned || isConnectionLost(open.failure)
    work.then(
      (value) => isOver() || resolve(value),
      (error) => isOver() || reject(error),
    )
  })
}

async function runOn<R>(sql: Sql | TransactionSql, query: CompiledQuery): Promise<QueryResult<R>> {
  const rows = await sql.unsafe(query.sql, query.parameters as never[], { prepare: true })
  const changed = COUNTED.test(rows.command)
  return { rows: rows as unknown as R[], numAffectedRows: changed ? BigInt(rows.count) : undefined }
}

/**
 * TLS with a checked certificate to every host but our own (ASVS 12.3); `?sslmode=disable` is for a private network.
 * The weaker modes of libpq, which encrypt without checking whom they talk to, are taken as the strict one.
 */
export function tlsFor(url: string): false | 'verify-full' {
  const { hostname, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === 'disable') return false
  const own = /^(localhost|127\.[\d.]+|\[::1\]|)$/.test(hostname) || decodeURIComponent(hostname).startsWith('/')
  return own && mode === null ? false : 'verify-full'
}

/** The mode is decided above; left in the URL it would be sent to the server as a setting. */
function withoutTlsMode(url: string): string {
  const stripped = new URL(url)
  stripped.searchParams.delete('sslmode')
  return stripped.href
}
