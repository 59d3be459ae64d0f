import type { Kysely } from 'kysely'
import { bytewise } from '../dialect.ts'

/** Groups of the installation. `users.groups` repeats the keys, so that claims need no further read. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('groups')
    .addColumn('key', bytewise(db), (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('search', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createTable('group_members')
    .addColumn('group_key', bytewise(db), (c) => c.notNull().references('groups.key').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('added_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('group_members_pk', ['group_key', 'user_id'])
    .execute()
  await schema.createIndex('group_members_user').on('group_members').column('user_id').execute()
  await schema
    .alterTable('users')
    .addColumn('groups', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}
