import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import { batches } from '../../lib/batches.ts'
import type { ProviderModelRow } from '../provider/provider-model-store.ts'

/** Also returns an expired one, so that device and user are told `expired` (decision 0039). */
export async function findDeviceCode(
  db: ReadDb,
  column: 'id_hash' | 'user_code_hash',
  hash: string,
): Promise<ProviderModelRow | undefined> {
  return await db
    .selectFrom('provider_models')
    .selectAll()
    .where('model', '=', 'DeviceCode')
    .where(column, '=', hash)
    .executeTakeFirst()
}

/**
 * Binds a device code to a session. Returns false when it was answered, has expired, or is bound to another user's live
 * session. The former session is a condition of the write, because PostgreSQL does not read other tables again after it
 * has waited for the row.
 */
export async function updateDeviceSession(
  db: Db,
  row: Pick<ProviderModelRow, 'id_hash' | 'session_id'>,
  { user_id, session_id }: { user_id: string; session_id: string },
  now: string,
): Promise<boolean> {
  const former = row.session_id
  if (former !== null && (await isLiveSessionOfOther(db, former, user_id))) return false
  const result = await db
    .updateTable('provider_models')
    .set({ session_id })
    .where('id_hash', '=', row.id_hash)
    .where('decision', 'is', null)
    .where('expires_at', '>', now)
    .where((e) =>
      e.or([
        former === null ? e('session_id', 'is', null) : e('session_id', '=', former),
        e('session_id', '=', session_id),
      ]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

async function isLiveSessionOfOther(db: ReadDb, session_id: string, user_id: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', session_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return session !== undefined && session.user_id !== user_id
}

/** Records when the device has asked for the tokens. */
export async function updateAskedAt(db: Db, id_hash: string, asked_at: string): Promise<void> {
  await db.updateTable('provider_models').set({ asked_at }).where('id_hash', '=', id_hash).execute()
}

/** Returns false when the decision was collected before or is another one now, or the code has expired. */
export async function consumeDeviceCode(
  db: Db,
  { id_hash, decision }: { id_hash: string; decision: 'allowed' | 'denied' },
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('provider_models')
    .set({ decision: 'used' })
    .where('id_hash', '=', id_hash)
    .where('decision', '=', decision)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Makes an approval usable again whose tokens were never sent. */
export async function restoreDeviceCode(db: Db, id_hash: string): Promise<void> {
  await db
    .updateTable('provider_models')
    .set({ decision: 'allowed' })
    .where('id_hash', '=', id_hash)
    .where('decision', '=', 'used')
    .execute()
}

function sessionsOf(db: ReadDb, which: { user_id: string } | { connection_ids: readonly string[] }) {
  const sessions = db.selectFrom('sessions').select('id')
  if ('user_id' in which) return sessions.where('user_id', '=', which.user_id)
  return sessions.where('user_id', 'in', (e) =>
    e.selectFrom('connections').select('user_id').where('id', 'in', which.connection_ids),
  )
}

/**
 * Denies approved device codes of these sessions, of all sessions of a user for one client or all, or of the users of these
 * connections for their client.
 */
export async function updateDeviceCodesDenied(
  db: Db,
  which:
    | { session_ids: readonly string[] }
    | { user_id: string; client_id: string | undefined }
    | { connection_ids: readonly string[]; client_id: string },
): Promise<void> {
  if ('session_ids' in which && which.session_ids.length === 0) return
  if ('connection_ids' in which && which.connection_ids.length === 0) return
  const sessions = 'session_ids' in which ? which.session_ids : sessionsOf(db, which)
  const rows = await db
    .selectFrom('provider_models')
    .select(['id_hash', 'payload'])
    .where('model', '=', 'DeviceCode')
    .where('decision', '=', 'allowed')
    .where('session_id', 'in', sessions)
    .execute()
  const client_id = 'client_id' in which ? which.client_id : undefined
  const denied = rows.filter(
    ({ payload }) => client_id === undefined || fromJson<{ client_id: string }>(payload).client_id === client_id,
  )
  const update = db.updateTable('provider_models').set({ decision: 'denied' }).where('decision', '=', 'allowed')
  for (const hashes of batches(denied.map(({ id_hash }) => id_hash)))
    await update.where('id_hash', 'in', hashes).execute()
}
