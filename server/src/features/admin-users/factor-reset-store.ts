import type { Db, ReadDb } from '../../db/open.ts'
import type { FactorResetsTable } from '../../db/schema.ts'

export type FactorResetRow = FactorResetsTable

export async function insertFactorReset(db: Db, row: FactorResetRow): Promise<void> {
  await db.insertInto('factor_resets').values(row).execute()
}

export async function findFactorReset(
  db: ReadDb,
  key: Partial<Pick<FactorResetRow, 'id' | 'token_hash'>>,
): Promise<FactorResetRow | undefined> {
  let query = db.selectFrom('factor_resets').selectAll()
  if (key.id !== undefined) query = query.where('id', '=', key.id)
  if (key.token_hash !== undefined) query = query.where('token_hash', '=', key.token_hash)
  return await query.executeTakeFirst()
}

/** The one that waits for its time; a user has at most one. */
export async function findWaitingReset(db: ReadDb, user_id: string): Promise<FactorResetRow | undefined> {
  return await db
    .selectFrom('factor_resets')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('ended_as', 'is', null)
    .executeTakeFirst()
}

type End = { ended_as: NonNullable<FactorResetRow['ended_as']>; ended_at: string }

/** Ends one while it waits; of concurrent requests exactly one succeeds. */
export async function consumeFactorReset(db: Db, id: string, end: End): Promise<boolean> {
  const result = await db
    .updateTable('factor_resets')
    .set(end)
    .where('id', '=', id)
    .where('ended_as', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Puts one off while it waits. Returns false when it does not wait any more. */
export async function updateDueAt(db: Db, id: string, due_at: string): Promise<boolean> {
  const result = await db
    .updateTable('factor_resets')
    .set({ due_at })
    .where('id', '=', id)
    .where('ended_as', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends the waiting removal. Returns false when there is none. */
export async function consumeWaitingReset(db: Db, user_id: string, end: End): Promise<boolean> {
  const result = await db
    .updateTable('factor_resets')
    .set(end)
    .where('user_id', '=', user_id)
    .where('ended_as', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Deletes up to `limit` that ended before then, and returns how many. */
export async function deleteOldResets(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('factor_resets').select('id').where('ended_at', '<', before).limit(limit)
  const result = await db.deleteFrom('factor_resets').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
