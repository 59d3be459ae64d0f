import type { Db, ReadDb } from './compiled-queries/handle.ts'
import type { GuardedWrites, Statement } from './compiled-queries/together.ts'
import type { Engine } from './dialect.ts'
import type { Signals } from './signals/signals.ts'
import type { Transact } from './transactions/transactions.ts'

/** An open database. */
export interface Store {
  engine: Engine
  /** For single statements outside a transaction; a write resolves after its commit. */
  db: Db
  /** Reads committed data only. */
  read: ReadDb
  /** For lists and statistics, which must not delay short reads. */
  longReads: ReadDb
  /** The same from a replica, which has what was committed some seconds ago; undefined without one. */
  replica: ReadDb | undefined
  transaction: Transact
  /** Runs guarded writes as one transaction. Resolves with false when it has written nothing because a guard does not hold. */
  together(guarded: GuardedWrites): Promise<boolean>
  /** Runs a write for which no request waits: on SQLite with the next commit, within a tenth of a second. */
  withNextCommit(write: Statement): Promise<void>
  signals: Signals
  /** Runs pending migrations; resolves with their names. */
  migrate(): Promise<string[]>
  pendingMigrations(): Promise<string[]>
  load(): DatabaseLoad
  /** The time of the database's machine; undefined when it is this one. Rejects when the database does not answer. */
  ping(): Promise<Date | undefined>
  /** Completes running transactions, then closes. */
  close(): Promise<void>
}

/** How busy the database is from here. */
export type DatabaseLoad = {
  /** Statements and transactions in progress or waiting. */
  operations: number
  /** How many of them can be in progress at once. */
  connections: number
}

/** Result of opening a database, of either kind. */
export type Opened = Pick<
  Store,
  'db' | 'read' | 'longReads' | 'replica' | 'transaction' | 'together' | 'withNextCommit' | 'signals' | 'load' | 'close'
> & {
  /** Throws when the database is not the one that was opened. */
  check?(): void
}
