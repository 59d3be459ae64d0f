import type { Kysely } from 'kysely'
import { bytewise } from '../dialect.ts'

/** Access rules of apps: all users may use an app without a row in `client_access`. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('client_access')
    .addColumn('client_id', 'text', (c) => c.primaryKey().references('clients.client_id').onDelete('cascade'))
    .addColumn('mode', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createTable('client_access_groups')
    .addColumn('client_id', 'text', (c) => c.notNull().references('client_access.client_id').onDelete('cascade'))
    .addColumn('group_key', bytewise(db), (c) => c.notNull().references('groups.key'))
    .addPrimaryKeyConstraint('client_access_groups_pk', ['client_id', 'group_key'])
    .execute()
  await schema.createIndex('client_access_groups_key').on('client_access_groups').column('group_key').execute()
  await schema
    .createTable('client_access_people')
    .addColumn('client_id', 'text', (c) => c.notNull().references('client_access.client_id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('client_access_people_pk', ['client_id', 'email'])
    .execute()
  await schema.createIndex('client_access_people_email').on('client_access_people').column('email').execute()
  await schema.alterTable('connections').addColumn('access_lost_at', 'text').execute()
}
