import type { Db, ReadDb } from '../db/open.ts'
import type { WaitingRow } from './waiting-store.ts'

/** One that has ended, too, as long as it is there: its device and its person are told. */
export async function findDevice(
  db: ReadDb,
  column: 'id_hash' | 'user_code_hash',
  hash: string,
): Promise<WaitingRow | undefined> {
  return await db
    .selectFrom('oidc_temp')
    .selectAll()
    .where('model', '=', 'DeviceCode')
    .where(column, '=', hash)
    .executeTakeFirst()
}

/** Binds it to a session, unless it was answered, has ended, or another account that is still signed in came first. */
export async function bindDevice(
  db: Db,
  { id_hash, session_id, user_id }: { id_hash: string; session_id: string; user_id: string },
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('oidc_temp')
    .set({ session_id })
    .where('id_hash', '=', id_hash)
    .where('decision', 'is', null)
    .where('expires_at', '>', now)
    .where((e) => {
      const others = e
        .selectFrom('sessions')
        .select('sessions.id')
        .whereRef('sessions.id', '=', 'oidc_temp.session_id')
        .where('sessions.ended_at', 'is', null)
        .where('sessions.user_id', '<>', user_id)
      return e.not(e.exists(others))
    })
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function noteAsked(db: Db, id_hash: string, asked_at: string): Promise<void> {
  await db.updateTable('oidc_temp').set({ asked_at }).where('id_hash', '=', id_hash).execute()
}

/** The device has heard the answer; false when it had before. Nothing may be given for a false. */
export async function spendDevice(db: Db, id_hash: string, now: string): Promise<boolean> {
  const result = await db
    .updateTable('oidc_temp')
    .set({ decision: 'used' })
    .where('id_hash', '=', id_hash)
    .where('decision', 'in', ['allowed', 'denied'])
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
