import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadDb } from '../../db/open.ts'
import type { JsonText } from '../../db/values.ts'
import { accessLostAt, isAccessChanging } from '../../features/connections/public.ts'
import { areGroupsChanging, currentGroups } from '../../features/groups/public.ts'

/**
 * Columns of `connections` and `users` that a change in small steps has not written everywhere yet (decision 0092): whether the rule of the
 * client leaves the user out, and the groups of the user.
 */
export interface CurrentColumns {
  accessLostAt(): RawBuilder<string | null>
  groups(): RawBuilder<JsonText<string[]>>
}

/** Stored values: right unless `isChanging`. Evaluating the rule opens six more tables, which costs a third of a read of PostgreSQL. */
export const STORED: CurrentColumns = {
  accessLostAt: () => sql.ref('connections.access_lost_at'),
  groups: () => sql.ref('users.groups'),
}

/** Computed from the current rule and groups. */
const CURRENT: CurrentColumns = { accessLostAt, groups: currentGroups }

/** Whether the values that `STORED` reads may be outdated. */
export function isChanging(): RawBuilder<SqlBool> {
  return sql`(${isAccessChanging()} or ${areGroupsChanging()})`
}

type Prepared<Args, Row> = { first(db: ReadDb, args: Args): Promise<Row | undefined> }

/** Prepares a query in both ways. Reads a row as it is stored, and as it is now where its column `changing` says that it may be old. */
export function readCurrent<Args, Row extends { changing: SqlBool }>(
  prepared: (columns: CurrentColumns) => Prepared<Args, Row>,
): Prepared<Args, Row>['first'] {
  const stored = prepared(STORED)
  const current = prepared(CURRENT)
  return async (db, args) => {
    const row = await stored.first(db, args)
    return row?.changing ? await current.first(db, args) : row
  }
}
