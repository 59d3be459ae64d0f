import type { Db, ReadDb } from '../../../db/open.ts'
import type { SessionsTable } from '../../../db/schema.ts'

/** Whether a user has at least so many sessions that are not ended, also expired ones. */
export async function hasManyOpenSessions(db: ReadDb, user_id: string, least: number): Promise<boolean> {
  const open = db.selectFrom('sessions').select('id').where('user_id', '=', user_id).where('ended_at', 'is', null)
  return (await open.limit(least).execute()).length === least
}

/** Whether a user has at least so many sessions, also ended ones. */
export async function hasManySessions(db: ReadDb, user_id: string, least: number): Promise<boolean> {
  return (await listSomeIds(db, user_id, least)).length === least
}

/** Gives a live session another generation, with which it stays live. */
export async function updateGeneration(
  db: Db,
  { id, user_id, from, to }: { id: string; user_id: string; from: string | null; to: string },
): Promise<void> {
  let update = db
    .updateTable('sessions')
    .set({ generation: to })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
  if (from !== null) update = update.where('generation', '=', from)
  await update.execute()
}

/** A place in the order of last use. */
export type SessionPosition = Pick<SessionsTable, 'last_seen_at' | 'id'>

/** Lists sessions of a user that are not of the current generation and not written as ended, the least recently used first. */
export async function listFormer(
  db: ReadDb,
  user_id: string,
  after: SessionPosition | undefined,
  limit: number,
): Promise<SessionPosition[]> {
  // Not joined: SQLite would read all of them, and sort.
  const current = db.selectFrom('users').select('session_generation').where('id', '=', user_id)
  let query = db
    .selectFrom('sessions')
    .select(['id', 'last_seen_at'])
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .where((e) => e(current, 'is not', null))
    .where((e) => e.or([e('generation', 'is', null), e('generation', '<>', current)]))
    .orderBy('last_seen_at')
    .orderBy('id')
    .limit(limit)
  if (after)
    query = query
      .where('last_seen_at', '>=', after.last_seen_at)
      .where((e) => e.or([e('last_seen_at', '>', after.last_seen_at), e('id', '>', after.id)]))
  return await query.execute()
}

/** Lists ids of sessions of a user, also of ended ones. */
export async function listSomeIds(db: ReadDb, user_id: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('sessions').select('id').where('user_id', '=', user_id).limit(limit).execute()
  return rows.map(({ id }) => id)
}

export async function deleteSessions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('sessions').where('id', 'in', ids).execute()
}
