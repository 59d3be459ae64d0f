import { expect, test } from 'vitest'
import { isOwnHost } from './is-own-host.ts'

const known = ['https://app.example/cb', 'com.example.app:/cb', '']

test('accepts addresses on hosts of the app and on this computer', () => {
  expect(isOwnHost('https://app.example/other', known)).toBe(true)
  expect(isOwnHost('http://localhost:4000/cb', [])).toBe(true)
})

test.each(['https://evil.example/cb', 'https://app.example.evil.example/', 'com.evil.app:/cb', 'nonsense'])(
  'rejects %s',
  (address) => expect(isOwnHost(address, known)).toBe(false),
)
