import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Db, ReadDb } from './compiled-queries/handle.ts'
import { type Engine, isLockTimeout, lockForMigration } from './dialect.ts'
import { migrations } from './migrations/index.ts'
import type { Transact } from './transactions/transactions.ts'
import { toTime } from './values.ts'

/** Milliseconds. A migration may rewrite a large table. */
const TIMEOUT = 600_000
/** Milliseconds until a migration tries again to lock a table that others use. */
const AGAIN = 4000

/**
 * Runs the pending migrations and resolves with their names. Each migration is recorded in its own transaction, so a killed
 * process leaves none half done. When several processes start together, one runs it and the others skip it (security §20.16).
 *
 * @param names only these, for the schema of a backup
 */
export async function migrate(
  engine: Engine,
  transaction: Transact,
  names: readonly string[] = Object.keys(migrations),
): Promise<string[]> {
  const ran: string[] = []
  for (const [name, migration] of Object.entries(migrations)) {
    if (!names.includes(name)) continue
    const work = async ({ db }: { db: Db }) => {
      await lockForMigration(engine, db)
      await db.schema
        .createTable('migrations')
        .ifNotExists()
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('applied_at', 'text', (c) => c.notNull())
        .execute()
      if ((await appliedNames(db)).has(name)) return
      await migration.up(db as unknown as Kysely<never>)
      await sql`insert into migrations (name, applied_at) values (${name}, ${toTime(new Date())})`.execute(db)
      ran.push(name)
    }
    await untilUnused(() => transaction(work, { timeout: TIMEOUT }))
  }
  return ran
}

/** Repeats a migration for whose tables it has not got the locks, for example because a backup reads them. */
async function untilUnused(work: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + TIMEOUT; ; await pause(AGAIN)) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > until) throw error
    }
  }
}

/**
 * Names of the migrations that `migrate` would run. A database with migrations of a newer version has none pending, because
 * the previous version must keep working (security §20.16).
 */
export async function pendingMigrations(read: ReadDb): Promise<string[]> {
  const applied = await appliedNames(read).catch(async () => {
    // A new database has no table of migrations. A `ReadDb` has no list of tables.
    const tables = await (read as Db).introspection.getTables()
    // Another server may have created it since.
    return tables.some(({ name }) => name === 'migrations') ? await appliedNames(read) : new Set<string>()
  })
  return Object.keys(migrations).filter((name) => !applied.has(name))
}

/** A select and no text, so that it waits neither for writers of SQLite nor for the connections of PostgreSQL that write. */
export async function appliedNames(db: ReadDb): Promise<Set<string>> {
  const rows = await db.selectFrom(sql<{ name: string }>`migrations`.as('migrations')).select('name').execute()
  return new Set(rows.map((row) => row.name))
}
