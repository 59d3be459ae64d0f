import { type Kysely, sql } from 'kysely'

/** Apps whose tokens have ended, and deleted apps, while the rows are deleted in small steps (decision 0092). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('tokens_ended_at', 'text').execute()
  await db.schema.alterTable('clients').addColumn('deleted_at', 'text').execute()
  await sql`create index clients_deleted on clients (client_id) where deleted_at is not null`.execute(db)
  await sql`create index clients_with_ended_tokens on clients (client_id) where tokens_ended_at is not null`.execute(db)
}
