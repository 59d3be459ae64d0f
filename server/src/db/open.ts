import { join } from 'node:path'
import { type CompiledQuery, SelectQueryNode, sql } from 'kysely'
import { type Db, makeHandle, type ReadDb } from './compiled-queries/handle.ts'
import { type Engine, engineOf } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { type PoolOptions, PostgresPool } from './postgres.ts'
import { connectClient } from './postgres-client.ts'
import { PostgresSignals } from './postgres-signals.ts'
import { LocalSignals, type Signals } from './signals.ts'
import { SqliteConnection } from './sqlite.ts'
import { TIMEOUTS, type Timeouts } from './timeouts.ts'
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
  /** Times of PostgreSQL other than the usual ones, for tests. */
  timeouts?: Partial<Timeouts>
  /** Receives errors of after-commit hooks and signal listeners, and what an operator should know. */
  report?: (error: unknown) => void
} & StrictOptions

type Opened = Pick<Store, 'db' | 'read' | 'transaction' | 'signals' | 'close'>

/** Opens the database; does not migrate. */
export async function openDatabase({ url, dataDir, timeouts, report = warn, ...strict }: OpenOptions): Promise<Store> {
  const engine = engineOf(url)
  const opened =
    url === undefined
      ? openSqlite(join(dataDir, FILE), report, strict)
      : await openPostgres(url, { timeouts: { ...TIMEOUTS, ...timeouts }, report, ...strict })
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

async function openPostgres(url: string, options: Omit<PoolOptions, 'pooled'>): Promise<Opened> {
  const pool = new PostgresPool(url, { ...options, pooled: false })
  const db = makeHandle('postgres', pool.run)
  const signals = new PostgresSignals(db, options.report)
  const { timeouts } = options
  try {
    await signals.listen((handlers) => connectClient(url, { max: 1, timeouts, pooled: false, ...handlers }), timeouts)
  } catch (error) {
    await pool.close()
    throw error
  }
  return {
    db,
    read: db,
    transaction: (work, options) => pool.transaction(work, options),
    signals,
    async close() {
      await signals.close()
      await pool.close()
    },
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
