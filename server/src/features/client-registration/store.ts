import type { Db, ReadDb } from '../../db/open.ts'
import type { RegistrationTokensTable } from '../../db/schema.ts'

export type RegistrationToken = RegistrationTokensTable

export async function insertRegistrationToken(db: Db, row: RegistrationToken): Promise<void> {
  await db.insertInto('registration_tokens').values(row).execute()
}

/** Consumes one use of an initial access token. Returns undefined when it is unknown, expired or used up. */
export async function consumeRegistrationToken(
  db: Db,
  token_hash: string,
  now: string,
): Promise<RegistrationToken | undefined> {
  return await db
    .updateTable('registration_tokens')
    .set((e) => ({ uses_left: e('uses_left', '-', 1) }))
    .where('token_hash', '=', token_hash)
    .where('client_id', 'is', null)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Lists the initial access tokens that can still be used, newest first. */
export async function listRegistrationTokens(db: ReadDb, now: string): Promise<RegistrationToken[]> {
  return await db
    .selectFrom('registration_tokens')
    .selectAll()
    .where('client_id', 'is', null)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute()
}

/** Deletes an initial access token and returns it; undefined when there is none with this hash. */
export async function deleteRegistrationToken(db: Db, token_hash: string): Promise<RegistrationToken | undefined> {
  return await db
    .deleteFrom('registration_tokens')
    .where('token_hash', '=', token_hash)
    .where('client_id', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Finds the registration access token of a client (RFC 7592). */
export async function findRegistrationToken(
  db: ReadDb,
  { token_hash, client_id }: { token_hash: string; client_id: string },
): Promise<RegistrationToken | undefined> {
  return await db
    .selectFrom('registration_tokens')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
}

/** Deletes at most `limit` tokens that expired before `before`. Returns their number. */
export async function deleteRegistrationTokens(db: Db, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('registration_tokens')
    .where('token_hash', 'in', (e) =>
      e.selectFrom('registration_tokens').select('token_hash').where('expires_at', '<', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Whether the account of the user is deleted in the next days, unless they sign in. */
export async function isBeingDeleted(db: ReadDb, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}
