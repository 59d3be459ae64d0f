import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { accessRule } from '../../../features/client-access/public.ts'

/**
 * Deletes the tokens of a client, of all kinds, also those that it received in exchange for tokens of others, of users who may not use it; of all such
 * users, or of the named ones.
 */
export async function deleteTokensWithoutAccess(
  db: Db,
  client_id: string,
  user_ids: readonly string[] | undefined,
): Promise<void> {
  let query = db
    .deleteFrom('tokens')
    .where('client_id', '=', client_id)
    .where('user_id', 'is not', null)
    .where(({ not }) => not(accessRule(sql.val(client_id), sql.ref('tokens.user_id'))))
  if (user_ids)
    query = query.where('connection_id', 'in', (e) =>
      e.selectFrom('connections').select('id').where('user_id', 'in', user_ids),
    )
  await query.execute()
}
