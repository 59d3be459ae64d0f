import { expect, test } from 'vitest'
import { otpOrRecoveryCode } from './otp-or-recovery-code.ts'

test.each([
  ['123456', { otp_token: '123456' }],
  [' 123 456 ', { otp_token: '123456' }],
  ['abcd-efgh', { recovery_code: 'abcd-efgh' }],
  ['12345678', { recovery_code: '12345678' }],
])('parses %o as %o', (typed, proof) => expect(otpOrRecoveryCode(typed)).toEqual(proof))
