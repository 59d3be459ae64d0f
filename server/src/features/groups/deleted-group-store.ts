import type { Db, ReadDb } from '../../db/open.ts'
import type { GroupRow } from './store.ts'

/** Marks a group as deleted; nothing finds it any more. */
export async function markGroupDeleted(db: Db, key: string, deleted_at: string): Promise<void> {
  await db.updateTable('groups').set({ deleted_at }).where('key', '=', key).execute()
}

/** Locks a group that is being deleted. */
export async function findDeletedGroupForUpdate(db: Db, key: string): Promise<GroupRow | undefined> {
  const query = db.selectFrom('groups').selectAll().where('key', '=', key).where('deleted_at', 'is not', null)
  return await query.forUpdate().executeTakeFirst()
}

/** Lists the groups that are being deleted. */
export async function listDeletedGroups(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('groups').select('key').where('deleted_at', 'is not', null).execute()
  return rows.map(({ key }) => key)
}
