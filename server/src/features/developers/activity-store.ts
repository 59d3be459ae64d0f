import type { Db, ReadDb } from '../../db/open.ts'
import type { DeveloperActivitiesTable } from '../../db/schema.ts'

export async function insertDeveloperActivity(db: Db, row: DeveloperActivitiesTable): Promise<void> {
  await db.insertInto('developer_activities').values(row).execute()
}

/**
 * The member who has founded an organization, or created the client, or asked for its approval since. Undefined for those of
 * commands, and once the account is deleted.
 */
export async function findApplicant(
  db: ReadDb,
  developer_id: string,
  client_id: string | undefined,
): Promise<string | undefined> {
  const entries = db.selectFrom('developer_activities').select('user_id').where('developer_id', '=', developer_id)
  const of =
    client_id === undefined
      ? entries.where('type', 'in', ['CREATED_DEVELOPER', 'REQUESTED_APPROVAL'])
      : entries.where('client_id', '=', client_id).where('type', 'in', ['CREATED_APP', 'REQUESTED_APP_APPROVAL'])
  return (await of.orderBy('id', 'desc').limit(1).executeTakeFirst())?.user_id ?? undefined
}

/** Lists entries with ids below `before`, newest first. Ids grow with time, so a page is one index range scan. */
export async function listDeveloperActivities(
  db: ReadDb,
  developer_id: string,
  page: {
    type?: string | undefined
    user_id?: string | undefined
    client_id?: string | undefined
    before: string | undefined
    limit: number
  },
): Promise<DeveloperActivitiesTable[]> {
  let query = db.selectFrom('developer_activities').selectAll().where('developer_id', '=', developer_id)
  if (page.type) query = query.where('type', '=', page.type)
  if (page.user_id) query = query.where('user_id', '=', page.user_id)
  if (page.client_id) query = query.where('client_id', '=', page.client_id)
  if (page.before) query = query.where('id', '<', page.before)
  return await query.orderBy('id', 'desc').limit(page.limit).execute()
}
