import type { Kysely } from 'kysely'

/** Scopes that apps define, complete; and who asks for them and holds them, so that removing one finds all of it. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('clients').addColumn('scope_prefix', 'text').execute()
  await schema.createIndex('clients_by_scope_prefix').unique().on('clients').column('scope_prefix').execute()

  await schema
    .alterTable('scopes')
    .addColumn('sensitive', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('scopes')
    .addColumn('required', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('scopes')
    .addColumn('search', 'text', (c) => c.notNull().defaultTo(''))
    .execute()

  await schema
    .createTable('client_scopes')
    .addColumn('key', 'text', (c) => c.notNull().references('scopes.key').onDelete('cascade'))
    .addColumn('client_id', 'text', (c) => c.notNull().references('clients.client_id').onDelete('cascade'))
    .addPrimaryKeyConstraint('client_scopes_pk', ['key', 'client_id'])
    .execute()
  await schema.createIndex('client_scopes_of_client').on('client_scopes').column('client_id').execute()

  await schema
    .createTable('connection_scopes')
    .addColumn('key', 'text', (c) => c.notNull().references('scopes.key').onDelete('cascade'))
    .addColumn('connection_id', 'text', (c) => c.notNull().references('connections.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('connection_scopes_pk', ['key', 'connection_id'])
    .execute()
  await schema.createIndex('connection_scopes_of_connection').on('connection_scopes').column('connection_id').execute()
}
