import type { Kysely } from 'kysely'

/** Sign-ins to the installation and failed ones, by UTC day. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('sign_in_days')
    .addColumn('day', 'text', (c) => c.primaryKey())
    .addColumn('sign_ins', 'integer', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .execute()
}
