import type { Kysely } from 'kysely'

/** The session that has approved a QR code: the approval ends with it. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('qr_codes').addColumn('session_id', 'text').execute()
}
