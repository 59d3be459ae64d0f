import { clients, paths, scopes } from '@vrata/contract'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { authorize, follow, here, type ThirdParty } from '../../../../test/third-party.ts'
import { findConnection } from '../public.ts'

const say = translator('hr-HR')
let server: TestServer
let ana: SignedIn
let bor: SignedIn
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  ana.cookies.set('language', 'en-US')
  app = await (await createOrganization(server, ana)).app({ name: '<b>Burja</b>' } as object)
})
beforeEach(async () => {
  await server.store.db.deleteFrom('connections').execute()
})
afterAll(() => server?.close())

/** Headers that a browser sends with a form of a page without referrer. */
const NATIVE = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' }

/** Sends an authorization request; resolves with the address of its consent page without script. */
async function requested(scope: string): Promise<string> {
  const consent = await follow(bor, here(await authorize(bor, app, { scope })))
  const uid = consent.searchParams.get('uid') ?? ''
  return paths.plainConsent({ uid, client_id: app.client_id })
}

function send(url: string, fields: [string, string][], headers: Record<string, string> = NATIVE) {
  return bor.request({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() })
}

/** Follows the page after the form to the redirect URI of the client. */
async function backAtTheClient(html: string): Promise<URL> {
  const next = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1] ?? ''
  return await follow(bor, next)
}

const granted = async () => (await findConnection(server.store.read, bor.user.id, app.client_id))?.scopes

describe('consent without script', () => {
  test('shows the app and the requested scopes as a form', async () => {
    const { statusCode, body, headers } = await bor.request({ url: await requested('openid email') })
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    // The page may be in a popup, whose last page posts the response to the opener.
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
    // The account can be changed; the sign-in of the other one continues the request.
    expect(body).toMatch(/<a href="\/logout\?redirect=%2Fauthorize%2F[\w-]+">Upotrijebi drugi račun<\/a>/)
    // Bor's account is in Croatian, as the texts of the scopes are.
    expect(body).toContain('<html lang="hr-HR">')
    expect(body).toContain(escapeHtml(say('connections.title', { app: '<b>Burja</b>' })))
    expect(body).toContain('<input type="hidden" name="scopes" value="openid">')
    expect(body).toContain('<input type="checkbox" name="scopes" value="email" checked>')
    expect(body).not.toContain('<b>Burja')
    expect(body).toContain(`${say('connections.signed_in_as')} <b>${bor.user.email}</b>`)
    expect(body).not.toContain(say('ui.terms_of_service'))
  })

  test('lists sensitive scopes first', async () => {
    const { client_id: id } = app
    const title = { 'hr-HR': 'Brisanje bilješki' }
    await ana.call(scopes.defineScope, { id, key: 'burja.delete', title, sensitive: true })
    await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'email', 'profile', 'burja.delete'] })
    const { body } = await bor.request({ url: await requested('openid email burja.delete') })
    const shown = [...body.matchAll(/name="scopes" value="([\w.]+)"/g)].map(([, key]) => key)
    expect(shown).toEqual(['burja.delete', 'openid', 'email'])
  })

  test('links to the privacy policy and the terms of service of the app', async () => {
    const terms_of_service_url = 'https://burja.example/terms?"'
    await ana.call(clients.updateClientInfo, { id: app.client_id, terms_of_service_url })
    const { body } = await bor.request({ url: await requested('openid') })
    expect(body).toContain(`<a href="https://burja.example/terms?&quot;" target="_blank" rel="noopener noreferrer">`)
    expect(body).not.toContain(say('ui.privacy_policy'))
  })

  test('grants the chosen scopes and returns to the client with a code', async () => {
    const url = await requested('openid email profile')
    const { body } = await send(url, [
      ['scopes', 'openid'],
      ['scopes', 'email'],
    ])
    const back = await backAtTheClient(body)
    expect(back.searchParams.get('code')).toBeTruthy()
    expect(await granted()).toEqual(['openid', 'email'])
  })

  test('returns to the client with access_denied after Cancel', async () => {
    const { body } = await send(await requested('openid'), [
      ['scopes', 'openid'],
      ['deny', ''],
    ])
    expect((await backAtTheClient(body)).searchParams.get('error')).toBe('access_denied')
    expect(await granted()).toBeUndefined()
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('rejects a form of %s and shows the problem', async (_, headers) => {
    const url = await requested('openid')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await send(url, [['scopes', 'openid']], { ...type, ...headers })
    expect(answer.headers.location).toBe(`${url}?problem=cross_site`)
    expect(await granted()).toBeUndefined()
    const { body } = await bor.request({ url: `${url}?problem=cross_site` })
    expect(body).toContain(escapeHtml(say('conflicts.problem.cross_site')))
    expect((await bor.request({ url: `${url}?problem=<script>` })).body).toContain(escapeHtml(say('problems.internal')))
  })

  test('rejects scopes that were not requested', async () => {
    const url = await requested('openid')
    const answer = await send(url, [
      ['scopes', 'openid'],
      ['scopes', 'email'],
    ])
    expect(answer.headers.location).toBe(`${url}?problem=unknown_scope`)
    expect(await granted()).toBeUndefined()
  })

  test('does not show or answer the request of another session', async () => {
    const url = await requested('openid')
    const { statusCode, body } = await ana.request({ url })
    expect(statusCode).toBe(404)
    expect(body).toContain('This request has expired')
    const answer = await ana.request({ method: 'POST', url, headers: NATIVE, payload: 'scopes=openid' })
    expect(answer.headers.location).toBe(`${url}?problem=not_found`)
    expect(await granted()).toBeUndefined()
  })

  test('sends a visitor without a session to sign-in, which returns to the request', async () => {
    const url = await requested('openid')
    const { headers } = await server.browser().request({ url })
    const uid = url.split('/')[2]
    expect(headers.location).toBe(`/login?redirect=%2Fauthorize%2F${uid}&skip=true`)
  })

  test('renews an expired access cookie once', async () => {
    server.clock.advance(LIFETIMES.access_cookie * 1000 + 1000)
    const url = await requested('openid')
    const renewing = await bor.request({ url })
    expect(renewing.headers.location).toBe(`${url}?renewed=true`)
    expect((await bor.request({ url: `${url}?renewed=true` })).statusCode).toBe(200)
    bor.cookies.delete('vrata_access')
    expect((await bor.request({ url: `${url}?renewed=true` })).headers.location).toMatch(/^\/login\?redirect=/)
  })
})
