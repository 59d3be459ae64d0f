import {
  type DialectAdapter,
  type Kysely,
  LimitNode,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  type SelectModifierNode,
  type SqlBool,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
  ValueNode,
} from 'kysely'
import type { Database } from './schema.ts'
import { HIGHEST } from './search-text.ts'

/** The only file that distinguishes the databases; all other files write one query for both (architecture §6.2). */
export type Engine = 'sqlite' | 'postgres'

/** The kind of database that a `VRATA_DATABASE_URL` names; SQLite without one. */
export function engineOf(url: string | undefined): Engine {
  return url === undefined ? 'sqlite' : 'postgres'
}

/** Adapter of Kysely for a kind of database. */
export function adapterOf(engine: Engine): DialectAdapter {
  return engine === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()
}

/** Query compiler of Kysely for a kind of database. */
export function compilerOf(engine: Engine): QueryCompiler {
  return engine === 'sqlite' ? new OneWriterCompiler() : new PostgresQueryCompiler()
}

/**
 * Omits `for update`, `for share` and `skip locked`, which SQLite does not have and does not need: its one writer locks the
 * whole database. Stores write `.forUpdate()` for both databases.
 */
class OneWriterCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }

  /** A number, not a parameter: the plan depends on it, so SQLite would parse the statement again each time it gets its parameters. */
  protected override visitLimit({ limit }: LimitNode): void {
    const value =
      ValueNode.is(limit) && typeof limit.value === 'number' ? ValueNode.createImmediate(limit.value) : limit
    super.visitLimit(LimitNode.create(value))
  }
}

/** Type of a text column that is ordered by bytes in both databases, not by a locale. */
export function bytewise(db: Kysely<never>) {
  return hasLocales(db) ? sql`text collate "C"` : 'text'
}

function hasLocales(db: { getExecutor(): { adapter: DialectAdapter } }): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Index of a column for `beginsWith`. SQLite uses the index of its primary key or of a unique column. */
export async function indexBeginnings(db: Kysely<never>, table: string, column: string): Promise<void> {
  if (!hasLocales(db)) return
  await sql`create index ${sql.ref(`${table}_beginnings`)} on ${sql.table(table)} (${sql.ref(column)} text_pattern_ops)`.execute(
    db,
  )
}

/**
 * Leaves a part of each page of a table free. A row of which no indexed column changes then stays on its page, and its indexes do not change
 * (PostgreSQL, "Heap-Only Tuples"). Pages that are full already stay as they are. SQLite changes rows where they are.
 */
export async function leaveRoom(db: Kysely<never>, table: string): Promise<void> {
  if (hasLocales(db)) await sql`alter table ${sql.table(table)} set (fillfactor = 85)`.execute(db)
}

/**
 * Whether a column begins with a text. SQLite uses no index for `like`, which ignores case there; PostgreSQL may sort by a locale, in
 * which texts with the same beginning are not side by side.
 */
export function beginsWith(db: Kysely<Database>, column: string, beginning: string) {
  const name = sql.ref(column)
  return hasLocales(db)
    ? sql<SqlBool>`${name} like ${`${beginning.replace(/[\\%_]/g, '\\$&')}%`}`
    : sql<SqlBool>`(${name} >= ${beginning} and ${name} < ${beginning + HIGHEST})`
}

/**
 * Where a row is, so that a statement that has found rows deletes them without looking for their keys. On PostgreSQL a row that
 * another transaction has changed meanwhile is left out.
 */
export function rowAddress(db: Kysely<Database>) {
  return hasLocales(db) ? sql<string>`ctid` : sql<string>`rowid`
}

/** Whether references of a table can be dropped; SQLite copies the table instead. */
export function canDropReferences(db: Kysely<never>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Whether an index stores each key in full. PostgreSQL stores equal ones once. */
export function storesKeysInFull(db: Kysely<never>): boolean {
  return !hasLocales(db)
}

/** An arbitrary number, the same in every version of the program. */
const MIGRATION_LOCK = 7_283_641

/** Schema in which `vrata upgrade --rehearse` works. */
export const REHEARSAL = 'vrata_rehearsal'

/**
 * Milliseconds for which a migration waits for a table: shorter than statements of servers wait for theirs, and longer than PostgreSQL waits until it
 * ends an autovacuum that holds a conflicting lock (`deadlock_timeout`, one second).
 */
const TABLE_LOCK = 2000

/**
 * Locks migrations until the surrounding transaction ends, for as long as others migrate and a statement takes, and lets them read whole tables. A
 * table that others use for long, as a backup does, is not waited for: PostgreSQL would let all later statements on it wait behind the migration.
 * SQLite runs one transaction at a time anyway.
 */
export async function lockForMigration(engine: Engine, db: Kysely<Database>): Promise<void> {
  if (engine === 'sqlite') return
  await sql`set local lock_timeout = 0`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  // A migration may change all rows of a table, which short statements never do.
  await sql`set local enable_seqscan = on`.execute(db)
  // A rehearsal does not hold up servers that start.
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})
    where current_schema() <> ${sql.lit(REHEARSAL)}`.execute(db)
  await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK)}`.execute(db)
}

/** The schema in which tables are created and found; undefined on SQLite. */
export async function currentSchema(engine: Engine, db: Kysely<Database>): Promise<string | undefined> {
  if (engine === 'sqlite') return undefined
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return rows[0]?.name
}

type DriverError = { code?: unknown; errcode?: unknown; severity?: unknown; cause?: unknown }

/** Numbers of https://www.sqlite.org/rescode.html: SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const SQLITE_UNIQUE = new Set([1555, 2067])
const POSTGRES_UNIQUE = '23505'

/** Whether a row with this key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  if (!isDriverError(error)) return false
  return error.code === POSTGRES_UNIQUE || (typeof error.errcode === 'number' && SQLITE_UNIQUE.has(error.errcode))
}

/** SQLITE_CONSTRAINT_FOREIGNKEY. */
const SQLITE_REFERENCE = 787
const POSTGRES_REFERENCE = '23503'

/** Whether the referenced row does not exist (any more). */
export function isReferenceViolation(error: unknown): boolean {
  return isDriverError(error) && (error.code === POSTGRES_REFERENCE || error.errcode === SQLITE_REFERENCE)
}

/** Primary codes: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE_AWAY = new Set([5, 6, 7, 8, 10, 13, 14])

/** Classes and codes of PostgreSQL's appendix A, the network's errors, those of postgres.js, `NoAnswer` and `TransactionTimeout`. */
const POSTGRES_AWAY =
  /^(08...|53...|57P0[1-5]|57014|55P03|25006|25P0[34]|ECONN(REFUSED|RESET|ABORTED)|E(TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|NOTFOUND|AI_AGAIN)|E[MN]FILE|ENOENT|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|NO_ANSWER|TRANSACTION_TIMEOUT)$/

/** Whether the database is unreachable, full or too busy, so that the call may succeed later (503). Follows `cause`. */
export function isUnavailable(error: unknown): boolean {
  if (!isDriverError(error)) return false
  if (error.code === 'ERR_SQLITE_ERROR')
    return typeof error.errcode === 'number' && SQLITE_AWAY.has(error.errcode & 0xff)
  if (typeof error.code === 'string' && POSTGRES_AWAY.test(error.code)) return true
  return error.cause !== undefined && isUnavailable(error.cause)
}

const CONNECTION_LOST = /^(08...|57P0[1-5]|E(CONNRESET|TIMEDOUT|PIPE)|CONNECTION_(CLOSED|ENDED|DESTROYED))$/

/** Whether no connection came about in the time that one may take. */
export function isConnectTimeout(error: unknown): boolean {
  return isDriverError(error) && error.code === 'CONNECT_TIMEOUT'
}

/** Whether the connection was lost. */
export function isConnectionLost(error: unknown): boolean {
  return isDriverError(error) && typeof error.code === 'string' && CONNECTION_LOST.test(error.code)
}

/** Whether a transaction may have been committed although it failed: the connection was lost, or the answer did not come. Follows `cause`. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!isDriverError(error)) return false
  return error.code === 'NO_ANSWER' || isConnectionLost(error) || isOutcomeUnknown(error.cause)
}

/** Codes with which PostgreSQL ends a connection: by its operator, by a crash, or because a transaction stood still or took too long. */
const ENDED: ReadonlySet<unknown> = new Set(['57P01', '57P02', '25P03', '25P04'])

/**
 * Whether the statement was never sent and can be repeated safely. postgres.js rejects the first statement on a new
 * connection with the FATAL message that ended the previous one, instead of sending it. (A statement that was in flight is
 * rejected with CONNECTION_CLOSED.)
 */
export function isNeverSent(error: unknown): boolean {
  return isDriverError(error) && error.severity === 'FATAL' && ENDED.has(error.code)
}

/** Whether PostgreSQL ended the wait for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return isDriverError(error) && error.code === '55P03'
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return isDriverError(error) && typeof error.errcode === 'number' && [5, 6].includes(error.errcode & 0xff)
}

/** Whether PostgreSQL aborted the statement because of a division by zero. */
export function isDivisionByZero(error: unknown): boolean {
  return isDriverError(error) && error.code === '22012'
}

/** Whether PostgreSQL aborted the transaction because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return isDriverError(error) && error.code === '40P01'
}

/** Whether PostgreSQL aborted the transaction because of a deadlock or a serialization failure. */
export function isWorthRepeating(error: unknown): boolean {
  return isDeadlock(error) || (isDriverError(error) && error.code === '40001')
}

/**
 * Whether a concurrent transaction may have inserted or deleted the row. The repeated transaction sees the change and
 * reports it. Cannot happen on SQLite, which has one writer.
 */
export function isConcurrencyConflict(error: unknown): boolean {
  return isUniqueViolation(error) || isReferenceViolation(error)
}

function isDriverError(error: unknown): error is DriverError {
  return typeof error === 'object' && error !== null
}
