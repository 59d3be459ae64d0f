import type { Db } from '../../db/open.ts'
import type { TokenHash } from '../../lib/ids.ts'

export async function insertProxyTest(db: Db, token_hash: TokenHash, expires_at: string): Promise<void> {
  await db.insertInto('proxy_tests').values({ token_hash, expires_at }).execute()
}

/** Consumes a token in one conditional write: of concurrent requests exactly one succeeds (security §2.3.1). */
export async function consumeProxyTest(db: Db, token_hash: TokenHash, now: string): Promise<boolean> {
  const result = await db
    .deleteFrom('proxy_tests')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Deletes a token that was not used, and all that have expired. */
export async function deleteProxyTests(db: Db, token_hash: TokenHash, now: string): Promise<void> {
  await db
    .deleteFrom('proxy_tests')
    .where((row) => row.or([row('token_hash', '=', token_hash), row('expires_at', '<=', now)]))
    .execute()
}
