import type { Kysely } from 'kysely'

/** The hash of a picture as it was sent, so that the same one is not stored twice. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('pictures').addColumn('source_hash', 'text').execute()
}
