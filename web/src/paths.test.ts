import { expect, test } from 'vitest'
import { isServerAddress, paths } from './paths.ts'

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
