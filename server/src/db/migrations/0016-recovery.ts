import { type Kysely, sql } from 'kysely'

/**
 * JWT access tokens are not stored, so a number of the user tells which of them have ended. Indexes for the deletion of
 * unconfirmed accounts, and for what a session has decided.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('token_generation', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`create index users_unconfirmed on users (id) where email_verified_at is null`.execute(db)
  await sql`create index provider_models_session_id on provider_models (session_id) where session_id is not null`.execute(
    db,
  )
}
