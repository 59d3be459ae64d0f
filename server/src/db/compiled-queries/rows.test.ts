import { expect, test } from 'vitest'
import { MADE_AFTER, rowsWith } from './rows.ts'

test('the rows of a statement are the same when it runs for the first time and when it runs often', () => {
  const columns = [
    'id',
    'client_id',
    'count(*)',
    'a "quoted" name',
    "it's",
    '`1`',
    'back\\slash',
    'two\nlines',
    '\u2028',
  ]
  const values = ['1', null, 2, 'q', '', 'd', 'b', 't', 'u']
  const toRow = rowsWith(columns)
  const first = toRow(values)
  expect(Object.entries(first)).toEqual(columns.map((name, i) => [name, values[i]]))
  for (let i = 0; i < 2 * MADE_AFTER; i += 1) expect(toRow(values)).toEqual(first)
  expect(toRow(['2', ...values.slice(1)])).toEqual({ ...first, id: '2' })
})

test('a statement without columns has empty rows', () => {
  const toRow = rowsWith([])
  for (let i = 0; i < 2 * MADE_AFTER; i += 1) expect(toRow([])).toEqual({})
})
