import type { Sql, TransactionSql } from 'postgres'
import { connectClient } from '../postgres/postgres-client.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { type Row, selectAll, type TableShape } from './tables.ts'

/** One connection for a long transaction of a command; behind a pooler, too. */
export function openPostgresConnection(url: string): Sql {
  return connectClient(url, { max: 1, timeouts: TIMEOUTS, pooled: true })
}

/** Statements at the start of a transaction that may take long. */
export const WITHOUT_TIMEOUTS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

/** Reads a table through a cursor, in batches of this many rows. */
export function readRows(tx: TransactionSql, table: TableShape, batch: number): AsyncIterable<Row[]> {
  return tx.unsafe(selectAll(table)).values().cursor(batch) as AsyncIterable<unknown> as AsyncIterable<Row[]>
}
