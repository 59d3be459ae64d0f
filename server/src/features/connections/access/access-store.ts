import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { accessRule } from '../../client-access/public.ts'
import type { ConnectionRow } from '../store.ts'

/** Connections of the named users, of a range of ids, or all. */
export type Compared = { user_ids: readonly string[] } | { after: string; last: string } | object

/**
 * Locks and returns the connections with a client whose mark is not what the rule says.
 */
export async function listChangedAccess(
  db: Db,
  client_id: string,
  compared: Compared,
): Promise<Pick<ConnectionRow, 'id' | 'access_lost_at'>[]> {
  const rule = accessRule(sql.val(client_id), sql.ref('connections.user_id'))
  let query = db
    .selectFrom('connections')
    .select(['id', 'access_lost_at'])
    .where('client_id', '=', client_id)
    .where((e) =>
      e.or([e.and([e('access_lost_at', 'is', null), e.not(rule)]), e.and([e('access_lost_at', 'is not', null), rule])]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
  if ('user_ids' in compared) query = query.where('user_id', 'in', compared.user_ids)
  if ('last' in compared) query = query.where('id', '>', compared.after).where('id', '<=', compared.last)
  return await query.execute()
}

export async function updateAccessLost(db: Db, ids: readonly string[], access_lost_at: string | null): Promise<void> {
  await db.updateTable('connections').set({ access_lost_at }).where('id', 'in', ids).execute()
}
