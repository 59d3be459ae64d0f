import type { activity } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { prepareInsert } from '../../db/prepare.ts'
import type { ActivitiesTable } from '../../db/schema.ts'

export const insertActivity = prepareInsert('activities')

/** Newest first, below the id `before`; ids grow with time, so a page is one walk down an index. */
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

/** Apps that were signed in to from these sessions, the latest first. */
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
