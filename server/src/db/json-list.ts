import { type RawBuilder, sql } from 'kysely'

/**
 * The JSON list of words in a column, without one of them: for changing many rows in one statement. Lists are ours
 * (`toJson`), so there is no space in them, and a word holds nothing that JSON would escape.
 */
export function listWithout<T>(column: string, word: string): RawBuilder<T> {
  const quoted = JSON.stringify(word)
  const inside = sql`replace(replace(${sql.ref(column)}, ${`,${quoted}`}, ''), ${`${quoted},`}, '')`
  return sql<T>`replace(${inside}, ${quoted}, '')`
}
