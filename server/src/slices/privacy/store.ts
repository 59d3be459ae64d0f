import type { Db, ReadDb } from '../../db/open.ts'
import type { AccountDeletionsTable, DataRequestsTable } from '../../db/schema.ts'

export type DataRequestRow = DataRequestsTable

/** False when one is being made for this person already. */
export async function insertRequest(db: Db, row: DataRequestRow): Promise<boolean> {
  const result = await db
    .insertInto('data_requests')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Newest first. */
export async function listRequests(db: ReadDb, user_id: string, most: number): Promise<DataRequestRow[]> {
  return await db
    .selectFrom('data_requests')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

export async function findRequest(db: ReadDb, id: string): Promise<DataRequestRow | undefined> {
  return await db.selectFrom('data_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** False when it is not being made any more, or its account is gone. */
export async function updateRunning(db: Db, id: string, changes: Partial<DataRequestRow>): Promise<boolean> {
  const result = await db
    .updateTable('data_requests')
    .set(changes)
    .where('id', '=', id)
    .where('ready_until', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ready ones whose days are over. */
export async function listOverdue(db: ReadDb, now: string, most: number): Promise<DataRequestRow[]> {
  return await db
    .selectFrom('data_requests')
    .selectAll()
    .where('state', '=', 'ready')
    .where('ready_until', '<=', now)
    .limit(most)
    .execute()
}

export async function markExpired(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('data_requests').set({ state: 'expired', file: null }).where('id', 'in', ids).execute()
}

/** Those that nobody needs to read about any more. */
export async function deleteOldRequests(db: Db, before: string, most: number): Promise<number> {
  const old = db
    .selectFrom('data_requests')
    .select('id')
    .where('file', 'is', null)
    .where('ready_until', '<', before)
    .limit(most)
  const result = await db.deleteFrom('data_requests').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** False when it was asked for already; its time stays. */
export async function insertDeletion(db: Db, row: AccountDeletionsTable): Promise<boolean> {
  const result = await db
    .insertInto('account_deletions')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** True when there was one. */
export async function deleteDeletion(db: Db, user_id: string): Promise<boolean> {
  const result = await db.deleteFrom('account_deletions').where('user_id', '=', user_id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Whose time has come, in the order of their ids, from the one behind `after` on. */
export async function listDue(
  db: ReadDb,
  now: string,
  { after, most }: { after: string; most: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('due_at', '<=', now)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(most)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** True while it is due; nobody undoes it then until this transaction has ended. */
export async function lockDue(db: Db, user_id: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('due_at', '<=', now)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
