import type { Db, ReadDb } from '../../db/open.ts'
import type { OneTimeTokensTable } from '../../db/schema.ts'

export type TokenKind = OneTimeTokensTable['kind']
/** The user of a token and the address to which it was mailed. */
export type TokenSubject = Pick<OneTimeTokensTable, 'user_id' | 'email'>
/** User and address of a token, and its time of issue. */
export type BoundToken = TokenSubject & Pick<OneTimeTokensTable, 'created_at'>

export async function insertToken(db: Db, row: OneTimeTokensTable): Promise<void> {
  await db.insertInto('one_time_tokens').values(row).execute()
}

/** Counts the tokens issued for the user since then, consumed or not. */
export async function countTokens(db: ReadDb, user_id: string, kind: TokenKind, since: string): Promise<number> {
  const rows = await db
    .selectFrom('one_time_tokens')
    .select('created_at')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .execute()
  return rows.length
}

export async function consumeTokensOfUser(db: Db, user_id: string, kind: TokenKind, now: string): Promise<void> {
  await db
    .updateTable('one_time_tokens')
    .set({ consumed_at: now })
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .execute()
}

/** Consumes a token in one conditional write: of concurrent requests exactly one succeeds (security §2.3.1). */
export async function consumeToken(
  db: Db,
  token_hash: string,
  kind: TokenKind,
  now: string,
): Promise<BoundToken | undefined> {
  return await db
    .updateTable('one_time_tokens')
    .set({ consumed_at: now })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email', 'created_at'])
    .executeTakeFirst()
}

export async function findToken(
  db: ReadDb,
  token_hash: string,
  kind: TokenKind,
  now: string,
): Promise<BoundToken | undefined> {
  return await usableTokens(db, kind, now)
    .select(['user_id', 'email', 'created_at'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
}

/** Finds a token that was consumed, or voided by a newer one, and has not expired. */
export async function findConsumedToken(
  db: ReadDb,
  token_hash: string,
  kind: TokenKind,
  now: string,
): Promise<TokenSubject | undefined> {
  return await db
    .selectFrom('one_time_tokens')
    .select(['user_id', 'email'])
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function hasToken(db: ReadDb, user_id: string, kind: TokenKind, now: string): Promise<boolean> {
  const row = await usableTokens(db, kind, now)
    .select('token_hash')
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Tokens of a kind that are neither consumed nor expired. */
function usableTokens(db: ReadDb, kind: TokenKind, now: string) {
  return db
    .selectFrom('one_time_tokens')
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
}

/** Returns how many rows were deleted. `limit` bounds the duration of the write transaction. */
export async function deleteExpiredTokens(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('one_time_tokens').select('token_hash').where('expires_at', '<', before).limit(limit)
  const result = await db.deleteFrom('one_time_tokens').where('token_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
