import type { Answer } from '@vrata/contract'
import { LIMITS } from '@vrata/contract/limits'
import { dataOrThrow } from './call-query.ts'

/** Maximum number of pages, enough for all groups of an installation (`LIMITS.groups`). A longer list is cut. */
const MAX_PAGES = 10

/** Reads a list with all its pages, for a choice that offers every row. `read` calls the server for one page. */
export async function wholeList<T>(
  read: (page: { limit: number; cursor?: string }) => Promise<Answer<T[]>>,
): Promise<T[]> {
  const rows: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await read({ limit: LIMITS.page_max, ...(cursor && { cursor }) })
    rows.push(...dataOrThrow(answer))
    if (!answer.ok || !answer.next_cursor) break
    cursor = answer.next_cursor
  }
  return rows
}
