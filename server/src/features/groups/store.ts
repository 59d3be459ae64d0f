import { type SqlBool, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { GroupMembersTable, GroupsTable } from '../../db/schema.ts'
import { anywhere, HIGHEST } from '../../db/search-text.ts'
import { lockSetting } from '../../db/settings.ts'

export type GroupRow = GroupsTable

/** Returns false when the key is taken. */
export async function insertGroup(db: Db, row: GroupRow): Promise<boolean> {
  const result = await db
    .insertInto('groups')
    .values(row)
    .onConflict((c) => c.column('key').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

const CREATION = 'creation_of_groups'

/** Lets one transaction after the other count and insert groups, until it ends. */
export async function lockCreation(db: Db): Promise<void> {
  await lockSetting(db, CREATION)
}

export async function countGroups(db: ReadDb): Promise<number> {
  const row = await present(db)
    .select((e) => e.fn.countAll().as('groups'))
    .executeTakeFirstOrThrow()
  return Number(row.groups)
}

/** Groups that are not deleted. */
const present = (db: ReadDb) => db.selectFrom('groups').where('groups.deleted_at', 'is', null)

const withMembers = (db: ReadDb) =>
  present(db)
    .selectAll()
    .select((e) =>
      e
        .selectFrom('group_members')
        .select((members) => members.fn.countAll().as('members'))
        .whereRef('group_members.group_key', '=', 'groups.key')
        .as('members'),
    )

export async function findGroup(db: ReadDb, key: string) {
  return await withMembers(db).where('key', '=', key).executeTakeFirst()
}

/** Lists groups by key after the key `after`; `matching` is folded text that key, name or description contain. */
export async function listGroups(
  db: ReadDb,
  { matching, after, limit }: { matching: string; after: string | undefined; limit: number },
) {
  let query = withMembers(db).orderBy('key').limit(limit)
  if (matching) query = query.where(sql<SqlBool>`search like ${anywhere(matching)} escape '\\'`)
  if (after !== undefined) query = query.where('key', '>', after)
  return await query.execute()
}

/** Locks a group, so that its members are changed by one transaction at a time. */
export async function findGroupForUpdate(db: Db, key: string): Promise<GroupRow | undefined> {
  return await present(db).selectAll().where('key', '=', key).forUpdate().executeTakeFirst()
}

/** Locks groups against deletion, in the order of their keys. Returns those that exist. */
export async function findExistingGroupsForShare(db: Db, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await present(db).select('key').where('key', 'in', keys).orderBy('key').forKeyShare().execute()
  return rows.map(({ key }) => key)
}

export async function updateGroup(
  db: Db,
  key: string,
  changes: Pick<GroupRow, 'name' | 'description' | 'search'>,
): Promise<void> {
  await db.updateTable('groups').set(changes).where('key', '=', key).execute()
}

/** Deletes members of a group. */
export async function deleteMembers(db: Db, group_key: string, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  await db.deleteFrom('group_members').where('group_key', '=', group_key).where('user_id', 'in', user_ids).execute()
}

/** Deletes a group without members. */
export async function deleteGroup(db: Db, key: string): Promise<void> {
  await db.deleteFrom('groups').where('key', '=', key).execute()
}

/** Inserts members. Returns the ids of those who were none before. */
export async function insertMembers(db: Db, rows: readonly GroupMembersTable[]): Promise<string[]> {
  const inserted = await db
    .insertInto('group_members')
    .values(rows)
    .onConflict((c) => c.columns(['group_key', 'user_id']).doNothing())
    .returning('user_id')
    .execute()
  return inserted.map(({ user_id }) => user_id)
}

export async function isMember(db: ReadDb, group_key: string, user_id: string): Promise<boolean> {
  const members = db.selectFrom('group_members').select('user_id').where('group_key', '=', group_key)
  return (await members.where('user_id', '=', user_id).executeTakeFirst()) !== undefined
}

/** Ids of members, in the order in which users are locked. */
export async function listMemberIds(db: ReadDb, group_key: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('group_members').select('user_id').where('group_key', '=', group_key)
  return (await query.orderBy('user_id').limit(limit).execute()).map(({ user_id }) => user_id)
}

/** Lists addresses of the members of all groups or one, by group and address. */
export async function listMemberAddresses(db: ReadDb, group_key?: string) {
  let query = db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.key', 'group_members.group_key')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(['group_members.group_key', 'group_members.user_id', 'users.email'])
    .where('groups.deleted_at', 'is', null)
    .orderBy('group_members.group_key')
    .orderBy('users.email')
  if (group_key !== undefined) query = query.where('group_members.group_key', '=', group_key)
  return await query.execute()
}

/** Lists the groups of a user by key. */
export async function listGroupsOf(db: ReadDb, user_id: string) {
  return await db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.key', 'group_members.group_key')
    .select(['groups.key', 'groups.name', 'group_members.added_at'])
    .where('group_members.user_id', '=', user_id)
    .where('groups.deleted_at', 'is', null)
    .orderBy('groups.key')
    .execute()
}

/** Lists members, newest account first, after the id `after`; each of the words must begin a word of the account. */
export async function listMembers(
  db: ReadDb,
  { group_key, words, user_id }: { group_key: string; words: readonly string[]; user_id?: string },
  { after, limit }: { after: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.username', 'users.email'])
    .select(['users.profile_picture', 'group_members.added_at'])
    .where('group_members.group_key', '=', group_key)
    .orderBy('group_members.user_id', 'desc')
    .limit(limit)
  if (user_id !== undefined) query = query.where('group_members.user_id', '=', user_id)
  if (after !== undefined) query = query.where('group_members.user_id', '<', after)
  for (const word of words)
    query = query.where('group_members.user_id', 'in', (e) =>
      e
        .selectFrom('account_terms')
        .select('account_terms.user_id')
        .where('account_terms.term', '>=', word)
        .where('account_terms.term', '<', word + HIGHEST),
    )
  return await query.execute()
}
export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number]
