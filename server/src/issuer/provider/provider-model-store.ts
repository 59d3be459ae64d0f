import type { Db, ReadDb } from '../../db/open.ts'
import type { ProviderModelsTable } from '../../db/schema.ts'
import { timeAfter, toTime } from '../../db/values.ts'

export type ProviderModel =
  | 'Interaction'
  | 'SignOut'
  | 'FrontchannelLogout'
  | 'ReplayDetection'
  | 'PushedRequest'
  | 'UsedPushedRequest'
  | 'DeviceCode'
  | 'EndedGrant'
export type ProviderModelRow = ProviderModelsTable

/** A row with an empty payload. `expiresIn` is in seconds. */
export function newProviderModelRow(
  model: ProviderModel,
  id_hash: string,
  now: Date,
  expiresIn: number,
): ProviderModelRow {
  return {
    id_hash,
    model,
    session_id: null,
    decision: null,
    user_code_hash: null,
    asked_at: null,
    payload: '{}',
    created_at: toTime(now),
    expires_at: timeAfter(now, expiresIn),
  }
}

/** Undefined when there is no row of this model and id, or it has expired. */
export async function findProviderModel(
  db: ReadDb,
  model: ProviderModel,
  id_hash: string,
  now: string,
): Promise<ProviderModelRow | undefined> {
  return await db
    .selectFrom('provider_models')
    .selectAll()
    .where('id_hash', '=', id_hash)
    .where('model', '=', model)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Also returns expired ones. */
export async function listProviderModels(db: ReadDb, model: ProviderModel): Promise<ProviderModelRow[]> {
  return await db.selectFrom('provider_models').selectAll().where('model', '=', model).execute()
}

export async function updateProviderModelPayload(db: Db, id_hash: string, payload: string): Promise<void> {
  await db.updateTable('provider_models').set({ payload }).where('id_hash', '=', id_hash).execute()
}

export async function upsertProviderModel(db: Db, row: ProviderModelRow): Promise<void> {
  const { id_hash, model, ...changes } = row
  await db
    .insertInto('provider_models')
    .values(row)
    .onConflict((conflict) => conflict.column('id_hash').doUpdateSet(changes))
    .execute()
}

/** Returns false when a row of that id exists. */
export async function insertProviderModel(db: Db, row: ProviderModelRow): Promise<boolean> {
  const query = db.insertInto('provider_models').values(row)
  const result = await query.onConflict((conflict) => conflict.column('id_hash').doNothing()).executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function deleteProviderModel(db: Db, id_hash: string): Promise<void> {
  await db.deleteFrom('provider_models').where('id_hash', '=', id_hash).execute()
}

/** Returns false when another transaction has deleted the row first. */
export async function consumeProviderModel(db: Db, id_hash: string): Promise<boolean> {
  const result = await db.deleteFrom('provider_models').where('id_hash', '=', id_hash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Binds an interaction to another session; a decision of the former session is void. */
export async function updateInteractionSession(db: Db, id_hash: string, session_id: string): Promise<void> {
  await db
    .updateTable('provider_models')
    .set({ session_id, decision: null })
    .where('id_hash', '=', id_hash)
    .where((e) => e.or([e('session_id', 'is', null), e('session_id', '<>', session_id)]))
    .execute()
}

/**
 * Records the user's decision. Returns false when there is another one, the row is bound to another session or has expired. The same one can be
 * recorded again, because the browser may not have received the answer to the first; an interaction that was allowed and has not continued can
 * be denied.
 */
export async function updateDecision(
  db: Db,
  {
    id_hash,
    session_id,
    decision,
  }: Pick<ProviderModelRow, 'id_hash' | 'session_id'> & { decision: 'allowed' | 'denied' },
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('provider_models')
    .set({ decision })
    .where('id_hash', '=', id_hash)
    .where((e) =>
      e.or([
        e('decision', 'is', null),
        e('decision', '=', decision),
        ...(decision === 'denied' ? [e('model', '=', 'Interaction')] : []),
      ]),
    )
    .where('session_id', '=', session_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Deletes the decisions that these sessions have made about interactions. */
export async function deleteDecisionsOfSessions(db: Db, session_ids: readonly string[]): Promise<void> {
  if (session_ids.length === 0) return
  await db
    .updateTable('provider_models')
    .set({ decision: null })
    .where('model', '=', 'Interaction')
    .where('session_id', 'in', session_ids)
    .execute()
}

/** Deletes up to `limit` rows that expired before `now`. Returns their number. */
export async function deleteExpiredProviderModels(db: Db, now: string, limit: number): Promise<number> {
  const expired = db.selectFrom('provider_models').select('id_hash').where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('provider_models').where('id_hash', 'in', expired).executeTakeFirst()
  return Number(result.numDeletedRows)
}
