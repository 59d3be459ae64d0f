import { expect, test } from 'vitest'
import { proofOf } from './proof-of.ts'

test.each([
  ['123456', { otp_token: '123456' }],
  [' 123 456 ', { otp_token: '123456' }],
  ['abcd-efgh', { recovery_code: 'abcd-efgh' }],
  ['12345678', { recovery_code: '12345678' }],
])('%o is sent as %o', (typed, proof) => expect(proofOf(typed)).toEqual(proof))
