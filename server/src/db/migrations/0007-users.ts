import { type Kysely, sql } from 'kysely'
import { bytewise } from '../dialect.ts'

/**
 * Users of a developer's clients, sign-ins per day, and rejected requests of clients.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db

  for (const [table, owner, owners] of [
    ['client_days', 'client_id', 'clients.client_id'],
    ['developer_days', 'developer_id', 'developers.id'],
  ] as const) {
    await schema
      .createTable(table)
      .addColumn(owner, 'text', (c) => c.notNull().references(owners).onDelete('cascade'))
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('slot', 'integer', (c) => c.notNull())
      .addColumn('sign_ins', 'integer', (c) => c.notNull())
      .addColumn('active_users', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_pk`, [owner, 'day', 'slot'])
      .execute()
    await schema.createIndex(`${table}_age`).on(table).column('day').execute()
  }

  await schema
    .createTable('refusals')
    .addColumn('client_id', 'text', (c) => c.notNull().references('clients.client_id').onDelete('cascade'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('times', 'integer', (c) => c.notNull())
    .addColumn('first_at', 'text', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('refusals_pk', ['client_id', 'reason', 'detail'])
    .execute()
  await schema.createIndex('refusals_age').on('refusals').column('last_at').execute()

  await schema
    .createTable('developer_users')
    .addColumn('developer_id', 'text', (c) => c.notNull().references('developers.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('blocked_at', 'text')
    .addPrimaryKeyConstraint('developer_users_pk', ['developer_id', 'user_id'])
    .execute()
  await schema.createIndex('developer_users_newest').on('developer_users').columns(['developer_id', 'id']).execute()
  await schema.createIndex('developer_users_of_user').on('developer_users').column('user_id').execute()

  await schema
    .createTable('user_terms')
    .addColumn('developer_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('term', bytewise(db), (c) => c.notNull())
    .addPrimaryKeyConstraint('user_terms_pk', ['developer_id', 'user_id', 'term'])
    .addForeignKeyConstraint(
      'user_terms_of_user',
      ['developer_id', 'user_id'],
      'developer_users',
      ['developer_id', 'user_id'],
      (c) => c.onDelete('cascade'),
    )
    .execute()
  await schema.createIndex('user_terms_search').on('user_terms').columns(['developer_id', 'term', 'user_id']).execute()

  await schema.alterTable('connections').addColumn('blocked_at', 'text').execute()
  await schema.dropIndex('connections_of_client').execute()
  await schema.createIndex('connections_of_client').on('connections').columns(['client_id', 'id']).execute()

  await sql`
    insert into developer_users (developer_id, user_id, id)
    select clients.developer_id, connections.user_id, min(connections.id)
    from connections join clients on clients.client_id = connections.client_id
    group by clients.developer_id, connections.user_id`.execute(db)
}
