import { expect, test } from 'vitest'
import { normalUri } from './normal-uri.ts'

test.each([
  ['HTTPS://Example.com/Callback', 'https://example.com/Callback'],
  ['https://example.com:443/callback', 'https://example.com/callback'],
  ['https://example.com/my app', 'https://example.com/my%20app'],
  ['http://[::0001]:3000/callback', 'http://[::1]:3000/callback'],
  ['com.Example.App:/callback', 'com.example.app:/callback'],
])('names the normal form of %s', (uri, normal) => expect(normalUri(uri, 'invalid_url')).toBe(normal))

test('names none where a URI is refused for another reason', () => {
  expect(normalUri('example.com', 'invalid_url')).toBeUndefined()
  expect(normalUri('http://Example.com/', 'https_required')).toBeUndefined()
})
