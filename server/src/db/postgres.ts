import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '@vrata/contract'
import type { CompiledQuery, QueryResult } from 'kysely'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { isLoopbackHost } from '../lib/loopback.ts'
import type { RunQuery } from './compiled-queries/handle.ts'
import { isConnectionLost, isDeadlock, isNeverSent, isOvertaken, isWorthRepeating } from './dialect.ts'
import {
  OpenTransaction,
  refuseNesting,
  type StrictOptions,
  startHooks,
  type TransactionOptions,
  type Tx,
} from './transactions.ts'

const CONNECTIONS = 10
/** Maximum number of statements and transactions in progress; further ones are rejected with `unavailable`. */
const UNDER_WAY = 2000
/** Attempts after deadlocks, serialization failures and broken connections. */
const REPEATS = CONNECTIONS
/** Attempts after violations that a concurrent transaction may have caused; a violation of its own fails again. */
const OVERTAKEN = 3
const COUNTED = /^(INSERT|UPDATE|DELETE|MERGE)$/

/** A pool over postgres.js. Statements outside transactions are pipelined over its connections (decision 0011). */
export class PostgresPool {
  readonly sql: Sql
  readonly #report: (error: unknown) => void
  readonly #strict: StrictOptions
  #underWay = 0

  constructor(url: string, report: (error: unknown) => void, strict: StrictOptions = {}) {
    this.#report = report
    this.#strict = strict
    this.sql = postgres(withoutTlsMode(url), {
      max: CONNECTIONS,
      ssl: tlsFor(url),
      connect_timeout: 5,
      // Short intervals, so that a restarted database is found at once.
      backoff: () => 0.05 + Math.random() * 0.2,
      fetch_types: false,
      onnotice: () => {},
      types: {
        // Counts are 64-bit; converted to numbers, as on SQLite.
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
        (error, attempt) => {
          if (isDeadlock(error)) this.#strict.onDeadlock?.(error)
          return isWorthRepeating(error) || isNeverSent(error) || (isOvertaken(error) && attempt <= OVERTAKEN)
        },
      ),
    )
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 5 })
  }

  async #once<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T> {
    const open = new OpenTransaction(this.#strict)
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
      // When the connection breaks, `begin` settles before the work does; the rest of the work must not be sent.
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
 * Settles like the work, but never once the connection is lost. `begin` then rejects by itself; if the work settled as
 * well, the driver would send `rollback` over a closed connection, which ends the process, or over a connection that
 * serves another transaction.
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
 * TLS with a verified certificate to every host but loopback (security §12.3); `?sslmode=disable` is for private
 * networks. The weaker modes of libpq, which do not verify the host, are treated as `verify-full`.
 */
export function tlsFor(url: string): false | 'verify-full' {
  const { hostname, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === 'disable') return false
  const own = hostname === '' || isLoopbackHost(hostname) || decodeURIComponent(hostname).startsWith('/')
  return own && mode === null ? false : 'verify-full'
}

/** Removes `sslmode`, which the server would reject as an unknown setting. */
function withoutTlsMode(url: string): string {
  const stripped = new URL(url)
  stripped.searchParams.delete('sslmode')
  return stripped.href
}
