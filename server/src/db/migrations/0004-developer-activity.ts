import type { Kysely } from 'kysely'

/** The activity of developer accounts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('developer_activities')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('developer_id', 'text', (c) => c.notNull().references('developers.id').onDelete('cascade'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('client_id', 'text')
    .addColumn('params', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('developer_activities_of_developer')
    .on('developer_activities')
    .columns(['developer_id', 'id'])
    .execute()
  // For the deletion of an account, which lets go of its name here.
  await db.schema.createIndex('developer_activities_of_user').on('developer_activities').column('user_id').execute()
}
