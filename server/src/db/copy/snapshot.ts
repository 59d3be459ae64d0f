import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { type Db, makeHandle, type ReadDb } from '../compiled-queries/handle.ts'
import { type Engine, isLockTimeout } from '../dialect.ts'
import { appliedNames } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { FILE } from '../open.ts'
import { runOn } from '../postgres/statements.ts'
import { type Database, FORMER_TABLES, TABLES } from '../schema.ts'
import { SqliteConnection } from '../sqlite.ts'
import { longTransaction, readRows, WITHOUT_TIMEOUTS } from './postgres-connection.ts'
import { listTables, quoted, type Row, selectAll, type TableShape } from './tables.ts'

/** The database at one point in time, while others go on writing. */
export interface Snapshot {
  engine: Engine
  /** Names of the migrations that have been applied, sorted. */
  migrations: string[]
  tables: TableShape[]
  /** Names of tables that Vrata has not created; they are left out. */
  others: string[]
  /** For queries of stores; sees the same state as `rows`. */
  db: ReadDb
  /** Reads all rows of a table in batches. Memory does not depend on the size of the table. */
  rows(table: TableShape): AsyncIterable<Row[]>
}

/** Where a database is: at the URL of PostgreSQL, or in the data folder, as SQLite. */
export type DatabaseLocation = { url?: string | undefined; dataDir: string }

/** Rows per batch. */
export const BATCH = 1000

/**
 * Reads a consistent state of the database while servers use it: one read transaction of SQLite's WAL, or of PostgreSQL with
 * repeatable read. Neither blocks a writer; on PostgreSQL migrations wait for its end. Throws when there is no database.
 */
export async function withSnapshot<T>(
  { url, dataDir }: DatabaseLocation,
  work: (snapshot: Snapshot) => Promise<T>,
  options: SnapshotOptions = {},
): Promise<T> {
  if (url === undefined) return await ofSqlite(join(dataDir, FILE), work)
  return await ofPostgres(url, work, options)
}

export type SnapshotOptions = {
  /** The table that `work` reads, so that migrations wait for no other one. */
  only?: keyof Database
  /** Ends the wait for migrations with its reason. */
  interruption?: AbortSignal
}

/** Milliseconds for others to give their tables free. */
const PATIENCE = 600_000
/** Milliseconds between two attempts to lock the tables. */
const AGAIN = 500

async function ofPostgres<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
  { only, interruption }: SnapshotOptions,
): Promise<T> {
  const namesIn = (tables: TableShape[]) =>
    // Tables of others stay out of it: this user may not be allowed to lock them.
    tables.filter((table) => isOfVrata(table) && (only ?? table.name) === table.name).map(({ name }) => name)
  for (const until = performance.now() + PATIENCE; ; await pause(AGAIN)) {
    try {
      const names = namesIn(await longTransaction(url, (tx) => listTables('postgres', handleOf(tx))))
      const read = async (tx: TransactionSql) => {
        await tx.unsafe(WITHOUT_TIMEOUTS)
        await keepTables(tx, names)
        const db = handleOf(tx)
        const snapshot = await describe('postgres', db, (table) => readRows(tx, table, BATCH))
        if (namesIn(snapshot.tables).some((name) => !names.includes(name))) throw new TablesInUse()
        return await work(snapshot)
      }
      return await longTransaction(url, read, 'isolation level repeatable read read only')
    } catch (error) {
      if (!(error instanceof TablesInUse) || performance.now() > until) throw error
      interruption?.throwIfAborted()
    }
  }
}

/**
 * Locks tables so that no migration changes one until the end of the transaction. Does not wait for a migration that changes one now: when that
 * needs another of them, each would wait for the other. PostgreSQL fixes the state that a transaction reads after this statement.
 */
async function keepTables(tx: TransactionSql, names: string[]): Promise<void> {
  if (names.length === 0) return
  try {
    await tx.unsafe(`lock table ${names.map(quoted).join(', ')} in access share mode nowait`)
  } catch (error) {
    throw isLockTimeout(error) ? new TablesInUse({ cause: error }) : error
  }
}

/** A migration changes tables at the moment, or a command of PostgreSQL such as `vacuum full`. */
export class TablesInUse extends Error {
  override name = 'TablesInUse'
  constructor(options?: ErrorOptions) {
    super('A migration, or a command such as VACUUM FULL, has locked tables of the database for ten minutes.', options)
  }
}

const isOfVrata = ({ name }: TableShape) => name in TABLES || FORMER_TABLES.includes(name)
const handleOf = (tx: TransactionSql) => makeHandle('postgres', (query) => runOn(tx, query))

async function ofSqlite<T>(file: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  refuseMissing(file)
  const connection = new SqliteConnection(file, 'reader')
  try {
    const db = makeHandle('sqlite', async (query) => connection.run(query))
    // The first read fixes the state; later writes of others stay invisible until the end.
    connection.execute('begin')
    return await work(await describe('sqlite', db, (table) => batches(connection.iterate(selectAll(table)))))
  } finally {
    connection.close()
  }
}

/** Throws `NoDatabase` when the file does not exist, and the error of the system when this user may not look. */
export function refuseMissing(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })) throw new NoDatabase(`There is no database: ${file} does not exist.`)
}

async function describe(engine: Engine, db: Db, rows: Snapshot['rows']): Promise<Snapshot> {
  const found = await listTables(engine, db)
  const tables = found.filter(isOfVrata)
  if (tables.length === 0) throw new NoDatabase('The database has no tables: no server has been started with it.')
  const applied = [...(await appliedNames(db))].sort()
  const unknown = applied.filter((name) => !(name in migrations))
  if (unknown.length > 0)
    throw new NewerDatabase(`A newer version of Vrata has migrated the database: ${unknown.join(', ')}.`)
  const others = found.filter((table) => !tables.includes(table)).map(({ name }) => name)
  return { engine, db, migrations: applied, tables, others, rows }
}

/** Groups rows into arrays of `BATCH`. */
export async function* batches(rows: Iterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** There is nothing to read. */
export class NoDatabase extends Error {
  override name = 'NoDatabase'
}

/** The database has tables and columns that this version does not know. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}
