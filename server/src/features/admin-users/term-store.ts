import { type SqlBool, sql } from 'kysely'
import { firstMatches, type Terms } from '../../db/compiled-queries/term-search.ts'
import type { ReadDb } from '../../db/open.ts'
import { HIGHEST } from '../../db/search-text.ts'
import type { SearchPosition } from '../../http/pagination.ts'

/** Whether the column `term` begins with a word. */
export function begins(word: string) {
  return sql<SqlBool>`term >= ${word} and term < ${word + HIGHEST}`
}

/** Counts the terms that begin with a word, up to `most`. */
export async function countTerms(db: ReadDb, word: string, most: number): Promise<number> {
  const found = db.selectFrom('account_terms').select('term').where(begins(word)).limit(most).as('found')
  const { count } = await db
    .selectFrom(found)
    .select((e) => e.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists positions of people whose terms match, each person once. */
export async function listMatches(
  db: ReadDb,
  words: { word: string; others: readonly string[] },
  page: { after: SearchPosition | undefined; limit: number },
): Promise<SearchPosition[]> {
  const terms = (alias: string) => db.selectFrom(`account_terms as ${alias}`)
  return await firstMatches(terms as unknown as Terms, words, page).execute()
}
