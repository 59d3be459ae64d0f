import { type RawBuilder, sql } from 'kysely'

/**
 * A JSON list column without one of its words, for updating many rows in one statement. Lists are written by `toJson`,
 * so they contain no spaces, and words contain nothing that JSON escapes.
 */
export function listWithout<T>(column: string, word: string): RawBuilder<T> {
  const quoted = JSON.stringify(word)
  const inside = sql`replace(replace(${sql.ref(column)}, ${`,${quoted}`}, ''), ${`${quoted},`}, '')`
  return sql<T>`replace(${inside}, ${quoted}, '')`
}
