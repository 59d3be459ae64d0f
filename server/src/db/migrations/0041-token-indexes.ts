import type { Kysely } from 'kysely'
import { dropTokenReferences } from '../dialect.ts'

/**
 * Fewer indexes and references of the table that is written most: every refresh inserts two rows (decision 0097). What belongs to a
 * user, a session or a grant is found by its connection; a token of a deleted user goes with the connection.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  for (const column of ['connection_id', 'session_id', 'user_id', 'grant_id'] as const) {
    await schema.dropIndex(`tokens_by_${column}`).execute()
  }
  await dropTokenReferences(db)
  await schema.createIndex('tokens_of_connection').on('tokens').columns(['connection_id', 'session_id']).execute()
}
