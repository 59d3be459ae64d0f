import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { firstMatches, type Terms } from '../../db/compiled-queries/term-search.ts'
import type { ReadDb } from '../../db/open.ts'
import type { Database } from '../../db/schema.ts'
import type { SearchPosition } from '../../http/pagination.ts'

/** A user and the cursor after which the next page begins. */
export type UserPosition = { user_id: string; place: string }

export type Selection = { developer_id: string; client_id: string | undefined; blocked: boolean | undefined }
type Page = { after: string | undefined; limit: number }

/** Lists one page of all users of a developer account by the time of their first connection. */
export async function listUsersByTime(
  db: ReadDb,
  { developer_id, blocked }: Selection,
  { after, limit }: Page,
  order: 'asc' | 'desc',
): Promise<UserPosition[]> {
  let query = db
    .selectFrom('developer_users')
    .select(['user_id', 'id as place'])
    .where('developer_id', '=', developer_id)
    .orderBy('id', order)
    .limit(limit)
  if (blocked !== undefined) query = query.where('blocked_at', blocked ? 'is not' : 'is', null)
  if (after !== undefined) query = query.where('id', order === 'desc' ? '<' : '>', after)
  return await query.execute()
}

/** A place among the users of a client in the order of time. The id of a connection is not such a place, because it changes once many tokens have ended. */
export type TimePosition = { created_at: string; user_id: string }

/** Lists one page of the users of a client by the time of their connection. */
export async function listUsersOfClientByTime(
  db: ReadDb,
  client_id: string,
  { blocked }: Selection,
  { after, limit }: { after: TimePosition | undefined; limit: number },
  order: 'asc' | 'desc',
): Promise<TimePosition[]> {
  let query = db
    .selectFrom('connections')
    .select(['created_at', 'user_id'])
    .where('client_id', '=', client_id)
    .orderBy('created_at', order)
    .orderBy('user_id', order)
    .limit(limit)
  if (blocked !== undefined) query = query.where('blocked_at', blocked ? 'is not' : 'is', null)
  if (after) {
    const beyond = sql.raw(order === 'desc' ? '<' : '>')
    query = query.where(sql<SqlBool>`(created_at, user_id) ${beyond} (${after.created_at}, ${after.user_id})`)
  }
  return await query.execute()
}

/** Lists one page of the users of a developer account by the name that they share. */
export async function listUsersByName(db: ReadDb, selection: Selection, page: NamePage): Promise<SearchPosition[]> {
  return await usersByName(db, selection, page).execute()
}

type NamePage = { after: SearchPosition | undefined; limit: number }

function usersByName(db: ReadDb, { developer_id, blocked }: Selection, { after, limit }: NamePage) {
  let query = db
    .selectFrom('developer_users as u')
    .select(['u.sort_name as term', 'u.user_id'])
    .where('u.developer_id', '=', developer_id)
    .orderBy('u.sort_name')
    .orderBy('u.user_id')
    .limit(limit)
  if (blocked !== undefined) query = query.where('u.blocked_at', blocked ? 'is not' : 'is', null)
  if (after) query = query.where(sql<SqlBool>`(u.sort_name, u.user_id) > (${after.term}, ${after.user_id})`)
  return query
}

/** Lists one page of the users of a client by the name that they share with the developer account. */
export async function listUsersOfClientByName(
  db: ReadDb,
  client_id: string,
  selection: Selection,
  page: NamePage,
): Promise<SearchPosition[]> {
  const { after, limit } = page
  if (await hasUnnamedUsers(db, client_id)) return await filteredByClient(db, client_id, selection, page)
  let query = db
    .selectFrom('connections')
    .select(['sort_name as term', 'user_id'])
    .where('client_id', '=', client_id)
    .where('sort_name', 'is not', null)
    .$narrowType<{ term: string }>()
    .orderBy('sort_name')
    .orderBy('user_id')
    .limit(limit)
  if (selection.blocked !== undefined) query = query.where('blocked_at', selection.blocked ? 'is not' : 'is', null)
  if (after) query = query.where(sql<SqlBool>`(sort_name, user_id) > (${after.term}, ${after.user_id})`)
  return await query.execute()
}

/** Whether connections of former versions have no name yet (decision 0125). */
async function hasUnnamedUsers(db: ReadDb, client_id: string): Promise<boolean> {
  const query = db
    .selectFrom('connections')
    .select('id')
    .where('client_id', '=', client_id)
    .where('sort_name', 'is', null)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** The users of a client among those of the developer account: takes the longer, the more others there are. */
async function filteredByClient(
  db: ReadDb,
  client_id: string,
  selection: Selection,
  page: NamePage,
): Promise<SearchPosition[]> {
  return await usersByName(db, selection, page)
    .where((e) =>
      e.exists(
        e
          .selectFrom('connections')
          .select('connections.id')
          .whereRef('connections.user_id', '=', 'u.user_id')
          .where('connections.client_id', '=', client_id),
      ),
    )
    .execute()
}

/** Counts the users of a developer account, up to `most`. */
export async function countUsersOfDeveloper(
  db: ReadDb,
  { developer_id, blocked }: Pick<Selection, 'developer_id' | 'blocked'>,
  most: number,
): Promise<number> {
  let query = db.selectFrom('developer_users').select('user_id').where('developer_id', '=', developer_id).limit(most)
  if (blocked !== undefined) query = query.where('blocked_at', blocked ? 'is not' : 'is', null)
  return await countOf(db, query)
}

/** Counts the users of a client, up to `most`. */
export async function countUsersOfClient(
  db: ReadDb,
  client_id: string,
  blocked: boolean | undefined,
  most: number,
): Promise<number> {
  let query = db.selectFrom('connections').select('user_id').where('client_id', '=', client_id).limit(most)
  if (blocked !== undefined) query = query.where('blocked_at', blocked ? 'is not' : 'is', null)
  return await countOf(db, query)
}

type UserQuery = SelectQueryBuilder<Database, 'developer_users' | 'connections', { user_id: string }>

async function countOf(db: ReadDb, users: UserQuery): Promise<number> {
  const counted = db.selectFrom(users.as('counted')).select((e) => e.fn.countAll().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** Lists positions of users whose terms match, each user once. */
export async function listMatchingUsers(
  db: ReadDb,
  { developer_id, client_id, ...words }: Search,
  page: { after: SearchPosition | undefined; limit: number },
): Promise<SearchPosition[]> {
  const terms = (alias: string) =>
    db.selectFrom(`user_terms as ${alias}`).where(sql.ref(`${alias}.developer_id`), '=', developer_id)
  let query = firstMatches(terms as unknown as Terms, words, page)
  if (client_id) {
    const connection = db
      .selectFrom('connections')
      .select('connections.id')
      .where(sql<SqlBool>`connections.user_id = t.user_id`)
      .where('connections.client_id', '=', client_id)
    query = query.where((e) => e.exists(connection))
  }
  return await query.execute()
}

export type Search = { developer_id: string; client_id: string | undefined; word: string; others: string[] }
