import type { Kysely } from 'kysely'

/** The service that acted for a user in an app (RFC 8693). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('activities').addColumn('acting_client_id', 'text').execute()
}
