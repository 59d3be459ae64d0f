import { expect, test } from 'vitest'
import { fillPath, isServerAddress, paths } from './page-addresses.ts'

test('percent-encodes ids in addresses', () => {
  expect(paths.client('a/b', '../x')).toBe('/developers/a%2Fb/applications/..%2Fx/details')
})

test('fills and percent-encodes the parameters of a path pattern', () => {
  expect(fillPath('/a/{-$id}/$app/b', { id: 'x/y', app: 'č' })).toBe('/a/x%2Fy/%C4%8D/b')
  expect(fillPath('/a/{-$id}/$app/b', { app: 'z' })).toBe('/a/z/b')
})

test.each([
  ['/authorize?client_id=1', true],
  ['/oauth?client_id=1&response_type=code', true],
  ['/oauth?uid=1', false],
  ['/v1/docs', true],
  ['/home', false],
])('%s is answered by the server: %s', (href, expected) => expect(isServerAddress(href)).toBe(expected))
