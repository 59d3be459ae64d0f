import type { Db, ReadDb } from '../../db/open.ts'

/** Whether a developer account has clients, also ones that are being deleted. */
export async function hasClients(db: ReadDb, developer_id: string): Promise<boolean> {
  const query = db.selectFrom('clients').select('client_id').where('developer_id', '=', developer_id).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** Lists the developer accounts that are being deleted. */
export async function listDeletedDevelopers(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('developers').select('id').where('deleted_at', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to `most` activities of a developer account, and returns their number. */
export async function deleteSomeActivities(db: Db, developer_id: string, most: number): Promise<number> {
  const some = db.selectFrom('developer_activities').select('id').where('developer_id', '=', developer_id).limit(most)
  const { numDeletedRows } = await db.deleteFrom('developer_activities').where('id', 'in', some).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Foreign keys delete what is left of it. */
export async function deleteDeletedDeveloper(db: Db, developer_id: string): Promise<void> {
  await db.deleteFrom('developers').where('id', '=', developer_id).where('deleted_at', 'is not', null).execute()
}
