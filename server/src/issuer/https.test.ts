import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../test/organization.ts'
import { people } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { allow, authorize, authorizeUrl, type ThirdParty } from '../../test/third-party.ts'

/** Behind a proxy that terminates TLS, responses must follow neither plain HTTP nor the Host header. */
let server: TestServer
let app: ThirdParty

beforeAll(async () => {
  server = await startTestServer({ VRATA_URL: 'https://accounts.example', VRATA_WEB_ORIGINS: 'http://localhost:3000' })
  const ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  const back = await authorize(ana, app)
  expect(back.searchParams.get('iss')).toBe('https://accounts.example')
})
afterAll(() => server.close())

test('the cookie of an interaction is secure and limited to its path', async () => {
  const answer = await server.app.inject({ url: authorizeUrl(app), headers: { host: 'evil.example' } })
  expect(answer.statusCode).toBe(303)
  const path = answer.headers.location as string
  expect(path).toMatch(/^\/authorize\/[\w-]+$/)
  expect(answer.cookies).toEqual([
    expect.objectContaining({
      name: '__Secure-vrata_request',
      path,
      secure: true,
      httpOnly: true,
      sameSite: 'lax',
    }),
  ])
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
  expect(answer.headers['referrer-policy']).toBe('no-referrer')
})

test('no URL in a response follows the Host header', async () => {
  const ana = await server.as(people.ana)
  const page = await ana.request({
    url: '/end-session',
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  const xsrf = /name="xsrf" value="(\w+)"/.exec(page.body)?.[1] as string
  const gone = await ana.request({
    method: 'POST',
    url: '/end-session/confirm',
    headers: { host: 'evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
  })
  expect(gone.headers.location).toBe('https://accounts.example/end-session/success')
})

test('the description of the API names the cookie that is sent', async () => {
  const { body } = await server.app.inject({ url: '/v1/openapi.json' })
  const { components } = JSON.parse(body)
  expect(components.securitySchemes.access.name).toBe('__Host-vrata_access')
  expect([...(await server.as(people.ana)).cookies.keys()]).toContain('__Host-vrata_access')
})
