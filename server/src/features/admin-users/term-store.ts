import { type SqlBool, sql } from 'kysely'
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

/**
 * Lists people with a term that begins with `word` and one for each of the `others`, each once, sorted by the first match. Reads the
 * index of terms in its order, so that a page costs the same with many people.
 */
export async function listMatches(
  db: ReadDb,
  { word, others }: { word: string; others: readonly string[] },
  { after, limit }: { after: SearchPosition | undefined; limit: number },
): Promise<SearchPosition[]> {
  let query = db
    .selectFrom('account_terms as t')
    .select(['t.term', 't.user_id'])
    .where(
      after ? sql<SqlBool>`(t.term, t.user_id) > (${after.term}, ${after.user_id})` : sql<SqlBool>`t.term >= ${word}`,
    )
    .where('t.term', '<', word + HIGHEST)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('account_terms as earlier')
            .select('earlier.term')
            .whereRef('earlier.user_id', '=', 't.user_id')
            .where('earlier.term', '>=', word)
            .whereRef('earlier.term', '<', 't.term'),
        ),
      ),
    )
    .orderBy('t.term')
    .orderBy('t.user_id')
    .limit(limit)
  for (const other of others)
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('account_terms as other')
          .select('other.term')
          .whereRef('other.user_id', '=', 't.user_id')
          .where('other.term', '>=', other)
          .where('other.term', '<', other + HIGHEST),
      ),
    )
  return await query.execute()
}
