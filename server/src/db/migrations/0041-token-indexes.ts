import { type Kysely, sql } from 'kysely'
import { canDropReferences } from '../dialect.ts'

/**
 * Fewer indexes and references of the table that is written most: every refresh inserts two rows (decision 0097). What belongs to a
 * user, a session or a grant is found by its connection; a token of a deleted user goes with the connection.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  for (const column of ['connection_id', 'session_id', 'user_id', 'grant_id'] as const) {
    await schema.dropIndex(`tokens_by_${column}`).execute()
  }
  await dropReferences(db)
  await schema.createIndex('tokens_of_connection').on('tokens').columns(['connection_id', 'session_id']).execute()
}

/** Drops the references to client and user. SQLite cannot drop one, so the rows are copied to a new table. */
async function dropReferences(db: Kysely<never>): Promise<void> {
  if (canDropReferences(db)) {
    for (const column of ['client_id', 'user_id'])
      await sql`alter table tokens drop constraint if exists ${sql.ref(`tokens_${column}_fkey`)}`.execute(db)
    return
  }
  await db.schema
    .createTable('new_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('connection_id', 'text', (c) => c.references('connections.id').onDelete('cascade'))
    .addColumn('session_id', 'text')
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('grant_id', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('consumed_at', 'text')
    .execute()
  await sql`insert into new_tokens (token_hash, kind, connection_id, session_id, client_id, user_id, grant_id, payload, created_at,
    expires_at, consumed_at) select token_hash, kind, connection_id, session_id, client_id, user_id, grant_id, payload, created_at,
    expires_at, consumed_at from tokens`.execute(db)
  await db.schema.dropTable('tokens').execute()
  await sql`alter table new_tokens rename to tokens`.execute(db)
  for (const column of ['client_id', 'expires_at'] as const)
    await db.schema.createIndex(`tokens_by_${column}`).on('tokens').column(column).execute()
}
