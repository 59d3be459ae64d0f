import { expect, test } from 'vitest'
import { waysOf } from './prove.ts'

test.each([
  ['a password alone', { has_password: true, passkeys: 0, otp_enabled: false }, ['password']],
  ['everything', { has_password: true, passkeys: 2, otp_enabled: true }, ['password', 'passkey', 'code']],
  ['no password', { has_password: false, passkeys: 1, otp_enabled: false }, ['passkey']],
] as const)('somebody with %s is asked for it', (_, user, ways) => expect(waysOf(user, true)).toEqual(ways))

test('a browser without passkeys asks for none', () =>
  expect(waysOf({ has_password: true, passkeys: 1, otp_enabled: false }, false)).toEqual(['password']))
