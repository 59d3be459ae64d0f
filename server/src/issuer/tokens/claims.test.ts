import { expect, test } from 'vitest'
import { claimsOfScopes } from './claims.ts'

test('a scope contains its own claims only, also one named like a member of Object.prototype', () => {
  expect(claimsOfScopes(['email', 'notes.read', 'constructor'])).toEqual(['email', 'email_verified'])
})
