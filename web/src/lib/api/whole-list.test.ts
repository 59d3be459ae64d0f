import type { Answer } from '@vrata/contract'
import { expect, test } from 'vitest'
import { wholeList } from './whole-list.ts'

/** A list of numbers, in pages. */
const listOf =
  (length: number) =>
  async ({ limit, cursor = '0' }: { limit: number; cursor?: string }): Promise<Answer<number[]>> => {
    const end = Math.min(Number(cursor) + limit, length)
    const data = Array.from({ length: end - Number(cursor) }, (_, index) => Number(cursor) + index)
    return { ok: true, data, next_cursor: end < length ? String(end) : null, http: 200 }
  }

test('a choice offers the rows of all pages, each once', async () => {
  const rows = await wholeList(listOf(230))
  expect(rows).toHaveLength(230)
  expect(new Set(rows).size).toBe(230)
})

test('a choice of a very long list has its beginning', async () => {
  expect(await wholeList(listOf(5000))).toHaveLength(1000)
})

test('a page that cannot be read fails the whole list', async () => {
  const problem = { code: 'unavailable', message: '' } as Extract<Answer<never>, { ok: false }>['problem']
  await expect(wholeList(async () => ({ ok: false, problem, http: 0 }))).rejects.toThrow()
})
