import type { Db, ReadDb } from '../../db/open.ts'
import type { DevelopersTable } from '../../db/schema.ts'
import { inBatches } from '../../lib/batches.ts'

export type DeveloperRow = DevelopersTable
export type DeveloperChanges = Partial<Omit<DeveloperRow, 'id' | 'created_at'>>

export async function insertDeveloper(db: Db, row: DeveloperRow): Promise<void> {
  await db.insertInto('developers').values(row).execute()
}

/** Developer accounts that are not deleted. */
function present(db: ReadDb) {
  return db.selectFrom('developers').where('deleted_at', 'is', null)
}

export async function findDeveloper(db: ReadDb, developer_id: string): Promise<DeveloperRow | undefined> {
  return await present(db).selectAll().where('id', '=', developer_id).executeTakeFirst()
}

/** Locks the row against updates, but not against rows that reference it, so that sign-ins continue (`for no key update`). */
export async function findDeveloperForUpdate(db: Db, developer_id: string): Promise<DeveloperRow | undefined> {
  return await present(db).selectAll().where('id', '=', developer_id).forNoKeyUpdate().executeTakeFirst()
}

export async function listDevelopers(db: ReadDb, developer_ids: readonly string[]): Promise<DeveloperRow[]> {
  return await inBatches(developer_ids, (some) => present(db).selectAll().where('id', 'in', some).execute())
}

export async function updateDeveloperRow(db: Db, developer_id: string, changes: DeveloperChanges): Promise<void> {
  await db.updateTable('developers').set(changes).where('id', '=', developer_id).execute()
}

/** Foreign keys delete its members and clients. */
export async function deleteDeveloperRow(db: Db, developer_id: string): Promise<void> {
  await db.deleteFrom('developers').where('id', '=', developer_id).execute()
}
