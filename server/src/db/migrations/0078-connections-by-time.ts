import { type Kysely, sql } from 'kysely'

/** Users of an app in the order of their connections. Their ids change when many tokens end (decision 0145). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('connections_by_time')
    .on('connections')
    .columns(['client_id', 'created_at', 'user_id'])
    .execute()
  await sql`create index connections_blocked_by_time on connections (client_id, created_at, user_id) where blocked_at is not null`.execute(
    db,
  )
  await db.schema.dropIndex('connections_blocked').execute()
}
