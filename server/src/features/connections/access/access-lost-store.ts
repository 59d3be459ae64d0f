import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { accessRule } from '../../client-access/public.ts'

/** A condition of other queries: whether the rule of the client has changed, and its connections are still compared with it (decision 0092). */
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
 * A column of other queries: the time since when the rule of the client leaves the user of a connection out, else null. No other place says
 * it. While connections are compared with a changed rule, the rule decides and not what they have stored.
 */
export function accessLostAt(): RawBuilder<string | null> {
  const has = accessRule(sql.ref('connections.client_id'), sql.ref('connections.user_id'))
  const { ref } = sql
  return sql`case
    when not ${isAccessChanging()} then ${ref('connections.access_lost_at')}
    when ${has} then null
    else coalesce(${ref('connections.access_lost_at')}, ${ref('connections.updated_at')}) end`
}
