import type { CompiledQuery, QueryResult } from 'kysely'
import type { Column, PendingValuesQuery, Row, Sql, TransactionSql } from 'postgres'
import { rowsWith, type ToRow } from '../compiled-queries/rows.ts'

/** Members of a query of the driver that its types do not name. `state` is null until it is sent over a connection. */
export type Sent = PendingValuesQuery<Row[]> & {
  parameters: unknown[]
  prepared: boolean
  strings: string[]
  readonly state: { pid: number | null } | null
}

const COUNTED = /^(INSERT|UPDATE|DELETE|MERGE)$/

/** Runs a compiled query over a connection or in a transaction of the driver. */
export async function runOn<R>(sql: Sql | TransactionSql, query: CompiledQuery): Promise<QueryResult<R>> {
  return await answerTo<R>(statementOn(sql, query))
}

/**
 * A compiled query, which is sent when its answer is asked for. The driver finds a prepared statement by its text and the types of the
 * parameters that `unsafe` gets, joined to a new string of several KB for each call. Our parameters have no types, so it gets them afterwards
 * (decision 0011).
 */
export function statementOn(sql: Sql | TransactionSql, query: CompiledQuery): Sent {
  const simple = query.parameters.length === 0
  // Until a statement is prepared, no other one is sent behind it, because that would prepare it again.
  const options = { prepare: true, simple, onexecute: () => simple || sent.prepared }
  const sent = sql.unsafe(query.sql, [], options).values() as Sent
  sent.parameters = query.parameters.map(asGiven)
  return sent
}

/** The answer to a sent statement, as Kysely returns it. */
export async function answerTo<R>(sent: Sent): Promise<QueryResult<R>> {
  const answer = await sent
  const changed = COUNTED.test(answer.command)
  // Several statements in one text have several answers, and no columns.
  const rows = answer.columns ? answer.map(toRowOf(answer.columns)) : []
  return { rows: rows as R[], numAffectedRows: changed ? BigInt(answer.count) : undefined }
}

/** Functions that make rows, by the columns of a prepared statement, which the driver keeps with it. */
const TO_ROW = new WeakMap<readonly Column<string>[], ToRow>()

function toRowOf(columns: readonly Column<string>[]): ToRow {
  const known = TO_ROW.get(columns)
  if (known) return known
  const toRow = rowsWith(columns.map(({ name }) => name))
  TO_ROW.set(columns, toRow)
  return toRow
}

/**
 * The caller does not wait any more. A statement that still waits for a connection does nothing then; the driver cannot take back
 * one that is the first on a new connection.
 */
export function giveUp(sent: Sent): void {
  if (sent.state !== null) return
  sent.strings = ['select']
  sent.parameters = []
}

/** The driver writes `undefined` as a text. */
function asGiven(parameter: unknown): unknown {
  if (parameter === undefined) throw new Error('A parameter of a statement is undefined')
  return parameter
}
