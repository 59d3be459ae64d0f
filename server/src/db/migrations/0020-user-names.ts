import { type Kysely, sql } from 'kysely'
import { bytewise } from '../dialect.ts'

/**
 * Users of a developer account are sorted by the name that they share, and filtered by whether they are blocked. Existing
 * rows get a name without folding; the next change of the user's grants or name folds it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('developer_users')
    .addColumn('sort_name', bytewise(db), (c) => c.notNull().defaultTo(''))
    .execute()
  await sql`
    update developer_users set sort_name = (
      select lower(trim(users.first_name || ' ' || users.last_name)) from users where users.id = developer_users.user_id
    )
    where exists (
      select 1 from connections join clients on clients.client_id = connections.client_id
      where connections.user_id = developer_users.user_id and clients.developer_id = developer_users.developer_id
        and connections.scopes like '%"profile"%'
    )`.execute(db)
  await sql`update developer_users set sort_name = ${NAMELESS} where sort_name = ''`.execute(db)
  await schema
    .createIndex('developer_users_by_name')
    .on('developer_users')
    .columns(['developer_id', 'sort_name', 'user_id'])
    .execute()
  await sql`create index developer_users_blocked on developer_users (developer_id, id) where blocked_at is not null`.execute(
    db,
  )
}

/** Sorts after every name. */
const NAMELESS = '\u{10ffff}'
