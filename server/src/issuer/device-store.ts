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

/** The same, and nobody else binds or answers it until this transaction has ended. */
export async function lockDevice(db: Db, user_code_hash: string): Promise<WaitingRow | undefined> {
  return await db
    .selectFrom('oidc_temp')
    .selectAll()
    .where('model', '=', 'DeviceCode')
    .where('user_code_hash', '=', user_code_hash)
    .forUpdate()
    .executeTakeFirst()
}

export async function bindDevice(db: Db, { id_hash }: Pick<WaitingRow, 'id_hash'>, session_id: string): Promise<void> {
  await db.updateTable('oidc_temp').set({ session_id }).where('id_hash', '=', id_hash).execute()
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
