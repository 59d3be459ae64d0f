import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ VRATA_URL: 'https://accounts.example' })
})
afterAll(() => server?.close())

describe('security headers of every response (security §3.4)', () => {
  test.each([
    ['GET', '/v1/account'],
    ['GET', '/v1/account/countries'],
    ['GET', '/v1/nothing'],
    ['DELETE', '/v1/auth/login'],
    ['GET', '/v1/docs'],
    ['GET', '/v1/media/nothing.webp'],
    ['GET', '/healthz'],
    ['GET', '/jwks'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/userinfo'],
    ['POST', '/introspect'],
    ['POST', '/token'],
    ['GET', '/authorize?response_type=code'],
    ['GET', '/authorize/nobody'],
    ['POST', '/authorize'],
    ['GET', '/end-session'],
    ['POST', '/login'],
    ['GET', '/nothing'],
    ['GET', '/%'],
    ['GET', '/v1/account/%E0%A4'],
    ['GET', `/v1/auth/forgot-password/${'a'.repeat(300)}`],
  ] as const)('%s %s', async (method, url) => {
    const { headers } = await server.app.inject({ method, url })
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/)
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(Object.keys(headers)).not.toContain('server')
    expect(Object.keys(headers)).not.toContain('x-powered-by')
  })

  test.each(['/v1/docs', '/change-password/plain/changed', '/confirm-email/plain/confirmed'])(
    'a page without script has no opener: %s',
    async (url) => {
      const { headers } = await server.app.inject(url)
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    },
  )

  test.each(['/%', '/v1/account/%E0%A4'])('an address that cannot be read is a bad request: %s', async (url) => {
    const answer = await server.app.inject({ method: 'GET', url })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'invalid_request' } })
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})
