import { expect, test } from 'vitest'
import { hashToken } from '../../lib/ids.ts'
import { newTimedToken, tokenKey } from './token-keys.ts'

test('keys of tokens sort by their time, and tokens of one time differ', () => {
  const times = ['1970-01-01', '2026-11-24T10:00:00.000Z', '2026-11-24T10:00:00.001Z', '2059-05-25', '5000-01-01']
  const tokens = times.flatMap((time) => [newTimedToken(new Date(time)), newTimedToken(new Date(time))])
  const keys = tokens.map((token) => tokenKey(token).slice(0, 9))
  expect(keys).toEqual(keys.toSorted())
  expect(new Set(keys).size).toBe(times.length)
  expect(new Set(tokens.map(tokenKey)).size).toBe(tokens.length)
})

test('the key contains a hash of the whole token', () => {
  const token = newTimedToken(new Date())
  expect(tokenKey(token)).toBe(token.slice(0, 9) + hashToken(token))
  expect(tokenKey(`${token.slice(0, -1)}-`)).not.toContain(hashToken(token))
})

test('the key of a token without a time is its hash', () => {
  for (const token of ['x'.repeat(43), '', 'short']) expect(tokenKey(token)).toBe(hashToken(token))
})
