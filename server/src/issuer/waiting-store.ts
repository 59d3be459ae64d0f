import type { Db, ReadDb } from '../db/open.ts'
import type { OidcTempTable } from '../db/schema.ts'

export type WaitingModel = 'Interaction' | 'SignOut' | 'ReplayDetection' | 'PushedRequest' | 'DeviceCode'
export type WaitingRow = OidcTempTable

export async function findWaiting(
  db: ReadDb,
  model: WaitingModel,
  id_hash: string,
  now: string,
): Promise<WaitingRow | undefined> {
  return await db
    .selectFrom('oidc_temp')
    .selectAll()
    .where('id_hash', '=', id_hash)
    .where('model', '=', model)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function putWaiting(db: Db, row: WaitingRow): Promise<void> {
  const { id_hash, model, ...changes } = row
  await db
    .insertInto('oidc_temp')
    .values(row)
    .onConflict((conflict) => conflict.column('id_hash').doUpdateSet(changes))
    .execute()
}

/** False when it is there already. */
export async function markOnce(db: Db, row: WaitingRow): Promise<boolean> {
  const query = db.insertInto('oidc_temp').values(row)
  const result = await query.onConflict((conflict) => conflict.column('id_hash').doNothing()).executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function deleteWaiting(db: Db, id_hash: string): Promise<void> {
  await db.deleteFrom('oidc_temp').where('id_hash', '=', id_hash).execute()
}

/** Deletes it; false when somebody else was faster. Nothing may be given for a false. */
export async function takeWaiting(db: Db, id_hash: string): Promise<boolean> {
  const result = await db.deleteFrom('oidc_temp').where('id_hash', '=', id_hash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** From now on it waits for this session; what another one had answered is void. */
export async function bindWaiting(db: Db, id_hash: string, session_id: string): Promise<void> {
  await db
    .updateTable('oidc_temp')
    .set({ session_id, decision: null })
    .where('id_hash', '=', id_hash)
    .where((e) => e.or([e('session_id', 'is', null), e('session_id', '<>', session_id)]))
    .execute()
}

/** Records the person's answer; false when there is one already, another session waits by now, or the time is up. */
export async function decideWaiting(
  db: Db,
  { id_hash, session_id, decision }: Pick<WaitingRow, 'id_hash' | 'session_id'> & { decision: 'allowed' | 'denied' },
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('oidc_temp')
    .set({ decision })
    .where('id_hash', '=', id_hash)
    .where('decision', 'is', null)
    .where('session_id', '=', session_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Deletes up to `limit` rows that ended before `now`; answers how many. */
export async function pruneWaiting(db: Db, now: string, limit: number): Promise<number> {
  const ended = db.selectFrom('oidc_temp').select('id_hash').where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('oidc_temp').where('id_hash', 'in', ended).executeTakeFirst()
  return Number(result.numDeletedRows)
}
