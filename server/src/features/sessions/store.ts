import { type ExpressionBuilder, sql } from 'kysely'
import { prepare, prepareInsert } from '../../db/compiled-queries/prepare.ts'
import { isId } from '../../db/id-ends.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import type { Database, SessionsTable } from '../../db/schema.ts'
import { isOfGeneration } from './ending/generation.ts'
import { SESSION_COLUMNS } from './session-columns.ts'

export type StoredSession = SessionsTable
/** A session without the columns that identify its cookies. */
export type SessionRow = Omit<StoredSession, 'token_hash' | 'previous_hash' | 'access_hash' | 'access_until'>

/**
 * Live sessions: not ended, alone or together, not idle for too long (`idle_until` is never later than `expires_at`), of an account that is
 * not disabled. Joins `users` to save a read at each request (performance §1.1).
 */
function live(db: ReadDb, now: string) {
  return db.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id').where(isLive(now))
}

/** The condition of `live`, for queries that join sessions and users with other tables. */
export function isLive(now: string) {
  return (e: ExpressionBuilder<Database, 'sessions' | 'users'>) =>
    e.and([
      e('sessions.ended_at', 'is', null),
      e('sessions.idle_until', '>', now),
      e('users.disabled_at', 'is', null),
      isOfGeneration(),
    ])
}

const byAccess = prepare((db, { access_hash, now }: { access_hash: string; now: string }) =>
  live(db, now)
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.developer_id',
      'sessions.authenticated_at',
      'sessions.reauthenticated_at',
      'sessions.methods',
      'sessions.next_step',
    ])
    .where('sessions.access_hash', '=', access_hash)
    .where('sessions.access_until', '>', now),
)

/** One read for each signed-in request. */
export async function findByAccess(db: ReadDb, access_hash: string, now: string) {
  return await byAccess.first(db, { access_hash, now })
}

/** Columns that tell whether a token is accepted. */
export type SessionTokens = Pick<StoredSession, 'token_hash' | 'previous_until'>

type ByToken = { token_hash: string; now: string }

/** Selects columns of a live session by its current or former token. The rule checks which of the two it is (`acceptedSession`). */
export function selectByToken<Column extends keyof SessionsTable>(
  db: ReadDb,
  columns: readonly Column[],
  { token_hash, now }: ByToken,
) {
  return live(db, now)
    .select(columns.map((column) => `sessions.${column}` as const))
    .where((e) => e.or([e('sessions.token_hash', '=', token_hash), e('sessions.previous_hash', '=', token_hash)]))
}

const byToken = prepare((db, by: ByToken) => selectByToken(db, SESSION_COLUMNS, by))

export async function findByToken(db: ReadDb, by: ByToken): Promise<StoredSession | undefined> {
  return await byToken.first(db, by)
}

export async function findByTokenForUpdate(
  db: Db,
  token_hash: string,
  now: string,
): Promise<StoredSession | undefined> {
  return await selectByToken(db, SESSION_COLUMNS, { token_hash, now }).forUpdate('sessions').executeTakeFirst()
}

export async function findById(db: ReadDb, id: string, now: string): Promise<StoredSession | undefined> {
  return await live(db, now).selectAll('sessions').where('sessions.id', '=', id).executeTakeFirst()
}

export async function findByIdForUpdate(db: Db, id: string, now: string): Promise<StoredSession | undefined> {
  return await live(db, now)
    .selectAll('sessions')
    .where('sessions.id', '=', id)
    .forUpdate('sessions')
    .executeTakeFirst()
}

export async function listLive(db: ReadDb, ids: readonly string[], now: string): Promise<string[]> {
  const rows = await live(db, now).select('sessions.id').where('sessions.id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** Sessions of a user that are looked at, the most recently used: a person may have very many that have ended. */
const RECENT = 1000

/** Live ones among the most recently used sessions of a user. */
function recentLive(db: ReadDb, user_id: string, now: string) {
  return live(db, now).where('sessions.id', 'in', (e) =>
    e
      .selectFrom('sessions as recent')
      .select('recent.id')
      .where('recent.user_id', '=', user_id)
      .orderBy('recent.last_seen_at', 'desc')
      .limit(RECENT),
  )
}

/** The most recently used first. */
export async function listLiveOfUser(db: ReadDb, user_id: string, now: string): Promise<StoredSession[]> {
  return await recentLive(db, user_id, now).selectAll('sessions').orderBy('sessions.last_seen_at', 'desc').execute()
}

export async function listLiveIdsOfUser(db: ReadDb, user_id: string, now: string): Promise<string[]> {
  return (await recentLive(db, user_id, now).select('sessions.id').execute()).map(({ id }) => id)
}

/** Including ended sessions, the most recently used first, after a former one. */
export async function listAllOfUser(
  db: ReadDb,
  { user_id, after, limit }: { user_id: string; after: StoredSession | undefined; limit: number },
): Promise<StoredSession[]> {
  let query = db.selectFrom('sessions').selectAll().where('user_id', '=', user_id)
  if (after)
    query = query
      .where('last_seen_at', '<=', after.last_seen_at)
      .where((e) => e.or([e('last_seen_at', '<', after.last_seen_at), e('id', '<', after.id)]))
  return await query.orderBy('last_seen_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** A session in a known generation of its user. */
export const insertSessionOf = prepareInsert('sessions')

/** A session begins in the current generation of its user. */
export const insertSession = prepareInsert('sessions', {
  generation: (place) => sql`(select session_generation from users where id = ${place('user_id')})`,
})

/** Returns false when the token has changed or the session has ended meanwhile. */
export async function updateSessionToken(
  db: Db,
  { id, token_hash }: Pick<StoredSession, 'id' | 'token_hash'>,
  changes: Partial<StoredSession>,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set(changes)
    .where('id', '=', id)
    .where('token_hash', '=', token_hash)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns false when the session has ended: a late update never revives it. */
export async function updateSession(
  db: Db,
  id: string,
  changes: Partial<Pick<StoredSession, 'developer_id' | 'unknown_since' | 'device_id'>>,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set(changes)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns the device of the session; undefined when it belongs to another user or has ended. */
export async function updateKnown(db: Db, user_id: string, id: string) {
  return await db
    .updateTable('sessions')
    .set({ unknown_since: null })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .returning('device_id')
    .executeTakeFirst()
}

/** Returns whether a live session of the user runs on the device. */
export async function hasDevice(db: ReadDb, user_id: string, device_id: string, now: string): Promise<boolean> {
  const row = await live(db, now)
    .select('sessions.id')
    .where('sessions.user_id', '=', user_id)
    .where('sessions.device_id', '=', device_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns true for a session that was ended within the last day; false for one that expired. */
export async function hasEnded(db: ReadDb, id: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('ended_at').where('id', '=', id).executeTakeFirst()
  return row?.ended_at != null
}

/** Selects sessions of a user: the listed ones, all but one, or all. */
export type SessionSelection = { only: string[] } | { except: string } | 'all'

/** Returns the ids of the sessions that this call has ended. */
export async function updateSessionsEnded(
  db: Db,
  user_id: string,
  which: SessionSelection,
  now: string,
): Promise<string[]> {
  let update = db.updateTable('sessions').set({ ended_at: now }).where('ended_at', 'is', null).returning('id')
  // Named ones are not looked for among all of the user, who may have very many: an expression is not read from the index.
  if (which !== 'all' && 'only' in which)
    update = update.where('id', 'in', which.only).where(sql`coalesce(user_id, '')`, '=', user_id)
  else update = update.where('user_id', '=', user_id)
  if (which !== 'all' && 'except' in which) update = update.where('id', '!=', which.except)
  return (await update.execute()).map(({ id }) => id)
}

/** When sessions end at the latest. */
export type SessionEnds = { idle_until: string; expires_at: string }

/**
 * Lets those of the `limit` sessions after `after` that live and would last longer end at these times. Returns the ids of all of them.
 */
export async function shortenSessions(
  db: Db,
  { now, after, idle_until, expires_at }: SessionEnds & { now: string; after: string },
  limit: number,
): Promise<string[]> {
  const rows = await db.selectFrom('sessions').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  // `idle_until` is never later than `expires_at`.
  const idle = idle_until < expires_at ? idle_until : expires_at
  const earlier = (column: keyof SessionEnds, time: string) => sql<string>`case
    when ${sql.ref(column)} > ${time} then ${time} else ${sql.ref(column)} end`
  await db
    .updateTable('sessions')
    .set({ idle_until: earlier('idle_until', idle), expires_at: earlier('expires_at', expires_at) })
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .where('idle_until', '>', now)
    .where((e) => e.or([e('idle_until', '>', idle), e('expires_at', '>', expires_at)]))
    .execute()
  return ids
}

/** Lists sessions whose time ended before then, the oldest first, after a former one. */
export async function listOldSessions(
  db: ReadDb,
  { before, after }: { before: string; after: OldSession | undefined },
  limit: number,
): Promise<OldSession[]> {
  let query = db
    .selectFrom('sessions')
    .select(['id', 'idle_until'])
    .where('idle_until', '<', before)
    .orderBy('idle_until')
    .orderBy('id')
    .limit(limit)
  if (after)
    query = query
      .where('idle_until', '>=', after.idle_until)
      .where((e) => e.or([e('idle_until', '>', after.idle_until), e('id', '>', after.id)]))
  return await query.execute()
}
export type OldSession = Pick<SessionsTable, 'id' | 'idle_until'>

/**
 * Deletes those of these sessions that no token refers to and whose time ended before then. Returns their number. One that was ended stays as long
 * after its end, because JWT access tokens are compared with it (decision 0055).
 */
export async function deleteOldSessions(db: Db, ids: readonly string[], before: string): Promise<number> {
  if (ids.length === 0) return 0
  const result = await db
    .deleteFrom('sessions')
    .where('id', 'in', ids)
    .where('idle_until', '<', before)
    .where((e) => e.or([e('ended_at', 'is', null), e('ended_at', '<', before)]))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('connections')
            .innerJoin('tokens', (join) => join.on(isId('tokens.connection_id', { ref: 'connections.id' })))
            .select('token_hash')
            .whereRef('connections.user_id', '=', 'sessions.user_id')
            .where(isId('tokens.session_id', { ref: 'sessions.id' })),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
