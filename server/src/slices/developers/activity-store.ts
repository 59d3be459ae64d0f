import type { Db } from '../../db/open.ts'
import type { DeveloperActivitiesTable } from '../../db/schema.ts'

export async function insertDeveloperActivity(db: Db, row: DeveloperActivitiesTable): Promise<void> {
  await db.insertInto('developer_activities').values(row).execute()
}
