import {
  type DialectAdapter,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Db } from './handle.ts'

/** The only file that asks which engine it is; everybody else writes one query for both. */
export type Engine = 'sqlite' | 'postgres'

export function engineOf(url: string | undefined): Engine {
  return url === undefined ? 'sqlite' : 'postgres'
}

export function adapterOf(engine: Engine): DialectAdapter {
  return engine === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()
}

export function compilerOf(engine: Engine): QueryCompiler {
  return engine === 'sqlite' ? new OneWriterCompiler() : new PostgresQueryCompiler()
}

/**
 * SQLite has one writer, which holds the whole database while it works: `for update` and `skip locked` are true there
 * without being said, and are left out. So a store simply writes `.forUpdate()`, and a queue `.forUpdate().skipLocked()`.
 */
class OneWriterCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(): void {}
}

/** Type of a text column that sorts byte by byte in every database, whose own order may follow a language. */
export function bytewise(db: Kysely<never>) {
  const byLanguage = db.getExecutor().adapter instanceof PostgresAdapter
  return byLanguage ? sql`text collate "C"` : 'text'
}

/** An arbitrary number, the same in every version of the program. */
const MIGRATION_LOCK = 7_283_641

/**
 * Makes the surrounding transaction the only one that migrates, until it ends, however long it takes. On SQLite every
 * transaction is alone already.
 */
export async function lockForMigration(engine: Engine, db: Db): Promise<void> {
  if (engine === 'sqlite') return
  await sql`set local lock_timeout = 0`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db)
}

type DriverError = { code?: unknown; errcode?: unknown; severity?: unknown; cause?: unknown }

/** Numbers of https://www.sqlite.org/rescode.html: SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const SQLITE_UNIQUE = new Set([1555, 2067])
const POSTGRES_UNIQUE = '23505'

/** Did a row with this key stand there already? */
export function isUniqueViolation(error: unknown): boolean {
  if (!isDriverError(error)) return false
  return error.code === POSTGRES_UNIQUE || (typeof error.errcode === 'number' && SQLITE_UNIQUE.has(error.errcode))
}

/** SQLITE_CONSTRAINT_FOREIGNKEY. */
const SQLITE_REFERENCE = 787
const POSTGRES_REFERENCE = '23503'

/** Is a row gone to which this one would have belonged? */
export function isReferenceViolation(error: unknown): boolean {
  return isDriverError(error) && (error.code === POSTGRES_REFERENCE || error.errcode === SQLITE_REFERENCE)
}

/** Primary codes: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE_AWAY = new Set([5, 6, 7, 8, 10, 13, 14])

/** Classes and codes of PostgreSQL's appendix A, the network's errors, and those of postgres.js. */
const POSTGRES_AWAY =
  /^(08...|53...|57P0[1-5]|57014|55P03|25006|ECONN(REFUSED|RESET|ABORTED)|E(TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|ENOENT|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT)$/

/** Is the database away, full or too busy, so that the same call may succeed later (503)? Looks through causes, too. */
export function isUnavailable(error: unknown): boolean {
  if (!isDriverError(error)) return false
  if (error.code === 'ERR_SQLITE_ERROR')
    return typeof error.errcode === 'number' && SQLITE_AWAY.has(error.errcode & 0xff)
  if (typeof error.code === 'string' && POSTGRES_AWAY.test(error.code)) return true
  return error.cause !== undefined && isUnavailable(error.cause)
}

const CONNECTION_LOST = /^(08...|57P0[1-5]|E(CONNRESET|TIMEDOUT|PIPE)|CONNECTION_(CLOSED|ENDED|DESTROYED))$/

/** Is the connection on which this happened of no more use? */
export function isConnectionLost(error: unknown): boolean {
  return isDriverError(error) && typeof error.code === 'string' && CONNECTION_LOST.test(error.code)
}

/**
 * Was this statement never sent? postgres.js keeps the fatal message with which a server ended a connection, and gives it
 * to the first statement that is to go over the connection's successor, instead of sending it. (A statement that was
 * really under way gets the driver's own CONNECTION_CLOSED.) So it can be done again without doing it twice.
 */
export function isNeverSent(error: unknown): boolean {
  return isDriverError(error) && error.severity === 'FATAL' && (error.code === '57P01' || error.code === '57P02')
}

/** Another connection holds the lock; a moment later it may be free. */
export function isBusy(error: unknown): boolean {
  return isDriverError(error) && typeof error.errcode === 'number' && [5, 6].includes(error.errcode & 0xff)
}

/** Two transactions got in each other's way and the engine chose this one as the victim: doing it again is right. */
export function isWorthRepeating(error: unknown): boolean {
  return isDriverError(error) && (error.code === '40001' || error.code === '40P01')
}

/**
 * May another transaction have made or deleted a row since this one looked? Done again, it sees that, and says so in its
 * own words. On SQLite nobody else writes meanwhile.
 */
export function isOvertaken(error: unknown): boolean {
  return isUniqueViolation(error) || isReferenceViolation(error)
}

function isDriverError(error: unknown): error is DriverError {
  return typeof error === 'object' && error !== null
}
