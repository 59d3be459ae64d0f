import { clients, RATE_LIMITS } from '@vrata/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { credentials, type ThirdParty } from '../../../test/third-party.ts'
import { FORM_BYTES } from './accept-forms.ts'

/** Every endpoint of the issuer that takes a form gives the same answer to a body that it cannot read. */
const OF_CLIENTS = [
  '/token',
  '/par',
  '/device_authorization',
  '/backchannel_authentication',
  '/revoke',
  '/introspect',
  '/userinfo',
]
const OF_BROWSERS = ['/authorize', '/oauth', '/end-session', '/end-session/confirm']

let server: TestServer
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  const ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await ana.call(clients.addOrigin, { id: app.client_id, origin: 'https://app.example' })
})
afterAll(() => server?.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (url: string, payload: InjectOptions['payload'] = '', headers: Record<string, string> = form) =>
  server.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })
type Answer = Awaited<ReturnType<typeof post>>

function expectOAuthError(answer: Answer, status: number): void {
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toMatch('application/json')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.json()).toEqual({ error: expect.any(String), error_description: expect.stringMatching(/^[ -~]+$/) })
}

function expectPage(answer: Answer, status: number, text: string): void {
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['content-security-policy']).toMatch("default-src 'none'; style-src 'sha256-")
  expect(answer.body).toContain(text)
}

const many = Array.from({ length: 1000 }, (_, at) => `p${at}=1`).join('&')
const UNREADABLE: [string, number, InjectOptions['payload'], Record<string, string>][] = [
  ['a form that is too large', 413, 'a='.padEnd(FORM_BYTES + 1, 'x'), form],
  ['JSON', 415, '{"token":"x"}', { 'content-type': 'application/json' }],
  ['a multipart form', 415, '--b--', { 'content-type': 'multipart/form-data; boundary=b' }],
  ['a malformed type', 415, 'token=x', { 'content-type': 'form' }],
  ['a body without a type', 415, 'token=x', { 'content-type': '' }],
  ['a compressed form', 415, 'token=x', { ...form, 'content-encoding': 'gzip' }],
  ['a form that is not UTF-8', 400, Buffer.from([0x61, 0x3d, 0xff]), form],
  ['more parameters than oidc-provider reads', 400, `${many}&token=x`, form],
]

describe.each(OF_CLIENTS)('POST %s', (url) => {
  test.each(UNREADABLE)('%s: %i', async (_, status, payload, headers) => {
    const answer = await post(url, payload, { ...headers, origin: 'https://app.example' })
    expectOAuthError(answer, status)
    expect(answer.json().error).toBe('invalid_request')
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test.each([
    ['an empty form', '', form],
    ['no body', undefined, {}],
    ['no body of JSON', '', { 'content-type': 'application/json' }],
    ['malformed percent encoding', 'token=%zz&grant_type=%&client_id=%c3', form],
    ['another charset', 'token=x', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' }],
    ['an unknown charset', 'token=x', { 'content-type': 'application/x-www-form-urlencoded; charset=?' }],
    ['the largest form', 'a='.padEnd(FORM_BYTES, 'x'), form],
    ['as many parameters as possible', many, form],
    ['NUL', 'client_id=%00&client_secret=%00&token=%00&access_token=%00&grant_type=%00', form],
    ['NUL that is not encoded', 'client_id=\0&token=\0&grant_type=\0', form],
  ] as const)('%s: the answer to a request without credentials', async (_, payload, headers) => {
    const answer = await post(url, payload, headers)
    expect([400, 401]).toContain(answer.statusCode)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json().error_description ?? '').not.toMatch(/pars|large|content-type/)
  })

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('%s: 405 or an answer', async (method) => {
    const answer = await server.app.inject({ method, url, headers: form })
    if (url === '/userinfo' && (method === 'GET' || method === 'HEAD')) return expect(answer.statusCode).toBe(401)
    if (method === 'OPTIONS' && ['/userinfo', '/token', '/revoke', '/par', '/device_authorization'].includes(url))
      return expect(answer.statusCode).toBe(204)
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, expect.stringContaining('POST')])
    if (method !== 'HEAD') expectOAuthError(answer, 405)
  })
})

describe.each(OF_BROWSERS)('a browser that posts to %s', (url) => {
  test.each(UNREADABLE)('%s: a page', async (_, status, payload, headers) => {
    expectPage(await post(url, payload, headers), status, 'There is a problem with this app’s request')
  })

  test.each(['PUT', 'DELETE', 'OPTIONS'] as const)('%s: 405', async (method) => {
    const answer = await server.app.inject({ method, url, headers: form })
    expectPage(answer, 405, 'There is a problem with this app’s request')
    expect(answer.headers.allow).toContain('POST')
  })
})

test('a form that would be too long as an address is not redirected to it', async () => {
  for (const url of ['/authorize', '/oauth', '/end-session'])
    expectPage(await post(url, 'state='.padEnd(15_000, 'x')), 413, 'There is a problem')
})

describe('a client that authenticates', () => {
  const send = (url: string, payload: string, headers: Record<string, string> = {}) =>
    post(url, payload, { ...form, ...credentials(app), ...headers })

  test('may send the largest form and name a charset', async () => {
    expect((await send('/revoke', 'token=x&a='.padEnd(FORM_BYTES, 'x'))).statusCode).toBe(200)
    const named = { 'content-type': 'Application/X-WWW-Form-Urlencoded;charset=unknown' }
    expect((await send('/revoke', 'token=č', named)).statusCode).toBe(200)
    expect((await send('/introspect', 'token=č', named)).json()).toEqual({ active: false })
  })

  test.each([
    ['/token', 'grant_type=authorization_code', 'code=a&code=b'],
    ['/token', '', 'grant_type=refresh_token&grant_type=refresh_token'],
    ['/token', 'grant_type=refresh_token&refresh_token=a', 'scope=openid&scope=openid'],
    ['/par', 'response_type=code', 'state=a&state=b'],
    ['/device_authorization', '', 'scope=openid&scope=openid'],
    ['/backchannel_authentication', '', 'login_hint=a&login_hint=b'],
    ['/revoke', '', 'token=a&token=b'],
    ['/introspect', '', 'token=a&token=b'],
  ])('%s: a repeated parameter is refused (RFC 6749 §3.2)', async (url, others, repeated) => {
    const answer = await send(url, [others, repeated].filter(Boolean).join('&'))
    expectOAuthError(answer, 400)
    expect(answer.json().error).toBe('invalid_request')
    expect(answer.json().error_description).toMatch(/twice|once/)
  })

  test.each(OF_CLIENTS.filter((url) => url !== '/userinfo'))('%s: not in two ways (RFC 6749 §2.3)', async (url) => {
    const twice = `client_id=${app.client_id}&client_secret=${app.client_secret}&token=x&grant_type=refresh_token`
    const answer = await send(url, twice)
    expectOAuthError(answer, 400)
    expect(answer.json().error).toBe('invalid_request')
  })

  test.each(OF_CLIENTS)('%s: NUL is a value like others', async (url) => {
    const names = ['token', 'refresh_token', 'code', 'redirect_uri', 'scope', 'resource', 'login_hint', 'state']
    for (const grant_type of ['refresh_token', 'authorization_code', 'client_credentials']) {
      const values = names.map((name) => `${name}=%00`).join('&')
      expect((await send(url, `grant_type=${grant_type}&${values}`)).statusCode).toBeLessThan(500)
    }
  })
})

test('too many requests of an address: an OAuth error for clients, and a page for browsers', async () => {
  const headers = { ...form, 'x-forwarded-for': '192.0.2.7' }
  const from = (method: 'GET' | 'POST', url: string) => server.app.inject({ method, url, headers })
  for (let at = 0; at < RATE_LIMITS.authorization.points; at++) await from('POST', '/par')
  for (const url of ['/par', '/device_authorization', '/backchannel_authentication']) {
    const answer = await from('POST', url)
    expectOAuthError(answer, 429)
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.json().error).toBe('temporarily_unavailable')
  }
  const page = await from('GET', '/authorize?response_type=code')
  expectPage(page, 429, 'Wait a moment, then try again.')
  expect(page.headers['retry-after']).toMatch(/^\d+$/)
})
