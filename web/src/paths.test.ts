import { describe, expect, test } from 'vitest'
import { isServerAddress, paths, safeRedirect } from './paths.ts'

describe('§2 the redirect value', () => {
  test.each(['/home', '/oauth?uid=1&x=%2F', '/developers/a/applications#b', '/authorize?client_id=1'])(
    'follows %s',
    (value) => expect(safeRedirect(value)).toBe(value),
  )
  test.each([
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
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

test('ids are escaped in addresses', () => {
  expect(paths.client('a/b', '../x')).toBe('/developers/a%2Fb/applications/..%2Fx/details')
})

test.each([
  ['/authorize?client_id=1', true],
  ['/oauth?client_id=1&response_type=code', true],
  ['/oauth?uid=1', false],
  ['/v1/docs', true],
  ['/home', false],
])('the server answers %s itself: %s', (href, expected) => expect(isServerAddress(href)).toBe(expected))
