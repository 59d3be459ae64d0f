import { expect, test } from 'vitest'
import { pageErrorOf } from './consent-error.tsx'

test('maps not_found to an expired request, without a request to an unknown app', () => {
  expect(pageErrorOf('not_found', 'a-uid')).toBe('request_expired')
  expect(pageErrorOf('not_found', undefined)).toBe('invalid_client')
})

test('names a disabled app and an unknown scope, and leaves temporary problems to a retry', () => {
  expect(pageErrorOf('client_disabled', 'a-uid')).toBe('client_disabled')
  expect(pageErrorOf('unknown_scope', undefined)).toBe('unknown_scope')
  expect(pageErrorOf('unavailable', 'a-uid')).toBeUndefined()
  expect(pageErrorOf('too_many_requests', 'a-uid')).toBeUndefined()
})
