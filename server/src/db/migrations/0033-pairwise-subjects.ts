import type { Kysely } from 'kysely'

/** Pairwise subject identifiers: the sector of a client, and the address of the list of its redirect URIs. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ['sector_identifier', 'sector_identifier_uri']) {
    await db.schema.alterTable('clients').addColumn(column, 'text').execute()
  }
}
