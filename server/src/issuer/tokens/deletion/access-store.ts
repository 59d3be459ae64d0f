import { sql } from 'kysely'
import type { Db, ReadDb } from '../../../db/open.ts'
import type { TokensTable } from '../../../db/schema.ts'
import { accessRule } from '../../../features/client-access/public.ts'
import { batches } from '../../../lib/batches.ts'

/**
 * Deletes the tokens of a client, of all kinds, also those that it received in exchange for tokens of others, of users who may not use it; of all such
 * users, or of the named ones. Those of a former id of a connection have ended (decision 0145).
 */
export async function deleteTokensWithoutAccess(
  db: Db,
  client_id: string,
  user_ids: readonly string[] | undefined,
): Promise<void> {
  const query = db
    .deleteFrom('tokens')
    .where('client_id', '=', client_id)
    .where('user_id', 'is not', null)
    .where(({ not }) => not(accessRule(sql.val(client_id), sql.ref('tokens.user_id'))))
  if (!user_ids) {
    const connected = query.where((e) =>
      e.exists(e.selectFrom('connections').select('id').whereRef('connections.id', '=', 'tokens.connection_id')),
    )
    return void (await connected.execute())
  }
  for (const some of batches(user_ids)) {
    const ofUsers = query.where('connection_id', 'in', (e) =>
      e.selectFrom('connections').select('id').where('user_id', 'in', some),
    )
    await ofUsers.execute()
  }
}

/** A place in the order of expiry. */
export type TokenPosition = { expires_at: string; token_hash: string }

/** Lists tokens of all clients in the order of their expiry, after a place and until a time. */
export async function listExpiring(
  db: ReadDb,
  { after, until }: { after: TokenPosition; until: string },
  limit: number,
): Promise<(TokenPosition & Pick<TokensTable, 'client_id' | 'user_id'>)[]> {
  return await db
    .selectFrom('tokens')
    .select(['expires_at', 'token_hash', 'client_id', 'user_id'])
    // Redundant; lets the database begin at the place in the index.
    .where('expires_at', '>=', after.expires_at)
    .where('expires_at', '<=', until)
    .where((e) => e.or([e('expires_at', '>', after.expires_at), e('token_hash', '>', after.token_hash)]))
    .orderBy('expires_at')
    .orderBy('token_hash')
    .limit(limit)
    .execute()
}

/** Deletes those of the tokens whose users may not use the client. */
export async function deleteWithoutAccess(db: Db, client_id: string, hashes: readonly string[]): Promise<void> {
  await db
    .deleteFrom('tokens')
    .where('token_hash', 'in', hashes)
    .where(({ not }) => not(accessRule(sql.val(client_id), sql.ref('tokens.user_id'))))
    .execute()
}
