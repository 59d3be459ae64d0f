import type { Level } from '@vrata/contract'
import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import { prepare } from '../../db/prepare.ts'
import type { DevelopersTable, MembersTable } from '../../db/schema.ts'

export type DeveloperRow = DevelopersTable
export type DeveloperChanges = Partial<Omit<DeveloperRow, 'id' | 'created_at'>>

export async function insertDeveloper(db: Db, row: DeveloperRow): Promise<void> {
  await db.insertInto('developers').values(row).execute()
}

export async function insertMember(db: Db, row: MembersTable): Promise<void> {
  await db.insertInto('members').values(row).execute()
}

export async function findDeveloper(db: ReadDb, developer_id: string): Promise<DeveloperRow | undefined> {
  return await db.selectFrom('developers').selectAll().where('id', '=', developer_id).executeTakeFirst()
}

/** The same, and nobody else changes it until this transaction has ended; people go on signing in to its apps. */
export async function lockDeveloper(db: Db, developer_id: string): Promise<DeveloperRow | undefined> {
  return await db
    .selectFrom('developers')
    .selectAll()
    .where('id', '=', developer_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** True when it is there; it then cannot go until this transaction has ended, but may change. */
export async function holdDeveloper(db: Db, developer_id: string): Promise<boolean> {
  const query = db.selectFrom('developers').select('id').where('id', '=', developer_id).forKeyShare()
  return (await query.executeTakeFirst()) !== undefined
}

export async function listDevelopers(db: ReadDb, developer_ids: readonly string[]): Promise<DeveloperRow[]> {
  if (developer_ids.length === 0) return []
  return await db.selectFrom('developers').selectAll().where('id', 'in', developer_ids).execute()
}

export async function updateDeveloperRow(db: Db, developer_id: string, changes: DeveloperChanges): Promise<void> {
  await db.updateTable('developers').set(changes).where('id', '=', developer_id).execute()
}

/** Its members and apps go with it, by foreign keys. */
export async function deleteDeveloperRow(db: Db, developer_id: string): Promise<void> {
  await db.deleteFrom('developers').where('id', '=', developer_id).execute()
}

const level = prepare((db, { developer_id, user_id }: { developer_id: string; user_id: string }) =>
  db.selectFrom('members').select('permission').where('developer_id', '=', developer_id).where('user_id', '=', user_id),
)

export async function findLevel(db: ReadDb, developer_id: string, user_id: string): Promise<Level | undefined> {
  return (await level.first(db, { developer_id, user_id }))?.permission as Level | undefined
}

/** Everybody in an organisation, whoever has been there longest first. */
export async function listMembers(db: ReadDb, developer_id: string): Promise<MembersTable[]> {
  return await db
    .selectFrom('members')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .orderBy('joined_at')
    .orderBy('id')
    .execute()
}

export async function setPermission(db: Db, id: string, permission: Level): Promise<void> {
  await db.updateTable('members').set({ permission }).where('id', '=', id).execute()
}

export async function deleteMember(db: Db, id: string): Promise<void> {
  await db.deleteFrom('members').where('id', '=', id).execute()
}

const memberships = prepare((db, { user_id }: { user_id: string }) =>
  db
    .selectFrom('members')
    .innerJoin('developers', 'developers.id', 'members.developer_id')
    .select([
      'developers.id as developer_id',
      'developers.name',
      'developers.logo',
      'members.permission',
      'members.joined_at',
    ])
    .where('members.user_id', '=', user_id)
    .orderBy(sql`lower(developers.name)`)
    .orderBy('developers.id'),
)

/** Organisations of a person, by name, upper and lower case alike. */
export async function listMemberships(db: ReadDb, user_id: string) {
  return await memberships.rows(db, { user_id })
}
