import { type Kysely, sql } from 'kysely'

/** People with very many sessions, whose end is written in small steps, and with very many activities (decision 0145). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('users').addColumn('session_generation', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('generation', 'text').execute()
  await sql`create index users_with_ended_sessions on users (id) where session_generation is not null`.execute(db)
  // Activities of services for a user were searched among all activities.
  await sql`create index activities_of_services on activities (user_id, client_id, acting_client_id, created_at)
    where acting_client_id is not null`.execute(db)
}
