import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { HIGHEST } from '../search-text.ts'

type Term = { term: string; user_id: string }
type Alias = 't' | 'earlier' | 'other'
type Aliases = Record<Alias, Term>
/** The terms among which is searched, such as those of the users of one developer account, as a table of this name. */
export type Terms = <A extends Alias>(alias: A) => SelectQueryBuilder<Aliases, A, object>

/**
 * Selects users with a term that begins with `word` and one for each of the `others`, each user once, sorted by the first match.
 * Reads the index of terms in its order, so that the cost of a page does not depend on the number of users.
 */
export function firstMatches(
  terms: Terms,
  { word, others }: { word: string; others: readonly string[] },
  { after, limit }: { after: Term | undefined; limit: number },
) {
  let query = terms('t')
    .select(['t.term', 't.user_id'])
    .where(
      after ? sql<SqlBool>`(t.term, t.user_id) > (${after.term}, ${after.user_id})` : sql<SqlBool>`t.term >= ${word}`,
    )
    .where('t.term', '<', word + HIGHEST)
    .where((e: ExpressionBuilder<Aliases, 't'>) =>
      e.not(
        e.exists(
          terms('earlier')
            .select('earlier.term')
            .where(sql<SqlBool>`earlier.user_id = t.user_id`)
            .where('earlier.term', '>=', word)
            .where(sql<SqlBool>`earlier.term < t.term`),
        ),
      ),
    )
    .orderBy('t.term')
    .orderBy('t.user_id')
    .limit(limit)
  for (const other of others)
    query = query.where((e: ExpressionBuilder<Aliases, 't'>) =>
      e.exists(
        terms('other')
          .select('other.term')
          .where(sql<SqlBool>`other.user_id = t.user_id`)
          .where('other.term', '>=', other)
          .where('other.term', '<', other + HIGHEST),
      ),
    )
  return query
}
