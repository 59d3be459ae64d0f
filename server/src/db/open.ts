import { join } from 'node:path'
import { type CompiledQuery, SelectQueryNode, sql } from 'kysely'
import { type Db, makeHandle, type ReadDb } from './compiled-queries/handle.ts'
import { type Engine, engineOf } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { PostgresPool } from './postgres.ts'
import { LocalSignals, PostgresSignals, type Signals } from './signals.ts'
import { SqliteConnection } from './sqlite.ts'
import { refuseNesting, type StrictOptions, type Transact } from './transactions.ts'

export type { Db, ReadDb } from './compiled-queries/handle.ts'
export type { Listener, Signals } from './signals.ts'
export type { Hook, Transact, TransactionOptions, Tx } from './transactions.ts'

/** An open database. */
export interface Store {
  engine: Engine
  /** For single statements outside a transaction; a write resolves after its commit. */
  db: Db
  /** Reads committed data only. */
  read: ReadDb
  transaction: Transact
  signals: Signals
  /** Runs pending migrations; resolves with their names. */
  migrate(): Promise<string[]>
  pendingMigrations(): Promise<string[]>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  /** Completes running transactions, then closes. */
  close(): Promise<void>
}

export type OpenOptions = {
  /** `postgres://…`; SQLite when undefined. */
  url?: string | undefined
  /** Folder of `vrata.sqlite`; created when missing. */
  dataDir: string
  /** Receives errors of after-commit hooks and signal listeners. */
  report?: (error: unknown) => void
} & StrictOptions

type Opened = Pick<Store, 'db' | 'read' | 'transaction' | 'signals' | 'close'>

/** Opens the database; does not migrate. */
export async function openDatabase({ url, dataDir, report = warn, ...strict }: OpenOptions): Promise<Store> {
  const engine = engineOf(url)
  const opened =
    url === undefined ? openSqlite(join(dataDir, FILE), report, strict) : await openPostgres(url, report, strict)
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

function openSqlite(file: string, report: (error: unknown) => void, strict: StrictOptions): Opened {
  const writer = new SqliteConnection(file, 'writer')
  const reader = new SqliteConnection(file, 'reader')
  const group = new GroupCommit(writer, report, strict)
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

async function openPostgres(url: string, report: (error: unknown) => void, strict: StrictOptions): Promise<Opened> {
  const pool = new PostgresPool(url, report, strict)
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
