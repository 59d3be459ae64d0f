import type { Kysely } from 'kysely'

/** Codes with which a phone signs another browser in, and whether a person wants that at all. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('allow_qr_sign_in', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('qr_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey())
    .addColumn('browser_hash', 'text', (c) => c.notNull())
    .addColumn('match', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('os', 'text')
    .addColumn('browser', 'text')
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('location', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('qr_codes_of_browser').on('qr_codes').columns(['browser_hash', 'expires_at']).execute()
  await db.schema.createIndex('qr_codes_expiry').on('qr_codes').column('expires_at').execute()
  await db.schema.createIndex('qr_codes_of_user').on('qr_codes').column('user_id').execute()
}
