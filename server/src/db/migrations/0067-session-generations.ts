import { type Kysely, sql } from 'kysely'

/** People all of whose sessions have ended, while the rows of the sessions are written in small steps (decision 0145). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('users').addColumn('session_generation', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('generation', 'text').execute()
  await sql`create index users_with_ended_sessions on users (id) where session_generation is not null`.execute(db)
}
