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
  /** Milliseconds for PostgreSQL to say whether a transaction was committed when its answer was lost, for tests. */
  patience?: number
}

/** The database has tables already. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

/** The database was filled or is empty; nothing that belongs to it may be undone. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
  constructor(options: { cause: unknown }) {
    super(
      'The connection to PostgreSQL was lost at the very end, and it has not answered since: the database is complete or empty, and what was copied besides was kept. Run the command again when PostgreSQL answers; if the database has tables then, it is complete.',
      options,
    )
  }
}

/** A row refers to a row that does not exist. */
export class BrokenReference extends Error {
  override name = 'BrokenReference'
}
