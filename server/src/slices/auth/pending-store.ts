import type { Db } from '../../db/open.ts'
import type { PendingSignInsTable } from '../../db/schema.ts'

export async function insertPending(db: Db, row: PendingSignInsTable): Promise<void> {
  await db.insertInto('pending_sign_ins').values(row).execute()
}

/** Counts one try, and holds the row until the transaction ends; undefined when there is nothing to try on. */
export async function takePending(
  db: Db,
  { token_hash, browser_hash }: Pick<PendingSignInsTable, 'token_hash' | 'browser_hash'>,
  most: number,
  now: string,
): Promise<Pick<PendingSignInsTable, 'user_id'> | undefined> {
  return await db
    .updateTable('pending_sign_ins')
    .set((e) => ({ tries: e('tries', '+', 1) }))
    .where('token_hash', '=', token_hash)
    .where('browser_hash', '=', browser_hash)
    .where('tries', '<', most)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
}

/** False when somebody has used it already. */
export async function deletePending(db: Db, token_hash: string): Promise<boolean> {
  const result = await db.deleteFrom('pending_sign_ins').where('token_hash', '=', token_hash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deletePendingOfUser(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', user_id).execute()
}

/** Answers how many it deleted; `most` bounds the time for which it holds the writer. */
export async function deleteExpiredPending(db: Db, now: string, most: number): Promise<number> {
  const old = db.selectFrom('pending_sign_ins').select('token_hash').where('expires_at', '<', now).limit(most)
  const result = await db.deleteFrom('pending_sign_ins').where('token_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
