import { expect, test } from 'vitest'
import { newToken } from '../../lib/ids.ts'
import { RememberedRows } from './remembered-rows.ts'

test('a row is taken once, as it was put', () => {
  const rows = new RememberedRows()
  const row = { name: 'Žiga Čeč', language: '["sl-SI"]', ended_at: null, token_generation: 3, changing: false }
  rows.put('a', row)
  expect(rows.take('b')).toBeUndefined()
  expect(rows.take('a')).toEqual(row)
  expect(rows.take('a')).toBeUndefined()
})

test('a row that is too long is not remembered, and the one before it is forgotten', () => {
  const rows = new RememberedRows()
  rows.put('a', { name: 'Ana' })
  rows.put('a', { name: 'Č'.repeat(1100) })
  expect(rows.take('a')).toBeUndefined()
})

test('the newest row takes the place of another one, and no key finds the row of another', () => {
  const rows = new RememberedRows()
  const keys = Array.from({ length: 5000 }, newToken)
  for (const key of keys) rows.put(key, { key })
  const found = keys
    .map((key) => rows.take<{ key: string }>(key))
    .flatMap((row, i) => (row ? [[row.key, keys[i]]] : []))
  for (const [key, expected] of found) expect(key).toBe(expected)
  expect(found.length).toBeGreaterThan(400)
  expect(found.length).toBeLessThanOrEqual(512)
  expect(rows.take(keys.at(-1) as string)).toBeUndefined()
})
