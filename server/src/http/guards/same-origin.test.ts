import { account, sessions } from '@vrata/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { registerUser } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

const PAGES = 'https://accounts.example.com'

/** Pages and API on different hosts of one site: `VRATA_WEB_ORIGINS` lists the origins that may call with cookies. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ VRATA_WEB_ORIGINS: PAGES })
})
afterAll(() => server.close())

async function testServerWithApiAt(VRATA_API_URL: string): Promise<TestServer> {
  const apart = await startTestServer({ VRATA_API_URL })
  onTestFinished(() => apart.close())
  return apart
}

const preflight = (origin: string) =>
  server.app.inject({
    method: 'OPTIONS',
    url: '/v1/account',
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
  })

test('a page of a configured origin may call with cookies', async () => {
  const asked = await preflight(PAGES)
  expect(asked.statusCode).toBe(204)
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': PAGES,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'content-type, developer-id',
    vary: 'Origin',
  })
  const ana = await registerUser(server)
  const headers = { origin: PAGES, 'content-type': 'application/json' }
  const answer = await ana.request({ method: 'PUT', url: '/v1/account', headers, payload: { first_name: 'Ana' } })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe(PAGES)
  expect(await ana.call(account.getAccount)).toMatchObject({ data: { first_name: 'Ana' } })
})

test.each(['https://evil.example', 'https://accounts.example.com.evil.example', 'http://accounts.example.com', 'null'])(
  'a page of %s may not',
  async (origin) => {
    expect((await preflight(origin)).headers['access-control-allow-origin']).toBeUndefined()
    const ana = await registerUser(server)
    const answer = await ana.request({ method: 'POST', url: '/v1/auth/logout', headers: { origin } })
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(await ana.call(sessions.listSessions)).toMatchObject({ ok: true })
  },
)

test('the pages may call an API at another port of their host, to which the same cookies belong', async () => {
  const apart = await testServerWithApiAt('http://localhost:3001')
  const headers = { origin: apart.config.url, 'access-control-request-method': 'PUT' }
  const asked = await apart.app.inject({ method: 'OPTIONS', url: '/v1/account', headers })
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': apart.config.url,
    'access-control-allow-credentials': 'true',
  })
})

test('an answer of the API is readable by pages of configured origins only', async () => {
  for (const url of ['/v1/account', '/v1/account/countries', '/v1/branding', '/v1/openapi.json']) {
    const readableBy = async (origin: string) =>
      (await server.app.inject({ url, headers: { origin } })).headers['access-control-allow-origin']
    expect([url, await readableBy('https://evil.example')]).toEqual([url, undefined])
    expect([url, await readableBy(PAGES)]).toEqual([url, PAGES])
  }
})
