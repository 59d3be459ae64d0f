import {
  type AliasableExpression,
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { JsonText } from '../../db/values.ts'

/** The keys of a user's groups as a JSON list: what `users.groups` has once a change is written. */
export function groupKeys(user_id: Expression<string>): RawBuilder<JsonText<string[]>> {
  const e = expressionBuilder<Database>()
  const key = sql.ref('member.group_key')
  const keys = e
    .selectFrom('group_members as member')
    .innerJoin('groups as present', 'present.key', 'member.group_key')
    .select(sql<string>`'[' || coalesce(string_agg('"' || ${key} || '"', ',' order by ${key}), '') || ']'`.as('keys'))
    .where('member.user_id', '=', user_id)
    .where('present.deleted_at', 'is', null)
  return sql`(${keys})`
}

/** Whether a group is being deleted, whose key may still be in `users.groups` (decision 0092), as a column of other queries. */
export function areGroupsChanging(): AliasableExpression<SqlBool> {
  const e = expressionBuilder<Database>()
  return e.exists(e.selectFrom('groups as deleted').select('deleted.key').where('deleted.deleted_at', 'is not', null))
}

/** `users.groups`, as a column of other queries; the groups themselves while one is being deleted. */
export function currentGroups(): RawBuilder<JsonText<string[]>> {
  const stored = sql.ref('users.groups')
  return sql`case when ${stored} = '[]' or not ${areGroupsChanging()} then ${stored} else ${groupKeys(sql.ref('users.id'))} end`
}
