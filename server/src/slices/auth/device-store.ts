import type { Db, ReadDb } from '../../db/open.ts'

/** When this browser was last used to sign in to this account; undefined if it never was. */
export async function findDevice(db: ReadDb, token_hash: string, user_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('known_devices')
    .select('last_used_at')
    .where('token_hash', '=', token_hash)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.last_used_at
}

export async function keepDevice(db: Db, token_hash: string, user_id: string, now: string): Promise<void> {
  await db
    .insertInto('known_devices')
    .values({ token_hash, user_id, created_at: now, last_used_at: now })
    .onConflict((c) => c.columns(['token_hash', 'user_id']).doUpdateSet({ last_used_at: now }))
    .execute()
}

/** People who have signed in with this browser, the latest first. */
export async function listPeople(db: ReadDb, token_hash: string): Promise<string[]> {
  const rows = await db
    .selectFrom('known_devices')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .orderBy('last_used_at', 'desc')
    .limit(10)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function forgetDevice(db: Db, token_hash: string, user_id: string): Promise<void> {
  await db.deleteFrom('known_devices').where('token_hash', '=', token_hash).where('user_id', '=', user_id).execute()
}

/** Forgets all but the `most` that were used last. */
export async function forgetOldDevices(db: Db, user_id: string, most: number): Promise<void> {
  const beyond = await db
    .selectFrom('known_devices')
    .select('token_hash')
    .where('user_id', '=', user_id)
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .limit(100)
    .offset(most)
    .execute()
  if (beyond.length === 0) return
  const hashes = beyond.map(({ token_hash }) => token_hash)
  await db.deleteFrom('known_devices').where('user_id', '=', user_id).where('token_hash', 'in', hashes).execute()
}
