import type { Db, ReadDb } from '../../db/open.ts'
import type { OneTimeTokensTable } from '../../db/schema.ts'

export type TokenKind = OneTimeTokensTable['kind']
/** Whose token it is, and the address that it was mailed to. */
export type Bound = Pick<OneTimeTokensTable, 'user_id' | 'email'>

export async function insertToken(db: Db, row: OneTimeTokensTable): Promise<void> {
  await db.insertInto('one_time_tokens').values(row).execute()
}

/** How many were made for a person since then, used or not. */
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

/** Ends those of a person that have not been used. */
export async function voidTokens(db: Db, user_id: string, kind: TokenKind, now: string): Promise<void> {
  await db
    .updateTable('one_time_tokens')
    .set({ consumed_at: now })
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .execute()
}

/** One write that succeeds for exactly one of those who come with the same token (security.md 2.3.1). */
export async function consumeToken(
  db: Db,
  token_hash: string,
  kind: TokenKind,
  now: string,
): Promise<Bound | undefined> {
  return await db
    .updateTable('one_time_tokens')
    .set({ consumed_at: now })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()
}

/** The same question without using it up. */
export async function findToken(
  db: ReadDb,
  token_hash: string,
  kind: TokenKind,
  now: string,
): Promise<Bound | undefined> {
  return await db
    .selectFrom('one_time_tokens')
    .select(['user_id', 'email'])
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Answers how many it deleted; `most` bounds the time for which it holds the writer. */
export async function deleteExpiredTokens(db: Db, before: string, most: number): Promise<number> {
  const old = db.selectFrom('one_time_tokens').select('token_hash').where('expires_at', '<', before).limit(most)
  const result = await db.deleteFrom('one_time_tokens').where('token_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
