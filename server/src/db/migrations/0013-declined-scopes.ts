import type { Kysely } from 'kysely'

/** Scopes that a person has declined of those requested, so that the next sign-in does not ask again. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('connections')
    .addColumn('declined', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}
