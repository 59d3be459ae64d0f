import type { Kysely } from 'kysely'

/** The binding message of a request that the user has answered (OpenID Connect CIBA Core §7.1). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('activities').addColumn('binding_message', 'text').execute()
}
