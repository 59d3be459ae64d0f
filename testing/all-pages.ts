import type { Answer } from '@vrata/contract'
import { dataOf } from './api-client.ts'

/** Reads all pages of a list. `read` is called without a cursor first, and then with that of each next page. */
export async function allPages<T>(read: (from: { cursor?: string }) => Promise<Answer<readonly T[]>>): Promise<T[][]> {
  const pages: T[][] = []
  let cursor: string | null = null
  do {
    const page: Answer<readonly T[]> = await read(cursor ? { cursor } : {})
    pages.push([...dataOf(page)])
    cursor = page.ok ? page.next_cursor : null
  } while (cursor)
  return pages
}
