import { clients } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorizeUrl, type ThirdParty } from '../../../test/third-party.ts'

const ORIGIN = new URL(jadrolet.redirect_uri).origin

let server: TestServer
let ana: SignedIn
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
})
afterAll(() => server?.close())

beforeEach(async () => {
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  await ana.call(clients.updateAdvanced, { id: app.client_id, allow_popup: true })
  await ana.call(clients.addOrigin, { id: app.client_id, origin: ORIGIN })
})

const popup = (params = {}, by: Pick<SignedIn, 'request'> = ana) =>
  by.request({ url: authorizeUrl(app, { response_mode: 'web_message', ...params }) })

/** The data of the page, read as its script reads it. */
const messageOf = (body: string) => JSON.parse(/type="application\/json">(.*?)<\/script>/.exec(body)?.[1] ?? 'null')

describe('response mode web_message (decision 0041)', () => {
  test('posts the code to the registered origin only', async () => {
    const answer = await popup()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(answer.headers['cross-origin-opener-policy'] ?? 'unsafe-none').toBe('unsafe-none')
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'sha256-[^']+';/)
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const { target, response, fallback } = messageOf(answer.body)
    expect(target).toBe(ORIGIN)
    expect(response).toEqual({ code: expect.any(String), state: 'a state', iss: server.config.url })
    expect(fallback).toBe(`${jadrolet.redirect_uri}?${new URLSearchParams(response)}`)
  })

  test('posts an error in the same way', async () => {
    const { target, response } = messageOf((await popup({ prompt: 'none' }, server.browser())).body)
    expect(target).toBe(ORIGIN)
    expect(response).toMatchObject({ error: 'login_required', state: 'a state', iss: server.config.url })
  })

  test('escapes the values of the client in the page', async () => {
    const state = `</script><script>alert(1)</script>`
    const { body } = await popup({ state })
    expect(body).not.toContain('<script>alert')
    expect(messageOf(body).response.state).toBe(state)
  })

  test.each([
    ['popups are switched off', () => ana.call(clients.updateAdvanced, { id: app.client_id, allow_popup: false })],
    ['its origin is not registered', () => ana.call(clients.removeOrigin, { id: app.client_id, origin: ORIGIN })],
  ])('sends no message when %s', async (_, change) => {
    expect((await change()).ok).toBe(true)
    for (const browser of [ana, server.browser()]) {
      const answer = await popup({}, browser)
      expect(answer.statusCode).toBe(303)
      expect(answer.headers.location).toMatch(/^\/oauth\?error=invalid_request/)
      expect(answer.body).not.toContain('code')
    }
  })
})
