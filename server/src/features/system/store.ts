import type { ReadDb } from '../../db/open.ts'
import { UNREGISTERED } from '../clients/public.ts'

/** One step of a count by primary key: how many rows, and the key of the last one. */
export type Step = { rows: number; last: string | undefined }

/** Counts the next `limit` people after an id. `new`: registered since; `active`: used a session since. */
export async function countPeople(
  db: ReadDb,
  { after, since, limit }: { after: string; since: string; limit: number },
): Promise<Step & { new: number; active: number }> {
  const rows = await db
    .selectFrom('users')
    .select((eb) => [
      'id',
      'created_at',
      eb
        .selectFrom('sessions')
        .select('sessions.id')
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('sessions.last_seen_at', '>=', since)
        .limit(1)
        .as('session_id'),
    ])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return {
    rows: rows.length,
    last: rows.at(-1)?.id,
    new: rows.filter(({ created_at }) => created_at >= since).length,
    active: rows.filter(({ session_id }) => session_id !== null).length,
  }
}

export async function countDevelopers(db: ReadDb, { after, limit }: { after: string; limit: number }): Promise<Step> {
  const rows = await db
    .selectFrom('developers')
    .select('id')
    .where('id', '>', after)
    .where('id', '<>', UNREGISTERED)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return { rows: rows.length, last: rows.at(-1)?.id }
}

export async function countClients(db: ReadDb, { after, limit }: { after: string; limit: number }): Promise<Step> {
  const rows = await db
    .selectFrom('clients')
    .select('client_id')
    .where('client_id', '>', after)
    .where('developer_id', '<>', UNREGISTERED)
    .where('deleted_at', 'is', null)
    .orderBy('client_id')
    .limit(limit)
    .execute()
  return { rows: rows.length, last: rows.at(-1)?.client_id }
}
