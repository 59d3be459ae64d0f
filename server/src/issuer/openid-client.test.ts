import { account, clients, connections, signIn } from '@vrata/contract'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingParty, startListeningServer } from '../../test/listening.ts'
import { createOrganization } from '../../test/organization.ts'
import { people } from '../../test/people.ts'
import type { SignedIn, TestServer } from '../../test/test-server.ts'
import { allow, follow, here, type ThirdParty } from '../../test/third-party.ts'

/** openid-client, a certified relying party library, against the server on a port. */
let testServer: TestServer
let ana: SignedIn
let app: ThirdParty
let rp: client.Configuration
const redirect_uri = 'http://localhost:4000/callback'

beforeAll(async () => {
  testServer = await startListeningServer()
  ana = await testServer.as(people.ana)
  app = await (await createOrganization(testServer, ana)).app()
  await ana.call(clients.updateAdvanced, {
    id: app.client_id,
    post_logout_redirect_uris: ['http://localhost:4000/bye'],
  })
  rp = await relyingParty(testServer, app.client_id, app.client_secret as string)
})
afterAll(() => testServer.close())

async function begin(params: Record<string, string> = {}) {
  const code_verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const nonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(rp, {
    redirect_uri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...params,
  })
  return { url, checks: { pkceCodeVerifier: code_verifier, expectedState: state, expectedNonce: nonce } }
}

async function authorize(params: Record<string, string> = {}, checks: client.AuthorizationCodeGrantChecks = {}) {
  const { url, checks: own } = await begin(params)
  const back = await follow(ana, here(url))
  return client.authorizationCodeGrant(rp, back, { ...own, idTokenExpected: true, ...checks })
}

describe('a relying party built on openid-client', () => {
  test('discovers all endpoints', () => {
    const server = rp.serverMetadata()
    expect(server.issuer).toBe(testServer.config.url)
    expect(server.supportsPKCE()).toBe(true)
    expect(server.authorization_response_iss_parameter_supported).toBe(true)
  })

  test('signs in a user who consents first, and reads the name', async () => {
    const { url, checks } = await begin()
    const interaction = here(await follow(ana, here(url)))
    const consent = await follow(ana, interaction)
    const uid = consent.searchParams.get('uid') as string
    const scopes = ['openid', 'profile', 'email']
    await ana.call(connections.submitConsent, { client: app.client_id, scopes, uid })
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, interaction), checks)
    const claims = tokens.claims()
    expect(claims?.sub).toBe(ana.user.id)
    const person = await client.fetchUserInfo(rp, tokens.access_token, claims?.sub as string)
    expect(person).toMatchObject({ name: 'Ana Kovač', email: people.ana.email, email_verified: true })
  })

  test('gets auth_time for max_age', async () => {
    const tokens = await authorize({ max_age: '600' }, { maxAge: 600 })
    expect(tokens.claims()?.auth_time).toEqual(expect.any(Number))
  })

  test('refreshes, introspects and revokes', async () => {
    const tokens = await authorize()
    const next = await client.refreshTokenGrant(rp, tokens.refresh_token as string)
    expect(await client.tokenIntrospection(rp, next.access_token)).toMatchObject({
      active: true,
      client_id: app.client_id,
    })
    await client.tokenRevocation(rp, next.refresh_token as string)
    expect(await client.tokenIntrospection(rp, next.access_token)).toEqual({ active: false })
    await expect(client.refreshTokenGrant(rp, next.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(client.fetchUserInfo(rp, next.access_token, ana.user.id)).rejects.toMatchObject({ status: 401 })
  })

  test('cannot redeem a code twice', async () => {
    const { url, checks } = await begin()
    const back = await follow(ana, here(url))
    await client.authorizationCodeGrant(rp, back, checks)
    await expect(client.authorizationCodeGrant(rp, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('is rejected with a wrong secret or a wrong verifier', async () => {
    const { url, checks } = await begin()
    const back = await follow(ana, here(url))
    const stranger = new client.Configuration(
      rp.serverMetadata(),
      app.client_id,
      'wrong',
      client.ClientSecretBasic('wrong'),
    )
    client.allowInsecureRequests(stranger)
    await expect(client.authorizationCodeGrant(stranger, back, checks)).rejects.toThrow()
    const other = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    await expect(client.authorizationCodeGrant(rp, back, other)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('gets login_required and consent_required for prompt=none', async () => {
    const errorOf = async (browser: Pick<SignedIn, 'request'>, params = {}) => {
      const { url, checks } = await begin({ prompt: 'none', ...params })
      const back = await follow(browser, here(url))
      return client.authorizationCodeGrant(rp, back, checks).then(
        () => null,
        (error) => error.error,
      )
    }
    expect(await errorOf(testServer.browser())).toBe('login_required')
    expect(await errorOf(await testServer.as(people.bor))).toBe('consent_required')
    expect(await errorOf(ana)).toBe(null)
  })

  test('receives the response as form_post', async () => {
    const { url, checks } = await begin({ response_mode: 'form_post' })
    const page = await ana.request({ url: here(url) })
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    // The policy allows its script by hash.
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[\w+/]+='/)
    const fields = [...page.body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const posted = new Request(redirect_uri, {
      method: 'POST',
      body: new URLSearchParams(fields as [string, string][]),
    })
    const tokens = await client.authorizationCodeGrant(rp, posted, checks)
    expect(tokens.access_token).toBeTruthy()
  })

  test('signs the user out', async () => {
    const person = await testServer.as(people.ana)
    await allow(person, app)
    const { url, checks } = await begin()
    const tokens = await client.authorizationCodeGrant(rp, await follow(person, here(url)), checks)
    const end = client.buildEndSessionUrl(rp, {
      id_token_hint: tokens.id_token as string,
      post_logout_redirect_uri: 'http://localhost:4000/bye',
    })
    const page = await person.request({ url: here(end) })
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.body)?.[1] as string
    const gone = await person.request({
      method: 'POST',
      url: '/end-session/confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
    expect(gone.headers.location).toBe('http://localhost:4000/bye')
    expect((await person.call(account.getAccount, {})).ok).toBe(false)
    await expect(client.refreshTokenGrant(rp, tokens.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await person.call(signIn.login, { username: people.ana.email, password: people.ana.password })
  })
})
