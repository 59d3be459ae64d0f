import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { CibaRequestsTable } from '../../db/schema.ts'
import { collected } from '../interactions/decisions.ts'

export type CibaRequestRow = CibaRequestsTable

/**
 * Inserts a request unless its client has `most` unanswered ones with the same hint, whether it names a user or not. Returns
 * whether it was inserted. The caller locks the client, as PostgreSQL does not count rows of transactions in progress.
 */
export async function insertCibaRequest(db: Db, row: CibaRequestRow, most: number): Promise<boolean> {
  const columns = Object.keys(row) as (keyof CibaRequestRow)[]
  const open = db
    .selectFrom('ciba_requests')
    .select((e) => e.fn.countAll().as('count'))
    .where('client_id', '=', row.client_id)
    .where('hint_hash', '=', row.hint_hash)
    .where('decision', 'is', null)
    .where('expires_at', '>', row.created_at)
  const result = await db
    .insertInto('ciba_requests')
    .columns(columns)
    .expression(
      db
        .selectNoFrom(columns.map((column) => sql<string | null>`cast(${row[column]} as text)`.as(column)))
        .where(({ val }) => sql<boolean>`(${open}) < ${val(most)}`),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Also returns an expired or answered one. */
export async function findCibaRequest(
  db: ReadDb,
  column: 'id' | 'auth_req_id_hash' | 'link_hash',
  value: string,
): Promise<CibaRequestRow | undefined> {
  return await db.selectFrom('ciba_requests').selectAll().where(column, '=', value).executeTakeFirst()
}

/** Requests that the user sees and has not answered, newest first. */
export async function listOpenCibaRequests(db: ReadDb, user_id: string, now: string): Promise<CibaRequestRow[]> {
  return await db
    .selectFrom('ciba_requests')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('delivered_at', 'is not', null)
    .where('decision', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
}

/** Shows the request to its user. Returns false when it was shown before, was answered or has expired. */
export async function updateDelivered(
  db: Db,
  { id, link_hash }: Pick<CibaRequestRow, 'id' | 'link_hash'>,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('ciba_requests')
    .set({ delivered_at: now, link_hash })
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .where('decision', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Records the decision of the only user who may answer. Returns false when there is one, or the request has expired. */
export async function updateCibaDecision(
  db: Db,
  answer: { id: string; user_id: string; session_id: string; decision: 'allowed' | 'denied' },
  now: string,
): Promise<boolean> {
  const { id, user_id, session_id, decision } = answer
  const result = await db
    .updateTable('ciba_requests')
    .set({ decision, session_id })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('delivered_at', 'is not', null)
    .where('decision', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Records when the client has asked for the tokens. */
export async function updateCibaAskedAt(db: Db, id: string, asked_at: string): Promise<void> {
  await db.updateTable('ciba_requests').set({ asked_at }).where('id', '=', id).execute()
}

/** Returns false when the decision was collected before or is another one now, or the request has expired. */
export async function consumeCibaRequest(
  db: Db,
  { auth_req_id_hash, decision }: { auth_req_id_hash: string; decision: 'allowed' | 'denied' },
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('ciba_requests')
    .set({ decision: collected(decision) })
    .where('auth_req_id_hash', '=', auth_req_id_hash)
    .where('decision', '=', decision)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Makes an approval usable again whose tokens were never sent. */
export async function restoreCibaRequest(db: Db, auth_req_id_hash: string): Promise<void> {
  await db
    .updateTable('ciba_requests')
    .set({ decision: 'allowed' })
    .where('auth_req_id_hash', '=', auth_req_id_hash)
    .where('decision', '=', 'used')
    .execute()
}

/** Requests that a revocation denies: all of a user or client, what these sessions have allowed, or what these connections concern. */
export type DeniedRequests =
  | { user_id: string }
  | { client_id: string }
  | { session_ids: readonly string[] }
  | { user_id: string; connection_ids: readonly string[] }
  | { lost: { client_id: string; connection_ids: readonly string[] } }

/**
 * Denies requests that are open, or allowed and not collected. One that nobody sees stays open: its client must not learn that its hint names
 * a user (decision 0039). Returns the ids of those that were open.
 */
export async function updateCibaRequestsDenied(db: Db, which: DeniedRequests): Promise<string[]> {
  let query = db
    .updateTable('ciba_requests')
    .set({ decision: 'denied' })
    .where((e) =>
      e.or([e.and([e('decision', 'is', null), e('delivered_at', 'is not', null)]), e('decision', '=', 'allowed')]),
    )
  if ('session_ids' in which) {
    if (which.session_ids.length === 0) return []
    query = query.where('session_id', 'in', which.session_ids)
  }
  if ('lost' in which) {
    const { client_id, connection_ids } = which.lost
    if (connection_ids.length === 0) return []
    query = query
      .where('client_id', '=', client_id)
      .where('user_id', 'in', (e) => e.selectFrom('connections').select('user_id').where('id', 'in', connection_ids))
  }
  if ('user_id' in which) query = query.where('user_id', '=', which.user_id)
  if ('client_id' in which) query = query.where('client_id', '=', which.client_id)
  if ('connection_ids' in which) {
    if (which.connection_ids.length === 0) return []
    query = query.where('client_id', 'in', (e) =>
      e.selectFrom('connections').select('client_id').where('id', 'in', which.connection_ids),
    )
  }
  const denied = await query.returning(['id', 'session_id']).execute()
  // The session is that of the answer.
  return denied.flatMap(({ id, session_id }) => (session_id === null ? [id] : []))
}

/**
 * Requests of a user that were not shown concern nobody any more: they stay pending, also when the account is deleted, as those with a hint
 * that names nobody.
 */
export async function updateUnseenCibaRequests(db: Db, user_id: string): Promise<void> {
  await db
    .updateTable('ciba_requests')
    .set({ user_id: null })
    .where('user_id', '=', user_id)
    .where('decision', 'is', null)
    .where('delivered_at', 'is', null)
    .execute()
}

/** Requests of which a part is encrypted. */
export async function listSealedCibaRequests(db: ReadDb): Promise<Pick<CibaRequestRow, 'id' | 'payload'>[]> {
  return await db.selectFrom('ciba_requests').select(['id', 'payload']).execute()
}

export async function updateCibaPayload(db: Db, id: string, payload: string): Promise<void> {
  await db.updateTable('ciba_requests').set({ payload }).where('id', '=', id).execute()
}

/** Deletes up to `limit` requests that expired before `now`. Returns their number. */
export async function deleteExpiredCibaRequests(db: Db, now: string, limit: number): Promise<number> {
  const expired = db.selectFrom('ciba_requests').select('id').where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('ciba_requests').where('id', 'in', expired).executeTakeFirst()
  return Number(result.numDeletedRows)
}
