import { expect, test } from 'vitest'
import { isLongAgo } from './is-long-ago.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')

test.each([
  ['2026-11-21T09:59:00.000Z', false],
  ['2026-05-24T10:00:00.000Z', false],
  ['2026-05-23T10:00:00.000Z', true],
  ['2025-01-01T00:00:00.000Z', true],
])('%s is long ago: %s', (at, old) => expect(isLongAgo(at, NOW)).toBe(old))
