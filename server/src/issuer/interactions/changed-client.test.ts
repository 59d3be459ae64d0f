import { clients, connections, signIn, users } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorize,
  codeFor,
  follow,
  here,
  post,
  proofKey,
  signInTo,
  type ThirdParty,
} from '../../../test/third-party.ts'

/** Changes by a developer while a request waits for its user apply when the response is sent (security §19.21). */
let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
let app: ThirdParty

/** The client has both; the tests remove the second. */
const STAYS = 'http://localhost:4000/callback'
const REMOVED = 'http://localhost:4000/removed'

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

beforeEach(async () => {
  app = { ...(await organization.app({ redirect_uri: STAYS })), redirect_uri: REMOVED }
  good(await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri: REMOVED }))
})

const removeUri = async () =>
  good(await ana.call(clients.removeRedirectUri, { id: app.client_id, redirect_uri: REMOVED }))
const setEnabled = async (enabled: boolean) =>
  good(await ana.call(clients.updateClientInfo, { id: app.client_id, enabled }))
const errorPage = (error: string) => `/oauth?${new URLSearchParams({ error, client_id: app.client_id })}`

/** Bor begins a request that waits for his consent. */
async function waitingRequest(params: Record<string, string> = {}) {
  const interaction = here(await authorize(bor, app, { prompt: 'consent', ...params }))
  const consent = await follow(bor, interaction)
  expect(consent.pathname).toBe('/oauth')
  const uid = consent.searchParams.get('uid') as string
  const decide = (decision: object) =>
    bor.call(connections.submitConsent, { client: app.client_id, uid, scopes: ['openid', 'profile'], ...decision })
  return { interaction, uid, decide }
}

describe('a redirect URI that is removed', () => {
  test.each([
    ['allowed', {}],
    ['denied', { scopes: [], deny: true }],
  ])('gets no response to a waiting request that the user has %s', async (_, decision) => {
    for (const response_mode of ['query', 'form_post']) {
      const { interaction, decide } = await waitingRequest({ response_mode })
      good(await decide(decision))
      await removeUri()
      expect(here(await follow(bor, interaction))).toBe(errorPage('invalid_redirect_uri'))
      good(await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri: REMOVED }))
    }
  })

  test('gets no response to a request that waits for a sign-in', async () => {
    const browser = server.browser()
    const interaction = here(await authorize(browser, app))
    expect((await follow(browser, interaction)).pathname).toBe('/login')
    await removeUri()
    server.clock.advance(1)
    good(await browser.call(signIn.login, { username: people.bor.email, password: people.bor.password }))
    expect(here(await follow(browser, interaction))).toBe(errorPage('invalid_redirect_uri'))
  })

  test('gets no response to a pushed request', async () => {
    await allow(bor, app)
    const pushed = await post(server, app, '/par', {
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri: REMOVED,
      scope: 'openid',
      code_challenge: proofKey().challenge,
      code_challenge_method: 'S256',
    })
    const { request_uri } = pushed.json()
    await removeUri()
    const query = new URLSearchParams({ client_id: app.client_id, request_uri })
    expect(here(await follow(bor, `/authorize?${query}`))).toBe(errorPage('invalid_redirect_uri'))
  })

  test('gets no code while this node has not yet heard of the removal', async () => {
    await allow(bor, app)
    // Caches the client.
    expect((await authorize(bor, app)).searchParams.has('code')).toBe(true)
    await server.store.db.deleteFrom('redirect_uris').where('redirect_uri', '=', REMOVED).execute()
    expect(here(await authorize(bor, app))).toBe('/oauth?error=invalid_redirect_uri')
  })

  test('ends the codes that were sent to it, and no others', async () => {
    await allow(bor, app)
    const { form: removed } = await codeFor(bor, app)
    const { form: other } = await codeFor(bor, { ...app, redirect_uri: STAYS })
    await removeUri()
    expect((await post(server, app, '/token', removed)).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await post(server, app, '/token', other)).statusCode).toBe(200)
  })

  test('is compared without the port of a loopback address for a native client', async () => {
    const redirect_uri = 'http://127.0.0.1/callback'
    app = {
      ...(await organization.app({ type: 'native', redirect_uri })),
      redirect_uri: 'http://127.0.0.1:51004/callback',
    }
    good(await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri: 'com.example.app:/callback' }))
    const { interaction, decide } = await waitingRequest()
    good(await decide({}))
    const back = await follow(bor, interaction)
    expect([back.port, back.searchParams.has('code')]).toEqual(['51004', true])
    const late = await waitingRequest()
    good(await late.decide({}))
    good(await ana.call(clients.removeRedirectUri, { id: app.client_id, redirect_uri }))
    expect(here(await follow(bor, late.interaction))).toBe(errorPage('invalid_redirect_uri'))
  })
})

describe('a client that is disabled or deleted', () => {
  test('gets no response to a waiting request', async () => {
    const { interaction, decide } = await waitingRequest()
    good(await decide({}))
    await setEnabled(false)
    expect(here(await follow(bor, interaction))).toBe(errorPage('client_disabled'))
    await setEnabled(true)
    good(await ana.call(clients.deleteClient, { id: app.client_id }))
    expect(here(await follow(bor, interaction))).toBe('/oauth?error=invalid_client')
  })

  test('is not signed in to: the sign-in page is not shown', async () => {
    const browser = server.browser()
    const interaction = here(await authorize(browser, app))
    await setEnabled(false)
    expect(here(await follow(browser, interaction))).toBe(errorPage('client_disabled'))
  })

  test('gets no code while this node has not yet heard of it', async () => {
    await allow(bor, app)
    await authorize(bor, app)
    const update = server.store.db.updateTable('clients').set({ enabled: 0 })
    await update.where('client_id', '=', app.client_id).execute()
    expect(here(await authorize(bor, app))).toBe('/oauth?error=invalid_redirect_uri')
  })
})

test('a scope that is removed from the client is neither asked for nor granted', async () => {
  const { interaction, uid, decide } = await waitingRequest()
  good(await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'email'] }))
  expect((await follow(bor, interaction)).searchParams.get('scope')).toBe('openid email')
  const asked = good(await bor.call(connections.getConsent, { client: app.client_id, uid, scopes: '' }))
  expect(asked.scopes.map(({ key }) => key)).toEqual(['openid', 'email'])
  // A page that was open before and is loaded again still names it.
  const again = { client: app.client_id, uid, scopes: 'openid profile email' }
  expect(good(await bor.call(connections.getConsent, again)).scopes.map(({ key }) => key)).toEqual(['openid', 'email'])
  expect(await decide({ scopes: ['openid', 'profile'] })).toMatchObject({ problem: { code: 'unknown_scope' } })
  good(await decide({ scopes: ['openid', 'email'] }))
  expect((await follow(bor, interaction)).searchParams.has('code')).toBe(true)
  expect((await signInTo(server, bor, app, { scope: 'openid email' })).scope).toBe('openid email')
})

test('a blocked user gets no response to a waiting request', async () => {
  const { interaction, decide } = await waitingRequest()
  good(await decide({}))
  good(await ana.call(users.setUserBlocked, { id: bor.user.id, blocked: true }))
  expect((await follow(bor, interaction)).searchParams.get('error')).toBe('user_blocked')
  good(await ana.call(users.setUserBlocked, { id: bor.user.id, blocked: false }))
})

test.each([
  [
    'origin',
    () => ana.call(clients.removeOrigin, { id: app.client_id, origin: 'http://localhost:4000' }),
    'invalid_request',
  ],
  ['redirect URI', () => removeUri(), 'invalid_redirect_uri'],
])('a popup sends no message after its %s was removed', async (_, remove, error) => {
  good(await ana.call(clients.addOrigin, { id: app.client_id, origin: 'http://localhost:4000' }))
  good(await ana.call(clients.updateAdvanced, { id: app.client_id, allow_popup: true }))
  const { interaction, decide } = await waitingRequest({ response_mode: 'web_message' })
  good(await decide({}))
  await remove()
  expect(here(await follow(bor, interaction))).toBe(errorPage(error))
})

test('a sign-out does not return to an address that was removed after the question', async () => {
  const uri = 'http://localhost:4000/bye'
  const setUris = (post_logout_redirect_uris: string[]) =>
    ana.call(clients.updateAdvanced, { id: app.client_id, post_logout_redirect_uris })
  const signOut = async (change: () => Promise<unknown>) => {
    good(await setUris([uri]))
    const leaving = await server.as(people.cvetka)
    const query = new URLSearchParams({ client_id: app.client_id, post_logout_redirect_uri: uri })
    const asked = await leaving.request({ url: `/end-session?${query}` })
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked.body)?.[1] as string
    await change()
    const answer = await leaving.request({
      method: 'POST',
      url: '/end-session/confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
    expect(answer.statusCode).toBe(303)
    return answer.headers.location
  }
  expect(await signOut(async () => undefined)).toBe(uri)
  expect(await signOut(() => setUris([]))).toMatch(/^(http:\/\/localhost:3000)?\/end-session\/success$/)
  expect(await signOut(() => setEnabled(false))).toMatch(/^(http:\/\/localhost:3000)?\/end-session\/success$/)
})
