import { join } from 'node:path'
import { type CompiledQuery, SelectQueryNode } from 'kysely'
import type { TraceStatement } from '../lib/tracing.ts'
import { makeHandle } from './compiled-queries/handle.ts'
import { asOneStatement } from './compiled-queries/together.ts'
import { engineOf } from './dialect.ts'
import { databaseTime } from './inspect.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import type { ConnectClient } from './postgres/postgres-client.ts'
import { LocalSignals } from './signals/signals.ts'
import { SqliteConnection } from './sqlite.ts'
import { traced } from './statement-tracing.ts'
import type { Opened, Store } from './store.ts'
import { TIMEOUTS, type Timeouts } from './timeouts.ts'
import { GroupCommit } from './transactions/group-commit.ts'
import { refuseNesting, type StrictOptions } from './transactions/transactions.ts'

export type { Db, ReadDb } from './compiled-queries/handle.ts'
export type { Guard, GuardedWrites, Statement } from './compiled-queries/together.ts'
export type { Listener, Signals } from './signals/signals.ts'
export type { DatabaseLoad, Store } from './store.ts'
export type { Hook, Transact, TransactionOptions, Tx } from './transactions/transactions.ts'

export type OpenOptions = {
  /** `postgres://…`; SQLite when undefined. */
  url?: string | undefined
  /** `postgres://…` that no pooler shares, for LISTEN; the same as `url` when undefined, or a poll behind a pooler. */
  listenUrl?: string | undefined
  /** `postgres://…` of a streaming replica, for reads that may be some seconds old. */
  replicaUrl?: string | undefined
  /** Folder of `vrata.sqlite`; created when missing. */
  dataDir: string
  /** Times of PostgreSQL other than the usual ones, for tests. */
  timeouts?: Partial<Timeouts>
  /** Makes the clients of PostgreSQL instead of `connectClient`, for tests, which use connections again. */
  connect?: ConnectClient | undefined
  /** Receives errors of after-commit hooks and signal listeners, and what an operator should know. */
  report?: (error: unknown) => void
  /** Makes each statement a span of a trace. */
  trace?: TraceStatement | undefined
} & StrictOptions

/** Opens the database; does not migrate. */
export async function openDatabase({
  url,
  listenUrl,
  replicaUrl,
  dataDir,
  timeouts,
  connect,
  report = warn,
  trace,
  ...strict
}: OpenOptions): Promise<Store> {
  const engine = engineOf(url)
  const opened =
    url === undefined
      ? openSqlite(join(dataDir, FILE), report, strict, trace)
      : await (await import('./postgres/open-postgres.ts')).openPostgres(url, {
          listenUrl,
          replicaUrl,
          timeouts: { ...TIMEOUTS, ...timeouts },
          connect,
          report,
          trace,
          ...strict,
        })
  let closing: Promise<void> | undefined
  return {
    engine,
    ...opened,
    // `migrate` opens a transaction for each migration, also for those that are done.
    migrate: async () =>
      (await pendingMigrations(opened.read)).length > 0 ? await migrate(engine, opened.transaction) : [],
    pendingMigrations: () => pendingMigrations(opened.read),
    async ping() {
      opened.check?.()
      return await databaseTime(engine, opened.read)
    },
    close: () => (closing ??= opened.close()),
  }
}

/** Name of the SQLite file in the data folder. */
export const FILE = 'vrata.sqlite'

function openSqlite(
  file: string,
  report: (error: unknown) => void,
  strict: StrictOptions,
  trace: TraceStatement | undefined,
): Opened {
  const writer = new SqliteConnection(file, 'writer')
  const reader = new SqliteConnection(file, 'reader')
  const group = new GroupCommit(writer, report, strict, trace)
  // A commit empties the page cache of all other connections, so selects use the writer while it has no transaction.
  const connectionFor = ({ query }: CompiledQuery) =>
    SelectQueryNode.is(query) && !writer.inTransaction ? writer : reader
  const readRows = traced(async (query) => connectionFor(query).run(query), trace)
  const read = makeHandle('sqlite', readRows)
  return {
    db: makeHandle('sqlite', async <R>(query: CompiledQuery) => {
      if (SelectQueryNode.is(query.query)) return readRows<R>(query)
      refuseNesting('A write through the store')
      return group.transaction(({ db }) => db.executeQuery<R>(query as CompiledQuery<R>))
    }),
    read,
    longReads: read,
    replica: undefined,
    transaction: (work, options) => group.transaction(work, options),
    together: (guarded) => {
      const run = () => group.together(read, guarded)
      return trace ? trace(asOneStatement(read, guarded).sql, run) : run()
    },
    withNextCommit: (write) => {
      const run = () => group.withNextCommit(read, write)
      return trace ? trace(write.compiled(read).sql, run) : run()
    },
    signals: new LocalSignals(report),
    check: () => writer.refuseOtherFile(),
    // SQLite has one writer; reads are done at once.
    load: () => ({ operations: group.waiting, connections: 1 }),
    async close() {
      await group.close()
      reader.close()
      writer.close()
    },
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
