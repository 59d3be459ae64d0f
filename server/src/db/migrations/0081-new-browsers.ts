import type { Kysely } from 'kysely'

/** A browser stays new until its user recognizes it, also when they sign out and in again (decision 0016). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('known_devices').addColumn('device_id', 'text').execute()
  await db.schema.alterTable('known_devices').addColumn('unknown_since', 'text').execute()
}
