import type { clientAccess } from '@vrata/contract'
import { type Expression, expressionBuilder, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { Database } from '../../db/schema.ts'
import { inBatches } from '../../lib/batches.ts'

/**
 * Whether a user may use a client, as a condition of other queries: the only place that says it (operators §10). The list of
 * another mode is empty, so the mode is not asked.
 */
export function accessRule(client_id: Expression<string>, user_id: Expression<string>) {
  const e = expressionBuilder<Database>()
  const restricted = e
    .selectFrom('client_access')
    .select('client_access.client_id')
    .where('client_access.client_id', '=', client_id)
  const byGroup = e
    .selectFrom('client_access_groups')
    .innerJoin('group_members', 'group_members.group_key', 'client_access_groups.group_key')
    .select('client_access_groups.client_id')
    .where('client_access_groups.client_id', '=', client_id)
    .where('group_members.user_id', '=', user_id)
  const byAddress = e
    .selectFrom('client_access_people')
    .innerJoin('users as listed', 'listed.email', 'client_access_people.email')
    .select('client_access_people.client_id')
    .where('client_access_people.client_id', '=', client_id)
    .where('listed.id', '=', user_id)
    .where('listed.email_verified_at', 'is not', null)
  return e.or([e.not(e.exists(restricted)), e.exists(byGroup), e.exists(byAddress)])
}

/** Whether the user may use the client now. */
export async function hasAccess(db: ReadDb, client_id: string, user_id: string): Promise<boolean> {
  const row = await db
    .selectNoFrom(sql<number>`1`.as('one'))
    .where(accessRule(sql.val(client_id), sql.val(user_id)))
    .executeTakeFirst()
  return row !== undefined
}

export async function findAccess(db: ReadDb, client_id: string): Promise<clientAccess.Access> {
  const row = await db.selectFrom('client_access').select('mode').where('client_id', '=', client_id).executeTakeFirst()
  const [groups, people] = await Promise.all([
    db
      .selectFrom('client_access_groups')
      .select('group_key')
      .where('client_id', '=', client_id)
      .orderBy('group_key')
      .execute(),
    db.selectFrom('client_access_people').select('email').where('client_id', '=', client_id).execute(),
  ])
  return {
    mode: (row?.mode as clientAccess.AccessMode | undefined) ?? 'everyone',
    groups: groups.map(({ group_key }) => group_key),
    // PostgreSQL sorts by a locale; rules are compared as texts.
    people: people.map(({ email }) => email).sort(),
  }
}

/** Replaces the rule of a client, which the caller has locked. */
export async function replaceAccess(db: Db, client_id: string, access: clientAccess.Access): Promise<void> {
  const { mode, groups, people } = access
  // The lists go with it.
  await db.deleteFrom('client_access').where('client_id', '=', client_id).execute()
  if (mode === 'everyone') return
  await db.insertInto('client_access').values({ client_id, mode }).execute()
  if (groups.length > 0)
    await db
      .insertInto('client_access_groups')
      .values(groups.map((group_key) => ({ client_id, group_key })))
      .execute()
  if (people.length > 0)
    await db
      .insertInto('client_access_people')
      .values(people.map((email) => ({ client_id, email })))
      .execute()
}

/** Clients that a group opens, in the order in which they are locked. */
export async function listClientsOfGroup(db: ReadDb, group_key: string): Promise<string[]> {
  const rows = await db
    .selectFrom('client_access_groups')
    .select('client_id')
    .where('group_key', '=', group_key)
    .orderBy('client_id')
    .execute()
  return rows.map(({ client_id }) => client_id)
}

/** Returns those of the clients that have a list of people. */
export async function findClientsWithPeople(db: ReadDb, client_ids: readonly string[]): Promise<string[]> {
  const query = db.selectFrom('client_access').select('client_id').where('mode', '=', 'people')
  const rows = await inBatches(client_ids, (some) => query.where('client_id', 'in', some).execute())
  return rows.map(({ client_id }) => client_id)
}

/** Removes a group from all rules. With a rule that has no group left, nobody may use the client. */
export async function deleteGroupFromRules(db: Db, group_key: string): Promise<void> {
  await db.deleteFrom('client_access_groups').where('group_key', '=', group_key).execute()
}

/** Removes an address from all lists. With an empty list, nobody may use the client. */
export async function deletePersonFromRules(db: Db, email: string): Promise<void> {
  await db.deleteFrom('client_access_people').where('email', '=', email).execute()
}
