import { account, clients, connections, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorize,
  follow,
  here,
  post,
  proofKey,
  signInTo,
  type ThirdParty,
  type Tokens,
  userinfo,
} from '../../../test/third-party.ts'

let server: TestServer
let organization: Organization
let ana: SignedIn
let app: ThirdParty
let tokens: Tokens
const ALL = 'openid profile email phone address'

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ALL.split(' ') })
  await server.store.db
    .updateTable('users')
    .set({ phone_number: '+38640123456', birth_date: '1990-04-05', country_code: 'SI', profile_picture: 'a b.webp' })
    .where('id', '=', ana.user.id)
    .execute()
  await allow(ana, app, ALL)
  tokens = await signInTo(server, ana, app, { scope: ALL })
})
afterAll(() => server.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('userinfo (OpenID Connect Core §5.3)', () => {
  test('returns the claims of each scope', async () => {
    const answer = await userinfo(server, tokens.access_token)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      sub: ana.user.id,
      name: 'Ana Kovač',
      given_name: 'Ana',
      family_name: 'Kovač',
      picture: 'http://localhost:3000/v1/media/a%20b.webp',
      birthdate: '1990-04-05',
      locale: 'sl-SI',
      updated_at: expect.any(Number),
      allow_personalized_ads: false,
      email: people.ana.email,
      email_verified: true,
      phone_number: '+38640123456',
      phone_number_verified: false,
      address: { country: 'SI' },
    })
  })

  test('returns claims of the scopes of the token, and requested single claims within the granted scopes', async () => {
    const email = await signInTo(server, ana, app, { scope: 'openid email' })
    expect((await userinfo(server, email.access_token)).json()).toEqual({
      sub: ana.user.id,
      email: people.ana.email,
      email_verified: true,
    })
    const claims = JSON.stringify({ userinfo: { locale: null, favorite_color: null }, id_token: { email: null } })
    const asked = await signInTo(server, ana, app, { scope: 'openid', claims })
    expect((await userinfo(server, asked.access_token)).json()).toEqual({ sub: ana.user.id, locale: 'sl-SI' })
    const inToken = JSON.parse(Buffer.from(asked.id_token.split('.')[1] as string, 'base64url').toString())
    expect(inToken.email).toBe(people.ana.email)
  })

  test('single claims need consent to the scopes that contain them', async () => {
    const narrow = await organization.app({ name: 'Ozka' })
    await ana.call(clients.updateClientInfo, { id: narrow.client_id, scopes: ['openid', 'profile', 'email'] })
    await allow(ana, narrow, 'openid')
    const claims = JSON.stringify({ userinfo: { name: { essential: true }, address: null }, id_token: { email: null } })
    const params = { scope: 'openid', claims }
    expect((await authorize(ana, narrow, { ...params, prompt: 'none' })).searchParams.get('error')).toBe(
      'consent_required',
    )
    const consent = await follow(ana, here(await authorize(ana, narrow, params)))
    // Without `address`, which the client may not request.
    expect(consent.searchParams.get('scope')).toBe('openid profile email')
    const uid = consent.searchParams.get('uid') as string
    const answer = { client: narrow.client_id, scopes: ['openid', 'profile'], uid }
    expect(await ana.call(connections.submitConsent, answer)).toMatchObject({ ok: true })

    // Decided once, not asked again.
    const tokens = await signInTo(server, ana, narrow, params)
    expect(tokens.scope).toBe('openid')
    expect((await userinfo(server, tokens.access_token)).json()).toEqual({ sub: ana.user.id, name: 'Ana Kovač' })
    expect(Buffer.from(tokens.id_token.split('.')[1] as string, 'base64url').toString()).not.toContain(people.ana.email)
  })

  test('accepts the token in a form', async () => {
    const answer = await post(
      server,
      app,
      '/userinfo',
      { access_token: tokens.access_token },
      { accept: 'application/json' },
    )
    expect(answer.json().sub).toBe(ana.user.id)
  })

  test.each([
    ['nothing', {}, '', 401, 'Bearer realm="http://localhost:3000"'],
    [
      'an unknown token',
      bearer('x'.repeat(43)),
      '',
      401,
      'Bearer realm="http://localhost:3000", error="invalid_token"',
    ],
    [
      'a token in the query',
      {},
      '?access_token=x',
      400,
      'Bearer realm="http://localhost:3000", error="invalid_request"',
    ],
    // It names no error, because no access token was presented (RFC 6750 §3.1).
    ['another scheme', { authorization: 'Basic eA==' }, '', 401, 'Bearer realm="http://localhost:3000"'],
    [
      'a scheme without a token',
      { authorization: 'Bearer' },
      '',
      400,
      'Bearer realm="http://localhost:3000", error="invalid_request"',
    ],
  ])('challenges %s (RFC 6750 §3)', async (_, headers, search, status, challenge) => {
    const answer = await server.app.inject({ url: `/userinfo${search}`, headers })
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([status, challenge])
  })

  test('rejects a refresh token', async () => {
    expect((await userinfo(server, tokens.refresh_token)).statusCode).toBe(401)
  })

  test('rejects a token without openid', async () => {
    const plain = await signInTo(server, ana, app, { scope: 'email' })
    const answer = await userinfo(server, plain.access_token)
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="http://localhost:3000", error="insufficient_scope", scope="openid"',
    ])
  })

  test('returns changed claims at once', async () => {
    await ana.call(account.updateAccount, { first_name: 'Anica' })
    expect((await userinfo(server, tokens.access_token)).json().given_name).toBe('Anica')
    await ana.call(account.updateAccount, { first_name: 'Ana' })
  })

  test('rejects tokens of a disabled user', async () => {
    const block = (at: string | null) =>
      server.store.db.updateTable('users').set({ disabled_at: at }).where('id', '=', ana.user.id).execute()
    await block(server.clock.now().toISOString())
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    await block(null)
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
  })
})

describe('introspection (RFC 7662, protocol §3.4)', () => {
  const introspect = async (by: ThirdParty, token: string) => (await post(server, by, '/introspect', { token })).json()

  test('is active for the client of the token', async () => {
    expect(await introspect(app, tokens.access_token)).toEqual({
      active: true,
      iss: server.config.url,
      sub: ana.user.id,
      client_id: app.client_id,
      scope: ALL,
      token_type: 'Bearer',
      iat: expect.any(Number),
      exp: expect.any(Number),
    })
    expect(await introspect(app, tokens.refresh_token)).toMatchObject({ active: true, client_id: app.client_id })
    expect(await introspect(app, 'unknown')).toEqual({ active: false })
  })

  test('is active for a client that defines one of its scopes, with these scopes only', async () => {
    const notes = await organization.app({ name: 'Zapiski' })
    expect(await introspect(notes, tokens.access_token)).toEqual({ active: false })
    await ana.call(scopes.defineScope, {
      id: notes.client_id,
      key: 'zapiski.read',
      title: { 'sl-SI': 'Branje zapiskov' },
    })
    const reader = await organization.app({ name: 'Bralka' })
    await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: ['openid', 'email', 'zapiski.read'] })
    await allow(ana, reader, 'openid email zapiski.read')
    const read = await signInTo(server, ana, reader, { scope: 'openid email zapiski.read' })
    expect(await introspect(notes, read.access_token)).toMatchObject({
      active: true,
      scope: 'zapiski.read',
      client_id: reader.client_id,
    })
    expect(await introspect(notes, read.refresh_token)).toEqual({ active: false })
    expect(await introspect(app, read.access_token)).toEqual({ active: false })
  })

  test('requires client authentication', async () => {
    const form = { token: tokens.access_token }
    const wrong = await post(server, { ...app, client_secret: 'wrong' }, '/introspect', form)
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    const nobody = await post(server, { ...app, client_secret: null }, '/introspect', form)
    expect([nobody.statusCode, nobody.json().error]).toEqual([400, 'invalid_request'])
  })
})

describe('CORS (protocol §2.6)', () => {
  const origin = 'https://jadrolet.example'

  test('registered origins of the client may read responses', async () => {
    const token = { grant_type: 'refresh_token', refresh_token: 'unknown' }
    const ask = async (by: string) => {
      const headers = { origin: by, ...bearer(tokens.access_token) }
      const info = await server.app.inject({ url: '/userinfo', headers })
      const basic = {
        ...headers,
        authorization: `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
      }
      const grant = await post(server, app, '/token', token, basic)
      return [info, grant].map((answer) => [answer.statusCode, answer.headers['access-control-allow-origin']])
    }
    const rejected = await ask(origin)
    expect(rejected).toEqual([
      [400, undefined],
      [400, undefined],
    ])
    await ana.call(clients.addOrigin, { id: app.client_id, origin })
    expect(await ask(origin)).toEqual([
      [200, origin],
      [400, origin],
    ])
    expect((await ask('https://evil.example')).map(([, allowed]) => allowed)).toEqual([undefined, undefined])
  })

  test.each([
    '/userinfo',
    '/token',
    '/revoke',
    '/par',
    '/device_authorization',
    '/jwks',
    '/.well-known/openid-configuration',
  ])('%s answers a preflight request', async (url) => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    }
    const answer = await server.app.inject({ method: 'OPTIONS', url, headers })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-headers']).toBe('authorization')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('pushed requests are accepted from registered origins only (RFC 9126)', async () => {
    const spa = await organization.app({ type: 'spa' })
    const push = async (from: string) => {
      const form = { response_type: 'code', redirect_uri: jadrolet.redirect_uri, scope: 'openid' }
      const proof = { code_challenge: proofKey().challenge, code_challenge_method: 'S256' }
      const answer = await post(server, spa, '/par', { ...form, ...proof }, { origin: from })
      return [answer.statusCode, answer.headers['access-control-allow-origin']]
    }
    await ana.call(clients.addOrigin, { id: spa.client_id, origin })
    expect(await push(origin)).toEqual([201, origin])
    expect(await push('https://evil.example')).toEqual([400, undefined])
  })

  test('is not offered at the authorization endpoint', async () => {
    const answer = await server.app.inject({ url: '/authorize?response_type=code', headers: { origin } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
