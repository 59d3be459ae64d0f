import { isOneOfIds } from '../../../db/id-ends.ts'
import type { Db } from '../../../db/open.ts'

/**
 * Deletes the tokens of a client, and those that others received in exchange for them, when there are fewer than `limit` tokens and
 * connections. Resolves with false when there are more. Looks until it finds none, because a statement that has waited for a transaction which
 * consumed a token does not see the tokens that this transaction has inserted (decision 0012).
 */
export async function deleteTokensOfClient(db: Db, client_id: string, limit: number): Promise<boolean> {
  for (let left = limit; ; ) {
    const own = await deleteSome(db, client_id, undefined, left)
    left -= own
    if (left === 0) return false
    const connection_ids = await listConnectionIds(db, client_id, '', limit)
    if (connection_ids.length === limit) return false
    if (own + (await deleteExchanged(db, connection_ids, undefined)) === 0) return true
  }
}

/** Whether a client has at least so many tokens. */
export async function hasManyTokens(db: Db, client_id: string, least: number): Promise<boolean> {
  const rows = await db.selectFrom('tokens').select('kind').where('client_id', '=', client_id).limit(least).execute()
  return rows.length === least
}

/** Deletes up to `limit` tokens of a client; only those that are not newer than `until`, if there is one. Returns their number. */
export async function deleteSome(db: Db, client_id: string, until: string | undefined, limit: number): Promise<number> {
  let some = db.selectFrom('tokens').select('token_hash').where('client_id', '=', client_id).limit(limit)
  if (until !== undefined) some = some.where('created_at', '<=', until)
  const result = await db.deleteFrom('tokens').where('token_hash', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Deletes the tokens that came from connections, also by exchange; only those that are not newer than `until`, if there is one. Returns their
 * number.
 */
export async function deleteExchanged(
  db: Db,
  connection_ids: readonly string[],
  until: string | undefined,
): Promise<number> {
  if (connection_ids.length === 0) return 0
  let query = db.deleteFrom('tokens').where(isOneOfIds('tokens.connection_id', connection_ids))
  if (until !== undefined) query = query.where('created_at', '<=', until)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Lists ids of connections with a client, in their order after a former one. */
export async function listConnectionIds(db: Db, client_id: string, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('client_id', '=', client_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
