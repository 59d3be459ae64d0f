import type { Db, ReadDb } from '../db/open.ts'
import { prepare, prepareInsert } from '../db/prepare.ts'
import type { ConnectionsTable, TokensTable, UsersTable } from '../db/schema.ts'
import { fromJson } from '../db/values.ts'
import { CLAIM_COLUMNS, type ClaimsRow } from './claims.ts'

export type TokenKind = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken' | 'ClientCredentials'
export type TokenRow = TokensTable
/** Tokens that one answer spends, makes and deletes. */
export interface TokenWork {
  spent: { token_hash: string; grant_id: string | undefined }[]
  made: TokenRow[]
  ended: EndedTokens[]
}
/** One token; or all that an app was given in one session, codes, access and refresh tokens, or those of one kind. */
export type EndedTokens = { token_hash: string; grant_id: string | undefined } | { grant_id: string; kind?: TokenKind }

/**
 * What a token's row is worth now. A token that came of a session is dead with it: at once when the session was ended,
 * and with its natural end too, unless the person allowed `offline_access` (decision 0062). What counts as alive is
 * the session's own rule (auth), repeated here so that one read answers for both.
 */
type Life = { ended_at: string | null; idle_until: string | null; session_expires_at: string | null }

/** The connection and the person behind a token, all null when there is none; they decide what it may become next. */
type Roots = Nullable<ClaimsRow & Pick<UsersTable, 'disabled_at'>> & {
  allowed: ConnectionsTable['scopes'] | null
} & Nullable<Pick<ConnectionsTable, 'declined' | 'blocked_at' | 'last_used_at'>>
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export interface FoundToken extends TokenRow, Life, Roots {}

const byHash = prepare((db, { kind, hash, now }: { kind: TokenKind; hash: string; now: string }) =>
  db
    .selectFrom('tokens')
    .leftJoin('sessions', 'sessions.id', 'tokens.session_id')
    .leftJoin('connections', 'connections.id', 'tokens.connection_id')
    .leftJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .select(['sessions.ended_at', 'sessions.idle_until', 'sessions.expires_at as session_expires_at'])
    .select(['connections.scopes as allowed', 'connections.declined'])
    .select(['connections.blocked_at', 'connections.last_used_at', 'users.disabled_at'])
    .select(CLAIM_COLUMNS.map((column) => `users.${column}` as const))
    .where('tokens.token_hash', '=', hash)
    .where('tokens.kind', '=', kind)
    .where('tokens.expires_at', '>', now),
)

/** One token that has not expired, with all that it hangs on, in one read; consumed ones too. */
export async function findToken(
  db: ReadDb,
  kind: TokenKind,
  hash: string,
  now: string,
): Promise<FoundToken | undefined> {
  return await byHash.first(db, { kind, hash, now })
}

/** Whether the session behind a token lets it live. `bound`: it does not outlive the session's natural end. */
export function letsLive(life: Life, bound: boolean, now: string): boolean {
  if (life.ended_at !== null) return false
  if (!bound) return true
  return (
    life.idle_until !== null &&
    life.idle_until > now &&
    life.session_expires_at !== null &&
    life.session_expires_at > now
  )
}

/** Several at once. */
export const insertTokens = prepareInsert('tokens')

const spending = prepare((db, { hash, now }: { hash: string; now: string }) =>
  db
    .updateTable('tokens')
    .set({ consumed_at: now })
    .where('token_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now),
)

/** Marks a one-time token as spent; false when somebody else was faster. Nothing may be given for a false. */
export async function spendToken(db: Db, hash: string, now: string): Promise<boolean> {
  return (await spending.changed(db, { hash, now })) === 1
}

/** A token that is not exchanged at its use ends later for it. */
export async function prolongToken(db: Db, hash: string, expires_at: string): Promise<void> {
  await db.updateTable('tokens').set({ expires_at }).where('token_hash', '=', hash).execute()
}

const heldSession = prepare((db, { id }: { id: string }) =>
  db.selectFrom('sessions').select(['ended_at', 'user_id']).where('id', '=', id).forShare(),
)
const heldConnection = prepare((db, { id }: { id: string }) =>
  db.selectFrom('connections').select('blocked_at').where('id', '=', id).forNoKeyUpdate(),
)

/**
 * Whether the session and the connection from which tokens are about to be made are still there, holding both until the
 * transaction ends: whoever ends them meanwhile waits, and then finds the new tokens, too. A blocked connection gives none.
 * The connection is held as whoever writes to it holds it: the same transaction notes its use, and several that had all
 * shared it before would wait for each other in a ring.
 */
export async function holdRoots(
  db: Db,
  { session_id, connection_id }: { session_id: string; connection_id: string },
): Promise<boolean> {
  const [session, connection] = await Promise.all([
    heldSession.first(db, { id: session_id }),
    heldConnection.first(db, { id: connection_id }),
  ])
  return session?.ended_at == null && connection?.blocked_at === null
}

/** The consent stays. */
export async function deleteTokens(db: Db, which: EndedTokens): Promise<void> {
  let query = db.deleteFrom('tokens')
  if ('token_hash' in which) query = query.where('token_hash', '=', which.token_hash)
  else query = query.where('grant_id', '=', which.grant_id)
  if ('kind' in which && which.kind) query = query.where('kind', '=', which.kind)
  await query.execute()
}

/** Which apps hold something that came of these sessions. */
export async function clientsOfSessions(
  db: ReadDb,
  session_ids: readonly string[],
): Promise<{ session_id: string; client_id: string }[]> {
  if (session_ids.length === 0) return []
  const rows = await db
    .selectFrom('tokens')
    .select(['session_id', 'client_id'])
    .distinct()
    .where('session_id', 'in', session_ids)
    .execute()
  return rows as { session_id: string; client_id: string }[]
}

export async function deleteTokensBy(
  db: Db,
  column: 'session_id' | 'connection_id' | 'client_id',
  values: readonly string[],
): Promise<void> {
  if (values.length === 0) return
  await db.deleteFrom('tokens').where(column, 'in', values).execute()
}

/**
 * What an app holds that says this scope. Refresh tokens stay and give it no more (`grants.ts`), so that the app goes
 * on with less; only without `offline_access` they may not be what they were.
 */
export async function deleteTokensWith(db: Db, connection_id: string, scope: string): Promise<void> {
  const rows = await db
    .selectFrom('tokens')
    .select(['token_hash', 'kind', 'payload'])
    .where('connection_id', '=', connection_id)
    .execute()
  const telling = rows.filter(
    ({ kind, payload }) =>
      (kind !== 'RefreshToken' || scope === 'offline_access') &&
      fromJson<{ scope?: string }>(payload).scope?.split(' ').includes(scope),
  )
  if (telling.length === 0) return
  const hashes = telling.map(({ token_hash }) => token_hash)
  await db.deleteFrom('tokens').where('token_hash', 'in', hashes).execute()
}

/** Deletes up to `limit` rows that ended before `now`; answers how many. Small steps let others in between. */
export async function pruneTokens(db: Db, now: string, limit: number): Promise<number> {
  const ended = db.selectFrom('tokens').select('token_hash').where('expires_at', '<', now).limit(limit)
  const result = await db.deleteFrom('tokens').where('token_hash', 'in', ended).executeTakeFirst()
  return Number(result.numDeletedRows)
}
