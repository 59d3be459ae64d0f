import type { Kysely } from 'kysely'

/** How often the tokens of an app have ended, which JWT access tokens carry, because they have no row (decision 0055). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('clients')
    .addColumn('token_generation', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
