import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import { batches } from '../../lib/batches.ts'
import { collected } from '../interactions/decisions.ts'
import type { ProviderModelRow } from '../provider/provider-model-store.ts'

/** Also returns an expired one, so that device and user get `expired` (decision 0039). */
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
    .set({ decision: collected(decision) })
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

/** Approved device codes that end: those of these sessions, of a user, for a client, or of the users of these connections for their clients. */
type ApprovedCodes =
  | { session_ids: readonly string[] }
  | { user_id: string }
  | { client_id: string }
  | { connection_ids: readonly string[] }

/** Denies approved device codes. */
export async function updateDeviceCodesDenied(db: Db, which: ApprovedCodes): Promise<void> {
  const update = db
    .updateTable('provider_models')
    .set({ decision: 'denied' })
    .where('model', '=', 'DeviceCode')
    .where('decision', '=', 'allowed')
  if ('session_ids' in which) {
    if (which.session_ids.length > 0) await update.where('session_id', 'in', which.session_ids).execute()
    return
  }
  if ('user_id' in which) {
    const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', which.user_id)
    await update.where('session_id', 'in', sessions).execute()
    return
  }
  const hashes =
    'client_id' in which
      ? await listApprovedForClient(db, which.client_id)
      : await listApprovedForConnections(db, which.connection_ids)
  for (const some of batches(hashes)) await update.where('id_hash', 'in', some).execute()
}

async function listApprovedForClient(db: ReadDb, client_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('provider_models')
    .select(['id_hash', 'payload'])
    // Device codes alone have one; it is indexed.
    .where('user_code_hash', 'is not', null)
    .where('model', '=', 'DeviceCode')
    .where('decision', '=', 'allowed')
    .execute()
  return rows.filter(({ payload }) => clientOf(payload) === client_id).map(({ id_hash }) => id_hash)
}

async function listApprovedForConnections(db: ReadDb, connection_ids: readonly string[]): Promise<string[]> {
  if (connection_ids.length === 0) return []
  const rows = await db
    .selectFrom('connections')
    .innerJoin('sessions', 'sessions.user_id', 'connections.user_id')
    .innerJoin('provider_models', 'provider_models.session_id', 'sessions.id')
    .select(['provider_models.id_hash', 'provider_models.payload', 'connections.client_id'])
    .where('connections.id', 'in', connection_ids)
    .where('provider_models.model', '=', 'DeviceCode')
    .where('provider_models.decision', '=', 'allowed')
    .execute()
  return rows.filter(({ payload, client_id }) => clientOf(payload) === client_id).map(({ id_hash }) => id_hash)
}

function clientOf(payload: string): string {
  return fromJson<{ client_id: string }>(payload).client_id
}
