import { type Kysely, sql } from 'kysely'
import { canDropReferences } from '../dialect.ts'

/**
 * Tokens may outlive their connection: no read accepts them, and they are deleted in small steps (decision 0145). SQLite cannot drop a reference, so
 * the rows are copied to a new table.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (canDropReferences(db)) {
    await sql`alter table tokens drop constraint if exists tokens_connection_id_fkey`.execute(db)
    return
  }
  const columns = sql`token_hash, kind, connection_id, session_id, client_id, user_id, grant_id, payload, created_at, expires_at, consumed_at`
  await db.schema
    .createTable('new_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('connection_id', 'text')
    .addColumn('session_id', 'text')
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('grant_id', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('consumed_at', 'text')
    .execute()
  await sql`insert into new_tokens (${columns}) select ${columns} from tokens`.execute(db)
  await db.schema.dropTable('tokens').execute()
  await sql`alter table new_tokens rename to tokens`.execute(db)
  const { schema } = db
  await schema.createIndex('tokens_of_connection').on('tokens').columns(['connection_id', 'session_id']).execute()
  for (const column of ['client_id', 'expires_at'] as const)
    await schema.createIndex(`tokens_by_${column}`).on('tokens').column(column).execute()
}
