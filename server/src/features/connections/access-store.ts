import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { accessRule } from '../client-access/public.ts'
import type { ConnectionRow } from './store.ts'

/**
 * Locks and returns the connections with a client whose mark is not what the rule says: of all users, or of the named ones.
 */
export async function listChangedAccess(
  db: Db,
  client_id: string,
  user_ids: readonly string[] | undefined,
): Promise<Pick<ConnectionRow, 'id' | 'access_lost_at'>[]> {
  if (user_ids?.length === 0) return []
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
  if (user_ids) query = query.where('user_id', 'in', user_ids)
  return await query.execute()
}

export async function updateAccessLost(db: Db, ids: readonly string[], access_lost_at: string | null): Promise<void> {
  await db.updateTable('connections').set({ access_lost_at }).where('id', 'in', ids).execute()
}
