import type { Kysely } from 'kysely'

/** Client-initiated backchannel authentication (OpenID Connect CIBA Core 1.0): settings of clients, and open requests. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of [
    'backchannel_token_delivery_mode',
    'backchannel_client_notification_endpoint',
    'backchannel_authentication_request_signing_alg',
  ]) {
    await db.schema.alterTable('clients').addColumn(column, 'text').execute()
  }

  await db.schema
    .createTable('ciba_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('auth_req_id_hash', 'text', (c) => c.notNull().unique())
    .addColumn('link_hash', 'text', (c) => c.unique())
    .addColumn('client_id', 'text', (c) => c.notNull().references('clients.client_id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('hint_hash', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text')
    .addColumn('decision', 'text')
    .addColumn('asked_at', 'text')
    .addColumn('delivered_at', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  // For the open requests of a client to one person, for a person's own list, for revocation and for deletion.
  await db.schema.createIndex('ciba_requests_hint').on('ciba_requests').columns(['client_id', 'hint_hash']).execute()
  await db.schema.createIndex('ciba_requests_user').on('ciba_requests').columns(['user_id', 'client_id']).execute()
  await db.schema.createIndex('ciba_requests_session').on('ciba_requests').column('session_id').execute()
  await db.schema.createIndex('ciba_requests_expires_at').on('ciba_requests').column('expires_at').execute()
}
