import type { activity } from '@vrata/contract'
import { prepareInsert } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import type { ActivitiesTable } from '../../db/schema.ts'

export const insertActivity = prepareInsert('activities')

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
  if (page.client_id) query = query.where('client_id', '=', page.client_id)
  if (page.session_id) query = query.where('session_id', '=', page.session_id)
  if (page.before) query = query.where('id', '<', page.before)
  return await query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Clients that these sessions have signed in to, the latest first. */
export async function listAppSignIns(
  db: ReadDb,
  session_ids: readonly string[],
): Promise<{ session_id: string; client_id: string }[]> {
  if (session_ids.length === 0) return []
  const type: activity.ActivityType = 'LOGGED_IN_TO_APP'
  const rows = await db
    .selectFrom('activities')
    .select(['session_id', 'client_id'])
    .select((e) => e.fn.max('created_at').as('last'))
    .where('session_id', 'in', session_ids)
    .where('client_id', 'is not', null)
    .where('type', '=', type)
    .groupBy(['session_id', 'client_id'])
    .orderBy('last', 'desc')
    .execute()
  return rows as { session_id: string; client_id: string }[]
}

/** Lists the last sign-ins of a user to these clients, newest first. */
export async function listUserSignIns(
  db: ReadDb,
  user_id: string,
  client_ids: readonly string[],
  limit: number,
): Promise<{ client_id: string; created_at: string }[]> {
  if (client_ids.length === 0) return []
  const type: activity.ActivityType = 'LOGGED_IN_TO_APP'
  const rows = await db
    .selectFrom('activities')
    .select(['client_id', 'created_at'])
    .where('user_id', '=', user_id)
    .where('client_id', 'in', client_ids)
    .where('type', '=', type)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows as { client_id: string; created_at: string }[]
}
