import { type Kysely, sql } from 'kysely'
import { type Engine, lockForMigration } from './dialect.ts'
import type { Db } from './handle.ts'
import { migrations } from './migrations/index.ts'
import type { Transact } from './tx.ts'
import { toTime } from './values.ts'

export interface Migration {
  /** Frozen with its release, so it does not follow later changes of the schema's type. */
  up(db: Kysely<never>): Promise<void>
}

/** A migration may rewrite a large table; ten minutes is far more than ours need. */
const TIMEOUT = 600_000

/**
 * Brings the schema up to date and answers the names of what it ran. Each migration and the note that it ran are one
 * transaction, so a kill leaves nothing half done; of several processes that start together one runs it, and the
 * others find it done (security.md F16).
 */
export async function migrate(engine: Engine, transaction: Transact): Promise<string[]> {
  const ran: string[] = []
  for (const [name, migration] of Object.entries(migrations)) {
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
    await transaction(work, { timeout: TIMEOUT })
  }
  return ran
}

/**
 * What `migrate` would run. A database that a newer version has migrated further has nothing pending: the version
 * before it must go on working (security.md F16).
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some((table) => table.name === 'migrations')) return Object.keys(migrations)
  const applied = await appliedNames(db)
  return Object.keys(migrations).filter((name) => !applied.has(name))
}

async function appliedNames(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  return new Set(rows.map((row) => row.name))
}
