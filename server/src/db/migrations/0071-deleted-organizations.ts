import { type Kysely, sql } from 'kysely'

/** Deleted organizations, while the rows of their apps are deleted in small steps (decision 0092). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('developers').addColumn('deleted_at', 'text').execute()
  await sql`create index developers_deleted on developers (id) where deleted_at is not null`.execute(db)
}
