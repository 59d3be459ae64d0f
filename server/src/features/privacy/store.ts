import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, Guard, ReadDb } from '../../db/open.ts'
import type { AccountDeletionsTable, DataRequestsTable } from '../../db/schema.ts'

export type DataRequestRow = DataRequestsTable

/** Returns false when an archive of the user is already in progress. */
export async function insertRequest(db: Db, row: DataRequestRow): Promise<boolean> {
  const result = await db
    .insertInto('data_requests')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Newest first. */
export async function listRequests(db: ReadDb, user_id: string, limit: number): Promise<DataRequestRow[]> {
  return await db
    .selectFrom('data_requests')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findRequest(db: ReadDb, id: string): Promise<DataRequestRow | undefined> {
  return await db.selectFrom('data_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Returns false when the request is no longer in progress or its user was deleted. `file`: also when another attempt has begun to write another file.
 */
export async function updateRunning(
  db: Db,
  id: string,
  changes: Partial<DataRequestRow>,
  file?: string,
): Promise<boolean> {
  const update = db.updateTable('data_requests').set(changes).where('id', '=', id).where('ready_until', 'is', null)
  const result = await (file === undefined ? update : update.where('file', '=', file)).executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Files of ready archives, of the requests after `after`. */
export async function listReadyFiles(
  db: ReadDb,
  after: string,
  limit: number,
): Promise<{ id: string; file: string | null }[]> {
  return await db
    .selectFrom('data_requests')
    .select(['id', 'file'])
    .where('state', '=', 'ready')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Ready requests whose archive has expired. */
export async function listExpiredRequests(db: ReadDb, now: string, limit: number): Promise<DataRequestRow[]> {
  return await db
    .selectFrom('data_requests')
    .selectAll()
    .where('state', '=', 'ready')
    .where('ready_until', '<=', now)
    .limit(limit)
    .execute()
}

/** Requests in progress that were made before then. */
export async function listOldRunning(
  db: ReadDb,
  before: string,
  limit: number,
): Promise<Pick<DataRequestRow, 'id' | 'file'>[]> {
  return await db
    .selectFrom('data_requests')
    .select(['id', 'file'])
    .where('ready_until', 'is', null)
    .where('created_at', '<', before)
    .limit(limit)
    .execute()
}

export async function updateExpired(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('data_requests').set({ state: 'expired', file: null }).where('id', 'in', ids).execute()
}

/** Deletes requests without a file that ended before then, and returns how many. */
export async function deleteOldRequests(db: Db, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('data_requests')
    .select('id')
    .where('file', 'is', null)
    .where('ready_until', '<', before)
    .limit(limit)
  const result = await db.deleteFrom('data_requests').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Returns false when a deletion is already scheduled; its time does not change. */
export async function insertDeletion(db: Db, row: AccountDeletionsTable): Promise<boolean> {
  const result = await db
    .insertInto('account_deletions')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

const deletionOut = prepare((db, { user_id }: { user_id: string }) =>
  db.deleteFrom('account_deletions').where('user_id', '=', user_id),
)

/** Returns true when a deletion was scheduled. */
export async function deleteDeletion(db: Db, user_id: string): Promise<boolean> {
  return (await deletionOut.changed(db, { user_id })) === 1
}

const noDeletion = prepare((db, { user_id }: { user_id: string }) =>
  db
    .selectFrom('account_deletions')
    .select((e) => e('due_at', 'is', null).as('holds'))
    .where('user_id', '=', user_id),
)

/** Implements `AccountDeletions`. */
export function noDeletionGuard(user_id: string): Guard {
  return { statement: noDeletion.with({ user_id }), missing: true }
}

/** Implements `AccountDeletions`: when the scheduled deletion of a user was requested. */
export async function findDeletionRequest(db: ReadDb, user_id: string): Promise<string | undefined> {
  const query = db.selectFrom('account_deletions').select('requested_at').where('user_id', '=', user_id)
  return (await query.executeTakeFirst())?.requested_at
}

/** Users whose deletion is due, ordered by id, after the id `after`. */
export async function listDueDeletions(
  db: ReadDb,
  now: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('due_at', '<=', now)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Locks a scheduled deletion and returns whether it is due. */
export async function findDueForUpdate(db: Db, user_id: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('due_at', '<=', now)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
