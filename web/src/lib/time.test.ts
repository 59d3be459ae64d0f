import { formats } from '@vrata/phrases/format'
import { expect, test } from 'vitest'
import { serverTime, shownTime } from './time.ts'

test.each(['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00', '2026-11-21T11:00:00+01:00'])(
  '§3 times from the server are UTC: %s',
  (value) => expect(serverTime(value).toISOString()).toBe('2026-11-21T10:00:00.000Z'),
)

test('a time shows relative words and the exact time', () => {
  const shown = shownTime('2026-11-21T10:00:00Z', formats('en-US'), Date.UTC(2026, 10, 21, 12))
  expect(shown).toMatchObject({ words: '2 hours ago', dateTime: '2026-11-21T10:00:00.000Z' })
  expect(shown.exact).toContain('2026')
})
