import type { Kysely } from 'kysely'

/** The session that a QR code has opened: its browser is answered the same again (decision 0023). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('qr_codes').addColumn('opened_session_id', 'text').execute()
}
