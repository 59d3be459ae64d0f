import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { accessRule } from '../../client-access/public.ts'

/**
 * Since when the rule of the client leaves the user of a connection out, as a column of other queries: the only place that says it. The
 * rule itself is asked while a change of it is not in all connections yet (decision 0144); otherwise this costs a look into an index.
 */
export function accessLostAt(): RawBuilder<string | null> {
  const e = expressionBuilder<Database, 'connections'>()
  const isChanging = e.exists(
    e
      .selectFrom('clients as changing')
      .select('changing.client_id')
      .whereRef('changing.client_id', '=', 'connections.client_id')
      .where('changing.access_change', 'is not', null),
  )
  const has = accessRule(sql.ref('connections.client_id'), sql.ref('connections.user_id'))
  const { ref } = sql
  return sql`case
    when not ${isChanging} then ${ref('connections.access_lost_at')}
    when ${has} then null
    else coalesce(${ref('connections.access_lost_at')}, ${ref('connections.updated_at')}) end`
}
