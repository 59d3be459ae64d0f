import { LIMITS } from '@vrata/contract'
import { wholeListQuery } from '@vrata/contract/fields'
import { invalidRequest } from './problems.ts'

/**
 * A list that is short by nature is answered whole; whoever asks for a part of it gets one (api.md §1, decision 0198). The
 * cursor is how many were told before.
 */
export function partOf<T>(whole: readonly T[], query: unknown): { data: readonly T[]; next_cursor: string | null } {
  const asked = wholeListQuery.safeParse(query)
  if (!asked.success) throw invalidRequest(asked.error.issues)
  const { limit, cursor } = asked.data
  if (limit === undefined && cursor === undefined) return { data: whole, next_cursor: null }
  const from = cursor ?? 0
  const end = from + (limit ?? LIMITS.page_default)
  return { data: whole.slice(from, end), next_cursor: end < whole.length ? String(end) : null }
}
