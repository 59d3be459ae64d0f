import type { Sql, TransactionSql } from 'postgres'
import { AnswerTimer } from '../postgres/answer-timer.ts'
import { connectClient } from '../postgres/postgres-client.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { type Row, selectAll, type TableShape } from './tables.ts'

/** One connection for a long transaction of a command; behind a pooler, too. */
export function openPostgresConnection(url: string, onclose?: () => void): Sql {
  return connectClient(url, { max: 1, timeouts: TIMEOUTS, pooled: true, ...(onclose ? { onclose } : {}) })
}

/**
 * Runs one long transaction over a connection of its own. Rejects when the connection is lost, after the work has ended: its next statement throws.
 * The driver would send it, or `rollback`, over the closed connection, which ends the process.
 *
 * @param mode of the transaction, such as `read only`
 */
export async function longTransaction<T>(url: string, work: (tx: TransactionSql) => Promise<T>, mode = ''): Promise<T> {
  let isLost = false
  const sql = openPostgresConnection(url, () => {
    isLost = true
  })
  // Otherwise the driver connects again and again to a proxy that has no server.
  const timer = new AnswerTimer(TIMEOUTS.answer)
  const { promise: hasBegun, resolve: begins } = Promise.withResolvers<void>()
  let working: Promise<T> | undefined
  try {
    const begun = sql.begin(mode, (tx) => {
      if (timer.hasFailed) throw new ConnectionLost()
      begins()
      const unsafe: TransactionSql['unsafe'] = (...statement) => {
        if (isLost) throw new ConnectionLost()
        return tx.unsafe(...statement)
      }
      working = work({ unsafe } as TransactionSql)
      // The promise never settles once the connection is lost; `begin` rejects by itself.
      return new Promise<T>((resolve, reject) => {
        working?.then(
          (value) => isLost || resolve(value),
          (error) => isLost || reject(error),
        )
      })
    })
    await Promise.race([timer.of(Promise.race([hasBegun, begun])), timer.overdue])
    return (await begun) as T
  } catch (error) {
    await working?.catch(() => {})
    throw error
  } finally {
    await sql.end({ timeout: isLost || timer.hasFailed ? 0 : 5 })
  }
}

class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'CONNECTION_CLOSED'
  constructor() {
    super('The connection to PostgreSQL was lost')
  }
}

/**
 * Statements at the start of a transaction that may take long. When its machine vanishes, PostgreSQL ends it after two minutes, and not after the hours
 * that are usual: migrations wait for its locks.
 */
export const WITHOUT_TIMEOUTS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local tcp_keepalives_idle = 60;
  set local tcp_keepalives_interval = 10;
  set local tcp_keepalives_count = 6`

/** Reads a table through a cursor, in batches of this many rows. */
export function readRows(tx: TransactionSql, table: TableShape, batch: number): AsyncIterable<Row[]> {
  return tx.unsafe(selectAll(table)).values().cursor(batch) as AsyncIterable<unknown> as AsyncIterable<Row[]>
}
