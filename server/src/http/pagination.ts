import { LIMITS } from '@vrata/contract'
import { wholeListQuery } from '@vrata/contract/fields'
import { invalidRequest } from './problems.ts'

/**
 * Pages a list that the rule returns completely: all of it, or a part when the query asks for one (api §1, decision
 * 0007). The cursor is the number of items before the page.
 */
export function paginate<T>(whole: readonly T[], query: unknown): { data: readonly T[]; next_cursor: string | null } {
  const asked = wholeListQuery.safeParse(query)
  if (!asked.success) throw invalidRequest(asked.error.issues)
  const { limit, cursor } = asked.data
  if (limit === undefined && cursor === undefined) return { data: whole, next_cursor: null }
  const from = cursor ?? 0
  const end = from + (limit ?? LIMITS.page_default)
  return { data: whole.slice(from, end), next_cursor: end < whole.length ? String(end) : null }
}
