import type { activity } from '@vrata/contract'
import { prepareInsert } from '../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ActivitiesTable } from '../../db/schema.ts'
import { batches, inBatches } from '../../lib/batches.ts'

/** A service that acts for a user in a client (RFC 8693). */
export interface ServiceAccess {
  user_id: string
  client_id: string
  acting_client_id: string
}

export const insertActivity = prepareInsert('activities')

export async function insertActivities(db: Db, rows: readonly ActivitiesTable[]): Promise<void> {
  for (const some of batches(rows)) await db.insertInto('activities').values(some).execute()
}

/** Whether a user has at least so many activities. */
export async function hasManyActivities(db: ReadDb, user_id: string, least: number): Promise<boolean> {
  const rows = await db.selectFrom('activities').select('id').where('user_id', '=', user_id).limit(least).execute()
  return rows.length === least
}

/** Deletes at most `limit` activities of a user. Returns their number. */
export async function deleteSomeActivities(db: Db, user_id: string, limit: number): Promise<number> {
  const some = db.selectFrom('activities').select('id').where('user_id', '=', user_id).limit(limit)
  const result = await db.deleteFrom('activities').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes at most `limit` activities whose id is before `before`. Returns their number. */
export async function deleteActivitiesBefore(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('activities').select('id').where('id', '<', before).limit(limit)
  const result = await db.deleteFrom('activities').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Newest first, before the id `before`. Ids are time-ordered, so a page is one range of an index. */
export async function listActivities(
  db: ReadDb,
  user_id: string,
  page: {
    type?: activity.ActivityType | undefined
    client_id?: string | undefined
    session_id?: string | undefined
    before: string | undefined
    limit: number
  },
): Promise<ActivitiesTable[]> {
  let query = db.selectFrom('activities').selectAll().where('user_id', '=', user_id)
  if (page.type) query = query.where('type', '=', page.type)
  const { client_id } = page
  if (client_id)
    query = query.where((e) => e.or([e('client_id', '=', client_id), e('acting_client_id', '=', client_id)]))
  if (page.session_id) query = query.where('session_id', '=', page.session_id)
  if (page.before) query = query.where('id', '<', page.before)
  return await query.orderBy('id', 'desc').limit(page.limit).execute()
}

const SERVICE_USED_ACCESS: activity.ActivityType = 'SERVICE_USED_ACCESS'

/** Whether a service has acted for the user in a client since `since`. */
export async function hasServiceAccess(
  db: ReadDb,
  { user_id, client_id, acting_client_id }: ServiceAccess,
  since: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('activities')
    .select('id')
    .where('user_id', '=', user_id)
    .where('type', '=', SERVICE_USED_ACCESS)
    .where('client_id', '=', client_id)
    .where('acting_client_id', '=', acting_client_id)
    .where('created_at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The services that have acted for a user, with the client and the time that was recorded last; the latest first. */
export async function listServiceAccess(
  db: ReadDb,
  user_id: string,
): Promise<(Omit<ServiceAccess, 'user_id'> & { last_used_at: string })[]> {
  const rows = await db
    .selectFrom('activities')
    .select(['client_id', 'acting_client_id'])
    .select((e) => e.fn.max('created_at').as('last_used_at'))
    .where('user_id', '=', user_id)
    .where('type', '=', SERVICE_USED_ACCESS)
    .where('acting_client_id', 'is not', null)
    .groupBy(['client_id', 'acting_client_id'])
    .orderBy('last_used_at', 'desc')
    .execute()
  return rows as Awaited<ReturnType<typeof listServiceAccess>>
}

/** Lists the last sign-ins of a user to these clients, newest first. */
export async function listUserSignIns(
  db: ReadDb,
  user_id: string,
  client_ids: readonly string[],
  limit: number,
): Promise<{ client_id: string; created_at: string }[]> {
  const type: activity.ActivityType = 'LOGGED_IN_TO_APP'
  const query = db
    .selectFrom('activities')
    .select(['id', 'client_id', 'created_at'])
    .where('user_id', '=', user_id)
    .where('type', '=', type)
    .orderBy('id', 'desc')
    .limit(limit)
  const rows = await inBatches(client_ids, (some) => query.where('client_id', 'in', some).execute())
  const newest = rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
  return newest.map(({ client_id, created_at }) => ({ client_id: client_id ?? '', created_at }))
}
