import { account, sessions } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { describe, expect, test } from 'vitest'
import { limitAuthorizations, limitsOf, rateLimit } from './rate-limit.ts'

/** Runs a call that a limit refuses until its window ends. */
function refused(call: () => void, seconds = 60): void {
  expect(call).toThrow(
    expect.objectContaining({ code: 'too_many_requests', retry_after: seconds, params: { seconds } }),
  )
}
const inOneNetwork = (n: number) => `2001:db8:1:2:${n.toString(16)}::1`

describe('all addresses of an IPv6 /64 count as one client', () => {
  test('for calls without a session', () => {
    const limit = rateLimit()
    for (let n = 0; n < 120; n += 1) limit(sessions.refresh, inOneNetwork(n))
    refused(() => limit(sessions.refresh, inOneNetwork(999)))
    limit(sessions.refresh, '2001:db8:1:3::1')
  })

  test('for authorization requests', () => {
    const limit = limitAuthorizations()
    for (let n = 0; n < 300; n += 1) limit(inOneNetwork(n))
    refused(() => limit(inOneNetwork(999)))
  })
})

test('IPv4 addresses of one network count separately, in plain and in IPv6-mapped notation', () => {
  const limit = limitAuthorizations()
  for (let n = 0; n < 300; n += 1) limit(n % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')
  refused(() => limit('192.0.2.1'))
  limit('192.0.2.2')
})

test('calls count against the limits of their class', () => {
  const limited = [...ROUTES].flatMap(([name, route]) => (route.limit ? [[name, limitsOf(route)]] : []))
  expect(Object.fromEntries(limited)).toEqual({
    'account.checkUsername': ['call', 'lookup'],
    'signIn.forgotPassword': ['call', 'write', 'costly'],
    'signIn.login': ['call', 'write', 'costly'],
    'signIn.register': ['call', 'write', 'costly'],
    'accountInvitations.acceptWithPassword': ['call', 'write', 'costly'],
    'system.sendTestMail': ['call', 'costly'],
    'connections.openDeviceCode': ['call', 'code'],
    'signIn.createQrCode': ['call', 'write'],
  })
})

test('a new address and a user name count as look-ups of accounts, other fields do not', () => {
  const counted = (body: object) => limitsOf(account.updateAccount, body)
  expect(counted({ first_name: 'Ana', pending_email: null })).toEqual(['call'])
  expect(counted({ email: 'ana@example.com' })).toEqual(['call', 'costly'])
  expect(counted({ username: 'ana' })).toEqual(['call', 'lookup'])
  const limit = rateLimit()
  for (let n = 0; n < 60; n += 1) limit(account.updateAccount, `192.0.2.${n}`, { email: `a${n}@example.com` })
  refused(() => limit(account.updateAccount, '192.0.2.99', { email: 'b@example.com' }), 600)
  limit(account.updateAccount, '192.0.2.99', { first_name: 'Ana' })
})

test('calls without a session count against the limit of writes, unless they only read', () => {
  for (const [name, route] of ROUTES) {
    if (route.limit) continue
    const writes = route.needs === 'nobody' && route.method !== 'GET'
    expect(limitsOf(route), name).toEqual(writes ? ['call', 'write'] : ['call'])
  }
})
