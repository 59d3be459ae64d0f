import type { Kysely } from 'kysely'

/** When a session was last verified again by one of two factors, which apps are not told (decision 0061). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('reauthenticated_at', 'text').execute()
}
