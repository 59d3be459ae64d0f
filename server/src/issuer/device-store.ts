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

/**
 * Binds it to a session, unless it was answered, has ended, or another account that is still signed in came first. What
 * was read of the first comer is a condition of the write: PostgreSQL does not look at other tables again when it has
 * waited for the row.
 */
export async function bindDevice(
  db: Db,
  row: Pick<WaitingRow, 'id_hash' | 'session_id'>,
  { user_id, session_id }: { user_id: string; session_id: string },
  now: string,
): Promise<boolean> {
  const first = row.session_id
  if (first !== null && (await isOfAnother(db, first, user_id))) return false
  const result = await db
    .updateTable('oidc_temp')
    .set({ session_id })
    .where('id_hash', '=', row.id_hash)
    .where('decision', 'is', null)
    .where('expires_at', '>', now)
    .where((e) =>
      e.or([
        first === null ? e('session_id', 'is', null) : e('session_id', '=', first),
        e('session_id', '=', session_id),
      ]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Whether somebody else is signed in with that session. */
async function isOfAnother(db: ReadDb, session_id: string, user_id: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', session_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return session !== undefined && session.user_id !== user_id
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
