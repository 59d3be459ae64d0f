import { expect, test } from 'vitest'
import { formatPhoneNumber } from './phone-number.ts'

test.each([
  ['+38640123456', '+386 40 123 456'],
  ['+385911234567', '+385 911 234 567'],
  ['+12025550123', '+1 202 555 0123'],
  ['+4915123456789', '+49 15 123 456 789'],
  ['+3725123456', '+372 512 3456'],
  ['', ''],
])('formats %s as %s', (kept, shown) => {
  expect(formatPhoneNumber(kept)).toBe(shown)
})
