import { expect, test } from 'vitest'
import { growth, judge, type Sample } from '../../bench/soak/judge.ts'

const flat = (at: number): Sample => ({
  memory: 150 + (at % 7),
  heap: 60 + (at % 9),
  'file handles': 40 + (at % 3),
})
const series = (change: (at: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 100 }, (_, at) => ({ ...flat(at), ...change(at) }))

test('a server that stays flat is well, also when it grows while it warms up', () => {
  expect(judge(series(() => ({})))).toEqual([])
  // Between two collections of garbage the heap grows.
  expect(judge(series((at) => ({ heap: 60 + (at % 10) * 8 })))).toEqual([])
  expect(judge(series((at) => (at < 20 ? { memory: 90 + at * 3 } : {})))).toEqual([])
})

test('what grows is named', () => {
  expect(judge(series((at) => ({ memory: 150 + at * 2 })))).toEqual(['memory has grown from 210 to 330 MB'])
  expect(judge(series((at) => ({ 'file handles': 40 + Math.floor(at / 4) })))).toEqual([
    'file handles has grown from 47 to 62',
  ])
  expect(judge(series(() => ({ heap: Number.NaN })))).toEqual(['heap: not known'])
  expect(
    growth(
      series((at) => ({ memory: at })),
      'memory',
    ).most,
  ).toBe(99)
})
