import { sql } from 'kysely'
import { isId, isOneOfIds } from '../../../db/id-ends.ts'
import type { Db, ReadDb } from '../../../db/open.ts'
import { fromJson } from '../../../db/values.ts'
import { batches } from '../../../lib/batches.ts'
import type { TokenKind } from '../store.ts'

/** Tokens of a connection; where given, only those of a session, of a grant and of some kinds. */
export type Selection = {
  connection_id: string
  session_id?: string
  grant_id?: string
  kinds?: readonly TokenKind[] | undefined
}

function select(db: ReadDb, { connection_id, session_id, grant_id, kinds }: Selection) {
  let query = db.selectFrom('tokens').where(isId('tokens.connection_id', connection_id))
  if (session_id !== undefined) query = query.where(isId('tokens.session_id', session_id))
  if (grant_id !== undefined) query = query.where('grant_id', '=', grant_id)
  return kinds ? query.where('kind', 'in', kinds) : query
}

/** Lists those of the connections that have more than `limit` tokens. */
export async function listWithManyTokens(db: ReadDb, ids: readonly string[], limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('id', 'in', ids)
    .where((e) =>
      e.exists(
        e
          .selectFrom('tokens')
          .select(sql.lit(1).as('one'))
          .where(isId('tokens.connection_id', { ref: 'connections.id' }))
          .offset(limit)
          .limit(1),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to `limit` tokens. Returns their number. */
export async function deleteSome(db: Db, which: Selection, limit: number): Promise<number> {
  const some = select(db, which).select('token_hash').limit(limit)
  const result = await db.deleteFrom('tokens').where('token_hash', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteTokensOfConnections(db: Db, connection_ids: readonly string[]): Promise<void> {
  if (connection_ids.length > 0)
    await db.deleteFrom('tokens').where(isOneOfIds('tokens.connection_id', connection_ids)).execute()
}

/**
 * Deletes the tokens of a connection that contain a scope; with `offline_access`, those that outlive their session. Resolves with false when
 * they are chosen from `limit` tokens or more.
 */
export async function deleteTokensWithScope(db: Db, which: Selection, scope: string, limit: number): Promise<boolean> {
  const rows = await select(db, which).select(['token_hash', 'payload']).limit(limit).execute()
  if (rows.length === limit) return false
  const containing = rows.filter(({ payload }) => {
    const token = fromJson<{ scope?: string; expiresWithSession?: boolean }>(payload)
    // Tokens for a resource, and exchanged ones, do not name `offline_access`.
    if (scope === 'offline_access' && token.expiresWithSession !== true) return true
    return token.scope?.split(' ').includes(scope)
  })
  for (const hashes of batches(containing.map(({ token_hash }) => token_hash)))
    await db.deleteFrom('tokens').where('token_hash', 'in', hashes).execute()
  return true
}

/**
 * Tokens of sessions by the connections of their users: `tokens` has no index on the session alone. Pairs that are distinct are found first;
 * otherwise PostgreSQL reads all tokens of a connection, because most have few.
 */
function tokensOfSessions(db: ReadDb, session_ids: readonly string[]) {
  const grants = db
    .selectFrom('sessions')
    .innerJoin('connections', 'connections.user_id', 'sessions.user_id')
    .select(['sessions.id as session_id', 'connections.id as connection_id'])
    .where('sessions.id', 'in', session_ids)
    .distinct()
  return db
    .selectFrom(grants.as('grants'))
    .innerJoin('tokens', (join) =>
      join
        .on(isId('tokens.connection_id', { ref: 'grants.connection_id' }))
        .on(isId('tokens.session_id', { ref: 'grants.session_id' })),
    )
}

/** Returns the clients that have tokens of these sessions. */
export async function listClientsOfSessions(
  db: ReadDb,
  session_ids: readonly string[],
): Promise<{ session_id: string; client_id: string }[]> {
  if (session_ids.length === 0) return []
  return await tokensOfSessions(db, session_ids).select(['grants.session_id', 'tokens.client_id']).distinct().execute()
}

/** Deletes up to `limit` tokens of sessions. Returns their number. */
export async function deleteSomeOfSessions(db: Db, session_ids: readonly string[], limit: number): Promise<number> {
  const some = tokensOfSessions(db, session_ids).select('tokens.token_hash').limit(limit)
  const result = await db.deleteFrom('tokens').where('token_hash', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

function tokensOfUser(db: ReadDb, user_id: string) {
  return db
    .selectFrom('connections')
    .innerJoin('tokens', (join) => join.on(isId('tokens.connection_id', { ref: 'connections.id' })))
    .where('connections.user_id', '=', user_id)
}

/** Deletes up to `limit` tokens of a user that belong to no session, or to one whose row is deleted. Returns their number. */
export async function deleteTokensWithoutSession(db: Db, user_id: string, limit: number): Promise<number> {
  const some = tokensOfUser(db, user_id)
    .select('token_hash')
    .where((e) =>
      e.not(e.exists(e.selectFrom('sessions').select('sessions.id').whereRef('sessions.id', '=', 'tokens.session_id'))),
    )
    .limit(limit)
  const result = await db.deleteFrom('tokens').where('token_hash', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes the tokens with which clients of a developer account act for a user. */
export async function deleteTokensOfUserAt(db: Db, user_id: string, developer_id: string): Promise<void> {
  const some = tokensOfUser(db, user_id)
    .innerJoin('clients', 'clients.client_id', 'tokens.client_id')
    .select('token_hash')
    .where('clients.developer_id', '=', developer_id)
  await db.deleteFrom('tokens').where('token_hash', 'in', some).execute()
}
