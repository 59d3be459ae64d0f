import { expect, test } from 'vitest'
import { isOwnHost } from './own-host.ts'

const known = ['https://app.example/cb', 'com.example.app:/cb', '']

test('an address on a host that the app uses, or on this computer, is its own', () => {
  expect(isOwnHost('https://app.example/other', known)).toBe(true)
  expect(isOwnHost('http://localhost:4000/cb', [])).toBe(true)
})

test.each(['https://evil.example/cb', 'https://app.example.evil.example/', 'com.evil.app:/cb', 'nonsense'])(
  'it is not: %s',
  (address) => expect(isOwnHost(address, known)).toBe(false),
)
