import { expect, test } from 'vitest'
import { timeAfter, toTime } from './values.ts'

test('a time is formatted correctly, whatever was formatted before', () => {
  const times = [
    '2026-11-24T10:00:00.000Z',
    '2026-11-24T10:00:00.001Z',
    '2026-11-24T10:00:00.001Z',
    '2026-11-24T10:00:00.000Z',
  ]
  expect(times.map((text) => toTime(new Date(text)))).toEqual(times)
  // More of them than are kept, twice.
  const first = Date.parse(times[0] ?? '')
  for (let n = 0; n < 200; n += 1) {
    const date = new Date(first + (n % 100))
    expect(toTime(date)).toBe(date.toISOString())
  }
  expect(timeAfter(new Date(times[0] ?? ''), 60)).toBe('2026-11-24T10:01:00.000Z')
  expect(() => toTime(new Date('no time'))).toThrow(RangeError)
})
