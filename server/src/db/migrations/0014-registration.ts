import type { Kysely } from 'kysely'

/** Programs that register apps (RFC 7591): what lets them, and what then lets an app change itself (RFC 7592). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('registration_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('developer_id', 'text', (c) => c.notNull().references('developers.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_id', 'text', (c) => c.references('clients.client_id').onDelete('cascade'))
    .addColumn('uses_left', 'integer', (c) => c.notNull())
    .addColumn('require_pkce', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .execute()
  // For what goes with an organization, an account or an app, and for what is over.
  for (const column of ['developer_id', 'user_id', 'client_id', 'expires_at'] as const) {
    await db.schema.createIndex(`registration_tokens_${column}`).on('registration_tokens').column(column).execute()
  }
}
