import { type Kysely, sql } from 'kysely'
import { bytewise, indexBeginnings } from '../dialect.ts'

/**
 * Users of an app in the order of their names. Connections that exist get their name in small steps afterwards (decision 0125), because
 * there may be millions of them. Indexes for the counters and challenges of an account, which end with it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('connections').addColumn('sort_name', bytewise(db)).execute()
  await db.schema
    .createIndex('connections_by_name')
    .on('connections')
    .columns(['client_id', 'sort_name', 'user_id'])
    .execute()
  await sql`create index connections_unnamed on connections (client_id) where sort_name is null`.execute(db)
  for (const table of ['throttles', 'otp_tries']) await indexBeginnings(db, table, 'key')
  await sql`create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null`.execute(db)
}
