import { type Kysely, sql } from 'kysely'
import { storesKeysInFull } from '../dialect.ts'

/**
 * The index by connection and session is the only one of `tokens` in which each request changes another place. With the ends of both ids
 * two and a half times as many entries are on a page (decision 0125).
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (!storesKeysInFull(db)) return
  await sql`create index tokens_of_grant on tokens (substr(connection_id, 25), substr(session_id, 25))`.execute(db)
  await db.schema.dropIndex('tokens_of_connection').execute()
}
