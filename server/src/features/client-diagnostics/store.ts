import { type SqlBool, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { RefusalsTable } from '../../db/schema.ts'

export type ClientErrorRow = RefusalsTable

/** Inserts an error or adds to its count; keeps the newest `most` errors of its client and reason. */
export async function upsertClientError(db: Db, row: ClientErrorRow, most: number): Promise<void> {
  const { client_id, reason } = row
  await db
    .insertInto('refusals')
    .values(row)
    .onConflict((c) =>
      c.columns(['client_id', 'reason', 'detail']).doUpdateSet((e) => ({
        times: e('refusals.times', '+', e.ref('excluded.times')),
        last_at: e.ref('excluded.last_at'),
      })),
    )
    .execute()
  await db
    .deleteFrom('refusals')
    .where('client_id', '=', client_id)
    .where('reason', '=', reason)
    .where('detail', 'not in', (e) =>
      e
        .selectFrom('refusals')
        .select('detail')
        .where('client_id', '=', client_id)
        .where('reason', '=', reason)
        .orderBy('last_at', 'desc')
        .orderBy('detail')
        .limit(most),
    )
    .execute()
}

/** Lists errors that occurred after `since`, newest first. */
export async function listClientErrors(db: ReadDb, client_id: string, since: string): Promise<ClientErrorRow[]> {
  return await db
    .selectFrom('refusals')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('last_at', '>=', since)
    .orderBy('last_at', 'desc')
    .orderBy('reason')
    .orderBy('detail')
    .execute()
}

export async function deleteClientErrors(
  db: Db,
  client_id: string,
  only?: Pick<ClientErrorRow, 'reason' | 'detail'>,
): Promise<void> {
  let query = db.deleteFrom('refusals').where('client_id', '=', client_id)
  if (only) query = query.where('reason', '=', only.reason).where('detail', '=', only.detail)
  await query.execute()
}

/** Deletes at most `limit` errors that last occurred before `last_at`. Returns their number. */
export async function deleteClientErrorsBefore(db: Db, last_at: string, limit: number): Promise<number> {
  const key = sql`client_id, reason, detail`
  const old = sql<SqlBool>`(${key}) in (select ${key} from refusals where last_at < ${last_at} limit ${limit})`
  return Number((await db.deleteFrom('refusals').where(old).executeTakeFirst()).numDeletedRows)
}
