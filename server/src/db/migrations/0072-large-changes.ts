import { type Kysely, sql } from 'kysely'

/** Changes of access, deleted groups and deleted scopes, while the rows of many users are written in small steps (decision 0092). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('access_change', 'text').execute()
  await db.schema.alterTable('groups').addColumn('deleted_at', 'text').execute()
  await db.schema.alterTable('scopes').addColumn('deleted_at', 'text').execute()
  await sql`create index clients_with_changed_access on clients (client_id) where access_change is not null`.execute(db)
  await sql`create index groups_deleted on groups (key) where deleted_at is not null`.execute(db)
  await sql`create index scopes_deleted on scopes (key) where deleted_at is not null`.execute(db)
}
