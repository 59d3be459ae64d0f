import { expect, test } from 'vitest'
import { claimsOfScopes } from './claims.ts'

test('a scope tells only what is written for it, also one that is named like something every object has', () => {
  expect(claimsOfScopes(['email', 'notes.read', 'constructor'])).toEqual(['email', 'email_verified'])
})
