import type { ExpressionBuilder } from 'kysely'
import type { Db, ReadDb } from '../../../db/open.ts'
import type { Database, PasskeyChallengesTable, PasskeysTable } from '../../../db/schema.ts'

export async function listPasskeys(db: ReadDb, user_id: string): Promise<PasskeysTable[]> {
  return await db.selectFrom('passkeys').selectAll().where('user_id', '=', user_id).orderBy('id').execute()
}

export async function findPasskey(db: ReadDb, credential_id: string): Promise<PasskeysTable | undefined> {
  return await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst()
}

/** Returns false when the credential is already registered. */
export async function insertPasskey(db: Db, row: PasskeysTable): Promise<boolean> {
  const result = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((c) => c.column('credential_id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Returns false when the counter has changed or the passkey was removed meanwhile. */
export async function updatePasskeyUse(
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

export async function updatePasskeyName(
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

export async function deletePasskey(db: Db, { id, user_id }: Pick<PasskeysTable, 'id' | 'user_id'>): Promise<void> {
  await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', user_id).execute()
}

export async function deletePasskeysOfUser(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', user_id).execute()
}

export async function insertChallenge(db: Db, row: PasskeyChallengesTable): Promise<void> {
  await db.insertInto('passkey_challenges').values(row).execute()
}

export type ChallengeKey = Pick<PasskeyChallengesTable, 'challenge_hash' | 'purpose' | 'browser_hash' | 'user_id'>

/** Whether this browser, user and purpose have the challenge. */
export async function hasChallenge(db: ReadDb, asked: ChallengeKey, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkey_challenges')
    .select('challenge_hash')
    .where(isAsked(asked, now))
    .executeTakeFirst()
  return row !== undefined
}

/** Consumes a challenge of this browser, user and purpose: of concurrent requests exactly one succeeds. */
export async function consumeChallenge(db: Db, asked: ChallengeKey, now: string): Promise<boolean> {
  const result = await db.deleteFrom('passkey_challenges').where(isAsked(asked, now)).executeTakeFirst()
  return result.numDeletedRows === 1n
}

function isAsked({ challenge_hash, purpose, browser_hash, user_id }: ChallengeKey, now: string) {
  return (e: ExpressionBuilder<Database, 'passkey_challenges'>) =>
    e.and([
      e('challenge_hash', '=', challenge_hash),
      e('purpose', '=', purpose),
      e('browser_hash', '=', browser_hash),
      e('user_id', user_id === null ? 'is' : '=', user_id),
      e('expires_at', '>', now),
    ])
}

/** Returns how many rows were deleted. `limit` bounds the duration of the write transaction. */
export async function deleteExpiredChallenges(db: Db, now: string, limit: number): Promise<number> {
  const old = db.selectFrom('passkey_challenges').select('challenge_hash').where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('passkey_challenges').where('challenge_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
