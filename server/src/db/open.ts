import { join } from 'node:path'
import { type CompiledQuery, SelectQueryNode, sql } from 'kysely'
import { type Engine, engineOf } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'
import { type Db, makeHandle, type ReadDb } from './handle.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { PostgresPool } from './postgres.ts'
import { LocalSignals, PostgresSignals, type Signals } from './signals.ts'
import { SqliteConnection } from './sqlite.ts'
import { refuseNesting, type Transact } from './tx.ts'

export type { Db, ReadDb } from './handle.ts'
export type { Listener, Signals } from './signals.ts'
export type { Hook, Transact, TransactionOptions, Tx } from './tx.ts'

/** An open database. */
export interface Store {
  engine: Engine
  /** For single statements outside a transaction; a write resolves when it is committed. */
  db: Db
  /** Sees only what is committed, and cannot write. */
  read: ReadDb
  transaction: Transact
  signals: Signals
  /** Brings the schema up to date; answers the names of the migrations that it ran. */
  migrate(): Promise<string[]>
  pendingMigrations(): Promise<string[]>
  /** Fails when the database does not answer. */
  ping(): Promise<void>
  /** Finishes what is under way, then closes. */
  close(): Promise<void>
}

export type OpenOptions = {
  /** `postgres://…`; SQLite when undefined. */
  url?: string | undefined
  /** Folder of `vrata.sqlite`; made when missing. */
  dataDir: string
  /** Told of errors that have nobody to be thrown at: those of after-commit hooks and of signal listeners. */
  report?: (error: unknown) => void
}

type Opened = Pick<Store, 'db' | 'read' | 'transaction' | 'signals' | 'close'>

/** Opens the database; does not migrate. */
export async function openDatabase({ url, dataDir, report = warn }: OpenOptions): Promise<Store> {
  const engine = engineOf(url)
  const opened = url === undefined ? openSqlite(join(dataDir, FILE), report) : await openPostgres(url, report)
  let closing: Promise<void> | undefined
  return {
    engine,
    ...opened,
    migrate: () => migrate(engine, opened.transaction),
    pendingMigrations: () => pendingMigrations(opened.db),
    ping: async () => void (await opened.read.selectNoFrom(sql.lit(1).as('one')).execute()),
    close: () => (closing ??= opened.close()),
  }
}

/** Name of the SQLite file in the data folder. */
export const FILE = 'vrata.sqlite'

function openSqlite(file: string, report: (error: unknown) => void): Opened {
  const writer = new SqliteConnection(file, 'writer')
  const reader = new SqliteConnection(file, 'reader')
  const group = new GroupCommit(writer, report)
  const read = makeHandle('sqlite', async (query) => reader.run(query))
  return {
    db: makeHandle('sqlite', async <R>(query: CompiledQuery) => {
      if (SelectQueryNode.is(query.query)) return reader.run<R>(query)
      refuseNesting('A write through the store')
      return group.transaction(({ db }) => db.executeQuery<R>(query as CompiledQuery<R>))
    }),
    read,
    transaction: (work, options) => group.transaction(work, options),
    signals: new LocalSignals(report),
    async close() {
      await group.close()
      reader.close()
      writer.close()
    },
  }
}

async function openPostgres(url: string, report: (error: unknown) => void): Promise<Opened> {
  const pool = new PostgresPool(url, report)
  const db = makeHandle('postgres', pool.run)
  const signals = new PostgresSignals(db, report)
  try {
    await signals.listen(pool.sql)
  } catch (error) {
    await pool.close()
    throw error
  }
  return {
    db,
    read: db,
    transaction: (work, options) => pool.transaction(work, options),
    signals,
    close: () => pool.close(),
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
