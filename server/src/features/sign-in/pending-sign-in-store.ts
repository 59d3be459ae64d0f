import type { Db, ReadDb } from '../../db/open.ts'
import type { PendingSignInsTable } from '../../db/schema.ts'

export async function insertPendingSignIn(db: Db, row: PendingSignInsTable): Promise<void> {
  await db.insertInto('pending_sign_ins').values(row).execute()
}

/** The user of a pending sign-in of this browser. */
export async function findPendingUser(
  db: ReadDb,
  { token_hash, browser_hash }: Pick<PendingSignInsTable, 'token_hash' | 'browser_hash'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('pending_sign_ins')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .where('browser_hash', '=', browser_hash)
    .executeTakeFirst()
  return row?.user_id
}

/** Counts one attempt and locks the row. Returns false when it is unknown, expired or has no attempts left. */
export async function consumeAttempt(
  db: Db,
  { token_hash, browser_hash }: Pick<PendingSignInsTable, 'token_hash' | 'browser_hash'>,
  limit: number,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('pending_sign_ins')
    .set((e) => ({ tries: e('tries', '+', 1) }))
    .where('token_hash', '=', token_hash)
    .where('browser_hash', '=', browser_hash)
    .where('tries', '<', limit)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns false when another transaction has deleted it first. */
export async function deletePendingSignIn(db: Db, token_hash: string): Promise<boolean> {
  const result = await db.deleteFrom('pending_sign_ins').where('token_hash', '=', token_hash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deletePendingSignInsOfUser(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', user_id).execute()
}

/** Returns how many rows were deleted. `limit` bounds the duration of the write transaction. */
export async function deleteExpiredPendingSignIns(db: Db, now: string, limit: number): Promise<number> {
  const old = db.selectFrom('pending_sign_ins').select('token_hash').where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('pending_sign_ins').where('token_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
