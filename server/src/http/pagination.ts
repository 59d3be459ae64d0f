import { LIMITS, problem } from '@vrata/contract'
import { wholeListQuery } from '@vrata/contract/fields'
import { invalidRequest } from './problems.ts'

/**
 * Pages a list that the rule returns completely: all of it, or a part when the query asks for one (api §1, decision 0005).
 * The cursor is the number of items before the page.
 */
export function paginate<T>(whole: readonly T[], query: unknown): { data: readonly T[]; next_cursor: string | null } {
  const asked = wholeListQuery.safeParse(query, { reportInput: true })
  if (!asked.success) throw invalidRequest(asked.error.issues)
  const { limit, cursor } = asked.data
  if (limit === undefined && cursor === undefined) return { data: whole, next_cursor: null }
  const from = cursor ?? 0
  const end = from + (limit ?? LIMITS.page_default)
  return { data: whole.slice(from, end), next_cursor: end < whole.length ? String(end) : null }
}

/** Where a search continues: the user and the term that matched. */
export type SearchPosition = { term: string; user_id: string }

/** The cursor of a position in a search. */
export function encodePosition({ user_id, term }: SearchPosition): string {
  return Buffer.from(`${user_id} ${term}`).toString('base64url')
}

/** Decodes a cursor. A forged cursor is harmless: it is only a position in a list that the caller may read. */
export function decodePosition(cursor: string): SearchPosition {
  const text = Buffer.from(cursor, 'base64url').toString()
  const space = text.indexOf(' ')
  if (space < 1 || text.includes('\0')) throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  return { user_id: text.slice(0, space), term: text.slice(space + 1) }
}
