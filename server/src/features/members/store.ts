import type { Level } from '@vrata/contract'
import { sql } from 'kysely'
import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import type { MembersTable } from '../../db/schema.ts'

export async function insertMember(db: Db, row: MembersTable): Promise<void> {
  await db.insertInto('members').values(row).execute()
}

const membership = prepare((db, { developer_id, user_id }: { developer_id: string; user_id: string }) =>
  db
    .selectFrom('members')
    .innerJoin('developers', 'developers.id', 'members.developer_id')
    .select(['members.permission', 'developers.approval'])
    .where('members.developer_id', '=', developer_id)
    .where('members.user_id', '=', user_id),
)

/** The level of a user in a developer account, and its approval. */
export async function findMembership(db: ReadDb, developer_id: string, user_id: string) {
  return await membership.first(db, { developer_id, user_id })
}

export async function findLevel(db: ReadDb, developer_id: string, user_id: string): Promise<Level | undefined> {
  return (await findMembership(db, developer_id, user_id))?.permission as Level | undefined
}

/**
 * The levels of the members of a developer account whose account is not disabled, by user; of one of them with `user_id`. What others may
 * do in the name of a member depends on it.
 */
export async function findUsableLevels(
  db: ReadDb,
  developer_id: string,
  user_id?: string,
): Promise<ReadonlyMap<string, Level>> {
  let query = db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id', 'members.permission'])
    .where('members.developer_id', '=', developer_id)
    .where('users.disabled_at', 'is', null)
  if (user_id !== undefined) query = query.where('members.user_id', '=', user_id)
  return new Map((await query.execute()).map((row) => [row.user_id, row.permission as Level]))
}

/** Lists the members of a developer account, oldest membership first. */
export async function listMembers(db: ReadDb, developer_id: string): Promise<MembersTable[]> {
  return await db
    .selectFrom('members')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .orderBy('joined_at')
    .orderBy('id')
    .execute()
}

export async function updatePermission(db: Db, id: string, permission: Level): Promise<void> {
  await db.updateTable('members').set({ permission }).where('id', '=', id).execute()
}

export async function deleteMember(db: Db, id: string): Promise<void> {
  await db.deleteFrom('members').where('id', '=', id).execute()
}

/** Deletes the members of a developer account. */
export async function deleteMembers(db: Db, developer_id: string): Promise<void> {
  await db.deleteFrom('members').where('developer_id', '=', developer_id).execute()
}

const memberships = prepare((db, { user_id }: { user_id: string }) =>
  db
    .selectFrom('members')
    .innerJoin('developers', 'developers.id', 'members.developer_id')
    .select([
      'developers.id as developer_id',
      'developers.name',
      'developers.logo',
      'developers.approval',
      'developers.approval_reason',
      'members.permission',
      'members.joined_at',
    ])
    .where('members.user_id', '=', user_id)
    .orderBy(sql`lower(developers.name)`)
    .orderBy('developers.id'),
)

/** Lists the memberships of a user with the developer accounts, sorted by name regardless of case. */
export async function listMemberships(db: ReadDb, user_id: string) {
  return await memberships.rows(db, { user_id })
}
