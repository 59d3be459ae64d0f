import type { Kysely } from 'kysely'

/** The browser of a session, and the names that users give to their devices. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('sessions').addColumn('device_id', 'text').execute()
  await schema
    .createTable('device_names')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('device_names_pk', ['user_id', 'device_id'])
    .execute()
}
