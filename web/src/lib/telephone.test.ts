import { expect, test } from 'vitest'
import { spacedNumber } from './telephone.ts'

test.each([
  ['+38640123456', '+386 40 123 456'],
  ['+385911234567', '+385 911 234 567'],
  ['+12025550123', '+1 202 555 0123'],
  ['+4915123456789', '+49 15 123 456 789'],
  ['+3725123456', '+372 512 3456'],
  ['', ''],
])('%s is shown as %s', (kept, shown) => {
  expect(spacedNumber(kept)).toBe(shown)
})
