import { type Kysely, sql } from 'kysely'

/** Blocked users of an app with many, authenticator apps that were never confirmed, and a place in the list of old sessions. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index connections_blocked on connections (client_id, id) where blocked_at is not null`.execute(db)
  await sql`create index otp_seeds_unconfirmed on otp_seeds (created_at) where enabled_at is null`.execute(db)
  await db.schema.createIndex('sessions_by_idle_until').on('sessions').columns(['idle_until', 'id']).execute()
  await db.schema.dropIndex('sessions_expiry').execute()
}
