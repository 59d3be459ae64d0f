import { expect, test } from 'vitest'
import { newToken } from '../../lib/ids.ts'
import { RememberedRows } from './remembered-rows.ts'

test('a row can be taken once, unchanged', () => {
  const rows = new RememberedRows()
  const row = { name: 'Žiga Čeč', language: '["sl-SI"]', ended_at: null, token_generation: 3, changing: false }
  rows.put('a', row)
  expect(rows.take('b')).toBeUndefined()
  expect(rows.take('a')).toEqual(row)
  expect(rows.take('a')).toBeUndefined()
})

test.each([
  ['is too long', { name: 'Č'.repeat(1100), changing: false }],
  ['is changing in small steps', { name: 'Ana', changing: true }],
])('a row that %s is not remembered, and the one before it is forgotten', (_, row) => {
  const rows = new RememberedRows()
  rows.put('a', { changing: false })
  rows.put('a', row)
  expect(rows.take('a')).toBeUndefined()
})

test('the newest row takes the place of another one, and no key finds the row of another', () => {
  const rows = new RememberedRows()
  const keys = Array.from({ length: 5000 }, newToken)
  for (const key of keys) rows.put(key, { key, changing: false } as { changing: boolean })
  const found = keys
    .map((key) => rows.take<{ key: string }>(key))
    .flatMap((row, i) => (row ? [[row.key, keys[i]]] : []))
  for (const [key, expected] of found) expect(key).toBe(expected)
  expect(found.length).toBeGreaterThan(400)
  expect(found.length).toBeLessThanOrEqual(512)
  expect(rows.take(keys.at(-1) as string)).toBeUndefined()
})
