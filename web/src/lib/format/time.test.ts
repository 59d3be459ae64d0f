import { formats } from '@vrata/phrases/format'
import { expect, test } from 'vitest'
import { formatTime, parseServerTime } from './time.ts'

test.each(['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00', '2026-11-21T11:00:00+01:00'])(
  'parses times of the server as UTC: %s (product §3.9)',
  (value) => expect(parseServerTime(value).toISOString()).toBe('2026-11-21T10:00:00.000Z'),
)

test('formats a time as relative text and exact time', () => {
  const shown = formatTime('2026-11-21T10:00:00Z', formats('en-US'), Date.UTC(2026, 10, 21, 12))
  expect(shown).toMatchObject({ words: '2 hours ago', dateTime: '2026-11-21T10:00:00.000Z' })
  expect(shown.exact).toContain('2026')
})
