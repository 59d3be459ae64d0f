import { expect, test } from 'vitest'
import { reauthenticationMethods } from './reauthenticate.ts'

test.each([
  ['a password alone', { has_password: true, passkeys: 0, otp_enabled: false }, ['password']],
  ['everything', { has_password: true, passkeys: 2, otp_enabled: true }, ['password', 'passkey', 'code']],
  ['no password', { has_password: false, passkeys: 1, otp_enabled: false }, ['passkey']],
] as const)('offers the methods of a user with %s', (_, user, ways) =>
  expect(reauthenticationMethods(user, true)).toEqual(ways),
)

test('omits passkeys in a browser without support', () =>
  expect(reauthenticationMethods({ has_password: true, passkeys: 1, otp_enabled: false }, false)).toEqual(['password']))

test('asks no user without a password for one', () =>
  expect(reauthenticationMethods({ has_password: false, passkeys: 1, otp_enabled: false }, false)).toEqual([]))
