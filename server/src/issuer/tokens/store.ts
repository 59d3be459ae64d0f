import type { ExpressionBuilder, SqlBool } from 'kysely'
import { prepare, prepareInsert, prepareUnchanged } from '../../db/compiled-queries/prepare.ts'
import { rowAddress } from '../../db/dialect.ts'
import type { Db, Guard, ReadDb } from '../../db/open.ts'
import type { ConnectionsTable, Database, TokensTable, UsersTable } from '../../db/schema.ts'
import { sessionEndedAt } from '../../features/sessions/public.ts'
import { type CurrentColumns, isChanging, readCurrent, STORED } from '../request/current-columns.ts'
import { CLAIM_COLUMNS, type ClaimsRow } from './claims.ts'

export type TokenKind = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken' | 'ClientCredentials'
export type TokenRow = TokensTable
/** One token; or all tokens of a grant, or those of one kind. */
export type TokenSelection =
  | { token_hash: string; grant_id: string | undefined }
  | { grant_id: string; kind?: TokenKind }

/**
 * Columns that decide whether the session of a token lets it live. Revoking a session ends its tokens at once; its expiry
 * ends them unless the user has granted `offline_access` (decision 0035).
 */
type SessionLife = { ended_at: string | null; idle_until: string | null; session_expires_at: string | null }

/** Connection and user of a token; all null when it has none. */
type TokenOwner = Nullable<ClaimsRow & Pick<UsersTable, 'disabled_at' | 'token_generation'>> & {
  allowed: ConnectionsTable['scopes'] | null
  /** The client that the user has allowed; an exchanged token belongs to another one (decision 0094). */
  allowed_client_id: string | null
} & Nullable<Pick<ConnectionsTable, 'declined' | 'blocked_at' | 'access_lost_at' | 'last_used_at'>>
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

/** A token with its session, connection and user. */
export interface FoundToken extends TokenRow, SessionLife, TokenOwner {
  /** Whether groups or access are being changed in small steps: then both were read as they are now. */
  changing: SqlBool
}

/** Named, and not `*`, because SQLite answers them faster (decision 0009). */
const COLUMNS = [
  'token_hash',
  'kind',
  'connection_id',
  'session_id',
  'client_id',
  'user_id',
  'grant_id',
  'payload',
  'created_at',
  'expires_at',
  'consumed_at',
] as const satisfies readonly (keyof TokenRow)[]

type ByHash = { kind: TokenKind; hash: string; now: string }

/** A token with its related rows. */
const selectOwner =
  (columns: CurrentColumns) =>
  (db: ReadDb, { kind, hash, now }: ByHash) =>
    db
      .selectFrom('tokens')
      .leftJoin('sessions', 'sessions.id', 'tokens.session_id')
      .leftJoin('connections', 'connections.id', 'tokens.connection_id')
      .leftJoin('users', 'users.id', 'tokens.user_id')
      .select([sessionEndedAt().as('ended_at'), 'sessions.idle_until', 'sessions.expires_at as session_expires_at'])
      .select(['connections.scopes as allowed', 'connections.declined', 'connections.client_id as allowed_client_id'])
      .select(['connections.blocked_at', 'connections.last_used_at', columns.accessLostAt().as('access_lost_at')])
      .select(['users.disabled_at', 'users.token_generation'])
      .select([...CLAIM_COLUMNS.map((column) => `users.${column}` as const), columns.groups().as('groups')])
      .select(isChanging().as('changing'))
      .where('tokens.token_hash', '=', hash)
      .where('tokens.kind', '=', kind)
      .where('tokens.expires_at', '>', now)
      // Excludes ended tokens of an app that was disabled, until they are deleted: all while it is disabled, because the clocks of servers may differ.
      .where((e) => e.not(hasEndedTokens(e, 'tokens.client_id')))
      // Not `in`, of which SQLite makes a temporary index, and the other client only of an exchanged token.
      .where((e) =>
        e.or([
          e('connections.client_id', '=', e.ref('tokens.client_id')),
          e.not(hasEndedTokens(e, 'connections.client_id')),
        ]),
      )

const hasEndedTokens = (
  e: ExpressionBuilder<Database, 'tokens' | 'connections'>,
  client_id: 'tokens.client_id' | 'connections.client_id',
) =>
  e.exists(
    e
      .selectFrom('clients as ended')
      .select('ended.client_id')
      .where('ended.tokens_ended_at', 'is not', null)
      .whereRef('ended.client_id', '=', client_id)
      .where((client) =>
        client.or([
          client('ended.enabled', '=', 0),
          client('ended.tokens_ended_at', '>=', client.ref('tokens.created_at')),
        ]),
      ),
  )

const ofToken = COLUMNS.map((column) => `tokens.${column}` as const)
const read = readCurrent((columns) => prepare((db, by: ByHash) => selectOwner(columns)(db, by).select(ofToken)))

/**
 * A guard that holds while `findToken` finds this token with the same session, connection and user, and nothing of them is changing. The row of the
 * token itself has changed only if it was consumed (`consumeGuard`), or expires at another time.
 */
export const unchangedOwner = prepareUnchanged<ByHash, Omit<FoundToken, keyof TokenRow>>(selectOwner(STORED))

/** Returns an unexpired token, also a consumed one, with its session, connection and user. */
export async function findToken(
  db: ReadDb,
  kind: TokenKind,
  hash: string,
  now: string,
): Promise<FoundToken | undefined> {
  return await read(db, { kind, hash, now })
}

/** Whether the session of a token lets it live; `expiresWithSession`: the token was granted without `offline_access`. */
export function isSessionLive(session: SessionLife, expiresWithSession: boolean, now: string): boolean {
  if (session.ended_at !== null) return false
  if (!expiresWithSession) return true
  const { idle_until, session_expires_at } = session
  return idle_until !== null && idle_until > now && session_expires_at !== null && session_expires_at > now
}

export const insertTokens = prepareInsert('tokens')

const consume = prepare((db, { hash, now }: { hash: string; now: string }) =>
  db
    .updateTable('tokens')
    .set({ consumed_at: now })
    .where('token_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now),
)

/** Returns false when the token has expired or another transaction has consumed it first. */
export async function consumeToken(db: Db, hash: string, now: string): Promise<boolean> {
  return (await consume.changed(db, { hash, now })) === 1
}

/** `consumeToken` as a guard. */
export function consumeGuard(hash: string, now: string): Guard {
  return { statement: consume.with({ hash, now }), changes: true }
}

/** Makes a consumed token usable again. */
export async function restoreToken(db: Db, hash: string): Promise<void> {
  await db.updateTable('tokens').set({ consumed_at: null }).where('token_hash', '=', hash).execute()
}

/** Whether there is a row, also of a consumed or expired token. */
export async function isTokenStored(db: ReadDb, hash: string): Promise<boolean> {
  const query = db.selectFrom('tokens').select('token_hash').where('token_hash', '=', hash)
  return (await query.executeTakeFirst()) !== undefined
}

/** Whether there is a row that is not consumed, also of an expired token. */
export async function isTokenUsable(db: ReadDb, hash: string): Promise<boolean> {
  const query = db.selectFrom('tokens').select('token_hash').where('token_hash', '=', hash)
  return (await query.where('consumed_at', 'is', null).executeTakeFirst()) !== undefined
}

/** Returns their number. */
export async function deleteTokensByHash(db: Db, hashes: readonly string[]): Promise<number> {
  const result = await db.deleteFrom('tokens').where('token_hash', 'in', hashes).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Returns false when the token has been deleted. */
export async function updateTokenExpiry(db: Db, hash: string, expires_at: string): Promise<boolean> {
  const update = db.updateTable('tokens').set({ expires_at }).where('token_hash', '=', hash)
  return (await update.executeTakeFirst()).numUpdatedRows === 1n
}

/** Returns whether it was there. */
export async function deleteToken(db: Db, token_hash: string): Promise<boolean> {
  const result = await db.deleteFrom('tokens').where('token_hash', '=', token_hash).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Locks all connections of a user, so that no token is created from them until the transaction ends. Returns their ids. */
export async function selectConnectionsOfUserForUpdate(db: Db, user_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to `limit` tokens that expired before `now`. Returns their number. */
export async function deleteExpiredTokens(db: Db, now: string, limit: number): Promise<number> {
  const place = rowAddress(db)
  const expired = db.selectFrom('tokens').select(place.as('place')).where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('tokens').where(place, 'in', expired).executeTakeFirst()
  return Number(result.numDeletedRows)
}
