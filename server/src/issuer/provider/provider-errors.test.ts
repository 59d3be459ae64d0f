import { clientDiagnostics, clients } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, authorizeUrl, follow, post, type ThirdParty } from '../../../test/third-party.ts'

let server: TestServer
let organization: Organization
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server.close())

const query = (url: URL) => Object.fromEntries(url.searchParams)

describe('an invalid authorization request', () => {
  const sendInvalid = (params: Parameters<typeof authorize>[2]) => authorize(ana, app, params)

  test.each([
    ['unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a client_id with a NUL character', { client_id: 'vrt_\0' }, 'invalid_client'],
    [
      'a metadata document that cannot be had, for an API identifier with a NUL character',
      { client_id: 'https://app.invalid/', resource: 'https://api.example/\0' },
      'invalid_client_metadata',
    ],
    ['no client_id', { client_id: undefined }, 'invalid_request'],
    ['unregistered redirect URI', { redirect_uri: 'https://evil.example/' }, 'invalid_redirect_uri'],
    ['redirect URI with a longer path', { redirect_uri: `${jadrolet.redirect_uri}/more` }, 'invalid_redirect_uri'],
    ['another port', { redirect_uri: 'http://localhost:4001/callback' }, 'invalid_redirect_uri'],
    ['no redirect URI', { redirect_uri: undefined }, 'missing_redirect_uri'],
    [
      'unregistered redirect URI and prompt=none',
      { redirect_uri: 'https://evil.example/', prompt: 'none' },
      'invalid_redirect_uri',
    ],
    [
      'unregistered redirect URI and another error',
      { redirect_uri: 'https://evil.example/', scope: 'openid\u0001' },
      'invalid_redirect_uri',
    ],
  ])('%s: our error page, never an address of the request', async (_, params, error) => {
    const page = await sendInvalid(params)
    expect(page.host).toBe('localhost:3000')
    expect(page.pathname).toBe('/oauth')
    expect(page.searchParams.get('error')).toBe(error)
  })

  test.each([
    ['no code_challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain code_challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a scope that the client may not request', { scope: 'openid phone' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: '' }, 'invalid_scope'],
    ['no scope that exists', { scope: 'nothing.like.this' }, 'invalid_scope'],
    ['no scope and prompt=none', { scope: undefined, prompt: 'none' }, 'invalid_scope'],
    ['offline_access alone, which needs prompt=consent', { scope: 'offline_access' }, 'invalid_scope'],
    ['an implicit flow', { response_type: 'token', response_mode: 'query' }, 'invalid_request'],
    ['a hybrid flow', { response_type: 'code id_token', nonce: 'n', response_mode: 'query' }, 'invalid_request'],
    ['an unknown flow', { response_type: 'dance' }, 'unsupported_response_type'],
    ['a request object', { request: 'e30.e30.' }, 'invalid_request_object'],
    ['an API identifier with a NUL character', { resource: 'https://api.example/\0' }, 'invalid_target'],
    ['an unknown prompt', { prompt: 'dance' }, 'invalid_request'],
    [
      'an unknown essential acr',
      { claims: '{"id_token":{"acr":{"essential":true,"value":"gold"}}}' },
      'unmet_authentication_requirements',
    ],
  ])('%s: an error to the client', async (_, params, error) => {
    const back = await sendInvalid(params)
    expect(back.origin + back.pathname).toBe(jadrolet.redirect_uri)
    expect(query(back)).toMatchObject({ error, state: 'a state', iss: server.config.url })
  })

  test('a request without a scope is refused before the user is asked, and its developers can read why', async () => {
    const fresh = await organization.app({ name: 'Brez obsega' })
    const stranger = await server.as(people.bor)
    const back = await authorize(stranger, fresh, { scope: undefined })
    expect(query(back)).toMatchObject({ error: 'invalid_scope', state: 'a state' })
    const refused = await ana.call(clientDiagnostics.listClientErrors, { id: fresh.client_id })
    expect(refused).toMatchObject({
      data: [{ reason: 'authorization_request', detail: expect.stringMatching(/scope/) }],
    })
  })

  test('a request without a response_type gets an error that names it, in the redirect and at /par', async () => {
    const missing = { error: 'invalid_request', error_description: "missing required parameter 'response_type'" }
    for (const response_type of [undefined, ''])
      expect(query(await sendInvalid({ response_type }))).toMatchObject({ ...missing, state: 'a state' })
    const { client_id } = app
    const pushed = await post(server, app, '/par', { client_id, redirect_uri: jadrolet.redirect_uri })
    expect([pushed.statusCode, pushed.json()]).toEqual([400, missing])
  })

  test('a repeated parameter is rejected', async () => {
    const back = await follow(ana, `${authorizeUrl(app)}&scope=openid`)
    expect(back.searchParams.get('error')).toBe('invalid_request')
  })

  test.each(['/authorize', '/oauth'])('a POST to %s is redirected to the same request', async (url) => {
    const answer = await server.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: authorizeUrl(app).split('?')[1] as string,
    })
    expect(answer.statusCode).toBe(303)
    expect((await follow(ana, answer.headers.location as string)).searchParams.get('code')).toBeTruthy()
  })

  test('a disabled client gets our error page, and works again when enabled', async () => {
    const off = await organization.app({ name: 'Izklopljena' })
    await allow(ana, off)
    expect((await authorize(ana, off)).searchParams.get('code')).toBeTruthy()
    await ana.call(clients.updateClientInfo, { id: off.client_id, enabled: false })
    expect(query(await authorize(ana, off))).toMatchObject({ error: 'client_disabled' })
    expect(query(await authorize(ana, off, { prompt: 'none' }))).toMatchObject({ error: 'client_disabled' })
    await ana.call(clients.updateClientInfo, { id: off.client_id, enabled: true })
    expect((await authorize(ana, off)).searchParams.get('code')).toBeTruthy()
  })

  test('a client without redirect URIs gets our error page', async () => {
    const bare = await organization.app({ name: 'Brez naslova', redirect_uri: undefined })
    expect((await authorize(ana, bare)).pathname).toBe('/oauth')
  })

  test('/oauth is the same endpoint (protocol §4.1)', async () => {
    expect((await follow(ana, authorizeUrl(app).replace('/authorize', '/oauth'))).searchParams.get('code')).toBeTruthy()
  })
})
