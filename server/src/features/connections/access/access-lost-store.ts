import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { accessRule } from '../../client-access/public.ts'

/** Whether a change of the rule of the client is not in all connections yet (decision 0092), as a column of other queries. */
export function isAccessChanging(): Expression<SqlBool> {
  const e = expressionBuilder<Database, 'connections'>()
  return e.exists(
    e
      .selectFrom('clients as changing')
      .select('changing.client_id')
      .whereRef('changing.client_id', '=', 'connections.client_id')
      .where('changing.access_change', 'is not', null),
  )
}

/**
 * Since when the rule of the client leaves the user of a connection out, as a column of other queries: the only place that says it. The
 * rule itself is asked while a change of it is not in all connections yet.
 */
export function accessLostAt(): RawBuilder<string | null> {
  const has = accessRule(sql.ref('connections.client_id'), sql.ref('connections.user_id'))
  const { ref } = sql
  return sql`case
    when not ${isAccessChanging()} then ${ref('connections.access_lost_at')}
    when ${has} then null
    else coalesce(${ref('connections.access_lost_at')}, ${ref('connections.updated_at')}) end`
}
