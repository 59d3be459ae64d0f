import type { Kysely } from 'kysely'

/** APIs of clients under names of their own, with the scopes that their tokens may contain. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('resources')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('client_id', 'text', (c) => c.notNull().references('clients.client_id').onDelete('cascade'))
    .addColumn('identifier', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('resources_of_client').on('resources').column('client_id').execute()
  await schema
    .createTable('resource_scopes')
    .addColumn('resource_id', 'text', (c) => c.notNull().references('resources.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull().references('scopes.key').onDelete('cascade'))
    .addPrimaryKeyConstraint('resource_scopes_pk', ['resource_id', 'key'])
    .execute()
  await schema.createIndex('resource_scopes_by_key').on('resource_scopes').column('key').execute()
}
