import { expect, test } from 'vitest'
import { pageErrorOf } from './consent-error.tsx'

test('what waits no longer is an ended request; without a request it is an unknown app', () => {
  expect(pageErrorOf('not_found', 'a-uid')).toBe('request_expired')
  expect(pageErrorOf('not_found', undefined)).toBe('invalid_client')
})

test('a disabled app and an unknown scope are named; what passes by itself may be tried again', () => {
  expect(pageErrorOf('client_disabled', 'a-uid')).toBe('client_disabled')
  expect(pageErrorOf('unknown_scope', undefined)).toBe('unknown_scope')
  expect(pageErrorOf('unavailable', 'a-uid')).toBeUndefined()
  expect(pageErrorOf('too_many_requests', 'a-uid')).toBeUndefined()
})
