import type { Db, ReadDb } from '../../db/open.ts'

export async function insertSetupLink(db: Db, token_hash: string, expires_at: string): Promise<void> {
  await db.insertInto('setup_links').values({ token_hash, expires_at }).execute()
}

/** Returns when an unexpired link expires. */
export async function findSetupLink(db: ReadDb, token_hash: string, now: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('setup_links')
    .select('expires_at')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.expires_at
}

/** Consumes a link in one conditional write: of concurrent requests exactly one succeeds (security §2.3.1). */
export async function consumeSetupLink(db: Db, token_hash: string, now: string): Promise<boolean> {
  const result = await db
    .deleteFrom('setup_links')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deleteSetupLinks(db: Db): Promise<void> {
  await db.deleteFrom('setup_links').execute()
}

export async function deleteExpiredSetupLinks(db: Db, now: string): Promise<void> {
  await db.deleteFrom('setup_links').where('expires_at', '<=', now).execute()
}
