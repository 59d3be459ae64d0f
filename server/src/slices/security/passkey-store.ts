import type { Db, ReadDb } from '../../db/open.ts'
import type { PasskeyChallengesTable, PasskeysTable } from '../../db/schema.ts'

export async function listPasskeys(db: ReadDb, user_id: string): Promise<PasskeysTable[]> {
  return await db.selectFrom('passkeys').selectAll().where('user_id', '=', user_id).orderBy('id').execute()
}

export async function findPasskey(db: ReadDb, credential_id: string): Promise<PasskeysTable | undefined> {
  return await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst()
}

/** False when this passkey is somebody's already. */
export async function insertPasskey(db: Db, row: PasskeysTable): Promise<boolean> {
  const result = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((c) => c.column('credential_id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Notes a use, if the counter still is what it was compared with and nobody has removed the passkey. */
export async function usePasskey(
  db: Db,
  { id, counter }: Pick<PasskeysTable, 'id' | 'counter'>,
  use: Pick<PasskeysTable, 'counter' | 'backed_up' | 'last_used_at'>,
): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set(use)
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function renamePasskey(
  db: Db,
  { id, user_id }: Pick<PasskeysTable, 'id' | 'user_id'>,
  name: string,
): Promise<PasskeysTable | undefined> {
  return await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()
}

export async function deletePasskey(db: Db, { id, user_id }: Pick<PasskeysTable, 'id' | 'user_id'>): Promise<boolean> {
  const result = await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function insertChallenge(db: Db, row: PasskeyChallengesTable): Promise<void> {
  await db.insertInto('passkey_challenges').values(row).execute()
}

export type Asked = Pick<PasskeyChallengesTable, 'challenge_hash' | 'purpose' | 'browser_hash' | 'user_id'>

/** Uses a challenge up: one write, which succeeds for exactly one of those who come with it, and only where it belongs. */
export async function consumeChallenge(db: Db, asked: Asked, now: string): Promise<boolean> {
  const { challenge_hash, purpose, browser_hash, user_id } = asked
  const result = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .where('purpose', '=', purpose)
    .where('browser_hash', '=', browser_hash)
    .where('user_id', user_id === null ? 'is' : '=', user_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Answers how many it deleted; `most` bounds the time for which it holds the writer. */
export async function deleteExpiredChallenges(db: Db, now: string, most: number): Promise<number> {
  const old = db.selectFrom('passkey_challenges').select('challenge_hash').where('expires_at', '<', now).limit(most)
  const result = await db.deleteFrom('passkey_challenges').where('challenge_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
