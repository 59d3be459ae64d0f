import type { Db, ReadDb } from '../../db/open.ts'
import { prepare } from '../../db/prepare.ts'
import type { SessionsTable } from '../../db/schema.ts'

export type StoredSession = SessionsTable
/** A session as others see it: what names it in cookies stays here. */
export type SessionRow = Omit<StoredSession, 'token_hash' | 'previous_hash' | 'access_hash' | 'access_until'>

/**
 * Sessions that count: not ended, not idle for too long (`idle_until` is never later than `expires_at`), of an account
 * that is not disabled. @NOTE The one place that reads a column of another slice: it saves a read at every request.
 */
function live(db: ReadDb, now: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.ended_at', 'is', null)
    .where('sessions.idle_until', '>', now)
    .where('users.disabled_at', 'is', null)
}

const byAccess = prepare((db, { access_hash, now }: { access_hash: string; now: string }) =>
  live(db, now)
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.developer_id',
      'sessions.authenticated_at',
      'sessions.methods',
    ])
    .where('sessions.access_hash', '=', access_hash)
    .where('sessions.access_until', '>', now),
)

/** One read, at every signed-in request. */
export async function findByAccess(db: ReadDb, access_hash: string, now: string) {
  return await byAccess.first(db, { access_hash, now })
}

const byToken = prepare((db, { token_hash, now }: { token_hash: string; now: string }) =>
  live(db, now)
    .selectAll('sessions')
    .where((e) => e.or([e('sessions.token_hash', '=', token_hash), e('sessions.previous_hash', '=', token_hash)])),
)

/** By the token of now, or the one before it; which, and how old it may be, is for the rule to say. */
export async function findByToken(db: ReadDb, token_hash: string, now: string): Promise<StoredSession | undefined> {
  return await byToken.first(db, { token_hash, now })
}

/** The same, and nobody else changes it until this transaction has ended. */
export async function lockByToken(db: Db, token_hash: string, now: string): Promise<StoredSession | undefined> {
  return await live(db, now)
    .selectAll('sessions')
    .where((e) => e.or([e('sessions.token_hash', '=', token_hash), e('sessions.previous_hash', '=', token_hash)]))
    .forUpdate('sessions')
    .executeTakeFirst()
}

export async function findById(db: ReadDb, id: string, now: string): Promise<StoredSession | undefined> {
  return await live(db, now).selectAll('sessions').where('sessions.id', '=', id).executeTakeFirst()
}

/** The same, and nobody else changes it until this transaction has ended. */
export async function lockById(db: Db, id: string, now: string): Promise<StoredSession | undefined> {
  return await live(db, now)
    .selectAll('sessions')
    .where('sessions.id', '=', id)
    .forUpdate('sessions')
    .executeTakeFirst()
}

/** Those of these that count. */
export async function listLive(db: ReadDb, ids: readonly string[], now: string): Promise<string[]> {
  const rows = await live(db, now).select('sessions.id').where('sessions.id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** The latest used first. */
export async function listOfUser(db: ReadDb, user_id: string, now: string): Promise<StoredSession[]> {
  return await live(db, now)
    .selectAll('sessions')
    .where('sessions.user_id', '=', user_id)
    .orderBy('sessions.last_seen_at', 'desc')
    .execute()
}

/** Those that ended, too, the newest first. */
export async function listAllOfUser(db: ReadDb, user_id: string): Promise<StoredSession[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .limit(1000)
    .execute()
}

export async function insertSession(db: Db, row: StoredSession): Promise<void> {
  await db.insertInto('sessions').values(row).execute()
}

/** Gives a session its next token, if `token_hash` still is its token and nobody has ended it. */
export async function rotateSession(
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

/** Changes a session unless it has ended: a save that comes late never revives one. */
export async function updateSession(
  db: Db,
  id: string,
  changes: Partial<Pick<StoredSession, 'developer_id' | 'unknown_since'>>,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set(changes)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** False when it is not theirs, or has ended. */
export async function markKnown(db: Db, user_id: string, id: string): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ unknown_since: null })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Whether somebody has ended it, as opposed to its time; false for one that is forgotten. */
export async function hasEnded(db: ReadDb, id: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('ended_at').where('id', '=', id).executeTakeFirst()
  return row?.ended_at != null
}

/** Which of a person's sessions: these, all but this one, or all. */
export type Which = { only: string[] } | { except: string } | 'all'

/** Answers those that this call has ended. */
export async function endSessions(db: Db, user_id: string, which: Which, now: string): Promise<string[]> {
  let update = db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .returning('id')
  if (which !== 'all')
    update = 'only' in which ? update.where('id', 'in', which.only) : update.where('id', '!=', which.except)
  return (await update.execute()).map(({ id }) => id)
}

/** Answers how many it deleted; `most` bounds the time for which it holds the writer. */
export async function deleteOldSessions(db: Db, before: string, most: number): Promise<number> {
  const old = db.selectFrom('sessions').select('id').where('idle_until', '<', before).limit(most)
  const result = await db.deleteFrom('sessions').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
