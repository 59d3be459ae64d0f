import { type RawBuilder, type SqlBool, sql } from 'kysely'

/*
 * SQLite stores the keys of an index in full. An index of the random ends of ids (UUIDv7) has two and a half times as many entries on a page as one of the
 * ids, and finds the same rows: other ids hardly ever have the same end, and queries compare the ids, too (decision 0125). An end is
 * named as the migration names it in the index, and compared as a part of a row: SQLite would replace the column in `substr` by
 * the value that it equals, and use no index.
 */

/** Whether an id of a table with an index of ends is this one: a value, or a column of another table. */
export function isId(column: string, id: string | { ref: string }): RawBuilder<SqlBool> {
  const [one, other] = [sql.ref(column), typeof id === 'string' ? sql.val(id) : sql.ref(id.ref)]
  return sql`(substr(${one}, 25), ${one}) = (substr(${other}, 25), ${other})`
}

/** Whether an id of a table with an index of ends is one of these. */
export function isOneOfIds(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  const one = sql.ref(column)
  const ends = sql.join(ids.map((id) => sql`substr(${id}, 25)`))
  return sql`(substr(${one}, 25) in (${ends}) and ${one} in (${sql.join(ids)}))`
}
