import { expect, test } from 'vitest'
import { testClock } from './clock.ts'
import { hashToken, newId, newJwtId, newToken } from './ids.ts'

test('ids made one after the other sort one after the other', () => {
  const clock = testClock()
  const ids = Array.from({ length: 2000 }, (_, i) => {
    if (i % 7 === 0) clock.advance(0.001)
    return newId(clock)
  })
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('ids of JWTs are 256 bits each, also beside other ids that take from the same random bytes', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => {
    if (i % 3 === 0) newId(testClock())
    return newJwtId()
  })
  expect(new Set(ids.flatMap((id) => [id.slice(0, 21), id.slice(22)])).size).toBe(4000)
  expect(ids.every((id) => Buffer.from(id, 'base64url').length === 32)).toBe(true)
})

test('a token is 256 bits, and its hash does not tell it', () => {
  const token = newToken()
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(hashToken(token)).not.toContain(token)
  expect(hashToken('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})
