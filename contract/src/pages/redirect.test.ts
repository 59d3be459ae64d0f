import { describe, expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

describe('the redirect value', () => {
  test.each(['/home', '/oauth?uid=1&x=%2F', '/developers/a/applications#b', '/authorize?client_id=1'])(
    'follows %s',
    (value) => expect(safeRedirect(value)).toBe(value),
  )
  test.each([
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    '/\t/evil.test',
    '/a\\b',
    ' /home',
    'home',
    'javascript:alert(1)',
    '/login?redirect=/login',
    '/logout',
    '/register',
    '',
    undefined,
    ['/home'],
    `/${'a'.repeat(5000)}`,
  ])('does not follow %j', (value) => expect(safeRedirect(value)).toBeUndefined())
  test('cleans what it follows', () => expect(safeRedirect('/a/../home')).toBe('/home'))
})
