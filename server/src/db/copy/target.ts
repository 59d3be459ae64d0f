import type { Row, TableShape } from './tables.ts'

/** An empty database that is being filled. Other connections see nothing of it before the end. */
export interface Target {
  /** Runs these migrations, all pending ones when omitted; resolves with the names of those that ran. */
  migrate(names?: readonly string[]): Promise<string[]>
  /** The tables that exist now. */
  tables(): Promise<TableShape[]>
  /** Deletes what migrations have inserted. */
  clear(): Promise<void>
  /** Drops indexes and references, so that rows can be loaded in any order, and quickly. */
  prepare(): Promise<void>
  load(table: TableShape, rows: AsyncIterable<Row[]>): Promise<void>
  /** Creates indexes and references again. Throws `BrokenReference` when a row refers to a missing one. */
  finish(): Promise<void>
  /** Reads a table. */
  each(table: TableShape, take: (row: Row) => void): Promise<void>
}

export type FillOptions = {
  /** A new schema of PostgreSQL in place of that of the connection, for a rehearsal. */
  schema?: string
}

/** The database has tables already. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

/** A row refers to a row that does not exist. */
export class BrokenReference extends Error {
  override name = 'BrokenReference'
}
