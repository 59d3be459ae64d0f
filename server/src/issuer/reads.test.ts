import { account, clients, connections, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import {
  allow,
  authorize,
  follow,
  here,
  post,
  signInTo,
  type ThirdParty,
  type Tokens,
  userinfo,
} from '../../test/third-party.ts'

let house: House
let organisation: Organisation
let ana: SignedIn
let app: ThirdParty
let tokens: Tokens
const ALL = 'openid profile email phone address'

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ALL.split(' ') })
  await house.store.db
    .updateTable('users')
    .set({ phone_number: '+38640123456', birth_date: '1990-04-05', country_code: 'SI', profile_picture: 'a b.webp' })
    .where('id', '=', ana.user.id)
    .execute()
  await allow(ana, app, ALL)
  tokens = await signInTo(house, ana, app, { scope: ALL })
})
afterAll(() => house.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('userinfo (OpenID Connect Core §5.3)', () => {
  test('tells each scope’s claims', async () => {
    const answer = await userinfo(house, tokens.access_token)
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

  test('tells no more than the token’s scopes, and single claims only within what was allowed', async () => {
    const email = await signInTo(house, ana, app, { scope: 'openid email' })
    expect((await userinfo(house, email.access_token)).json()).toEqual({
      sub: ana.user.id,
      email: people.ana.email,
      email_verified: true,
    })
    const claims = JSON.stringify({ userinfo: { locale: null, favourite_colour: null }, id_token: { email: null } })
    const asked = await signInTo(house, ana, app, { scope: 'openid', claims })
    expect((await userinfo(house, asked.access_token)).json()).toEqual({ sub: ana.user.id, locale: 'sl-SI' })
    const inToken = JSON.parse(Buffer.from(asked.id_token.split('.')[1] as string, 'base64url').toString())
    expect(inToken.email).toBe(people.ana.email)
  })

  test('single claims are asked for as the scopes that hold them, and told only when the person allows those', async () => {
    const narrow = await organisation.app({ name: 'Ozka' })
    await ana.call(clients.updateClientInfo, { id: narrow.client_id, scopes: ['openid', 'profile', 'email'] })
    await allow(ana, narrow, 'openid')
    const claims = JSON.stringify({ userinfo: { name: { essential: true }, address: null }, id_token: { email: null } })
    const params = { scope: 'openid', claims }
    expect((await authorize(ana, narrow, { ...params, prompt: 'none' })).searchParams.get('error')).toBe(
      'consent_required',
    )
    const consent = await follow(ana, here(await authorize(ana, narrow, params)))
    // Nothing of the address: this app may never ask for it.
    expect(consent.searchParams.get('scope')).toBe('openid profile email')
    const uid = consent.searchParams.get('uid') as string
    const answer = { client: narrow.client_id, scopes: ['openid', 'profile'], uid }
    expect(await ana.call(connections.putConsent, answer)).toMatchObject({ ok: true })

    // Answered once, asked no more.
    const tokens = await signInTo(house, ana, narrow, params)
    expect(tokens.scope).toBe('openid')
    expect((await userinfo(house, tokens.access_token)).json()).toEqual({ sub: ana.user.id, name: 'Ana Kovač' })
    expect(Buffer.from(tokens.id_token.split('.')[1] as string, 'base64url').toString()).not.toContain(people.ana.email)
  })

  test('takes the token in a form, too', async () => {
    const answer = await post(
      house,
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
      'a token in the address',
      {},
      '?access_token=x',
      400,
      'Bearer realm="http://localhost:3000", error="invalid_request"',
    ],
    [
      'another scheme',
      { authorization: 'Basic eA==' },
      '',
      400,
      'Bearer realm="http://localhost:3000", error="invalid_request"',
    ],
  ])('with %s says so (RFC 6750 §3)', async (_, headers, search, status, challenge) => {
    const answer = await house.app.inject({ url: `/userinfo${search}`, headers })
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([status, challenge])
  })

  test('a refresh token is no access token', async () => {
    expect((await userinfo(house, tokens.refresh_token)).statusCode).toBe(401)
  })

  test('a token without openid is not enough', async () => {
    const plain = await signInTo(house, ana, app, { scope: 'email' })
    const answer = await userinfo(house, plain.access_token)
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="http://localhost:3000", error="insufficient_scope", scope="openid"',
    ])
  })

  test('follows the account', async () => {
    await ana.call(account.updateAccount, { first_name: 'Anica' })
    expect((await userinfo(house, tokens.access_token)).json().given_name).toBe('Anica')
    await ana.call(account.updateAccount, { first_name: 'Ana' })
  })

  test('a blocked person is nobody to apps', async () => {
    const block = (at: string | null) =>
      house.store.db.updateTable('users').set({ disabled_at: at }).where('id', '=', ana.user.id).execute()
    await block(house.clock.now().toISOString())
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
    await block(null)
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(200)
  })
})

describe('introspection (RFC 7662; oidc.md §2, hazard 4)', () => {
  const introspect = async (by: ThirdParty, token: string) => (await post(house, by, '/introspect', { token })).json()

  test('tells an app about its own tokens', async () => {
    expect(await introspect(app, tokens.access_token)).toEqual({
      active: true,
      iss: house.config.url,
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

  test('tells other apps nothing, unless they defined one of the scopes, and then only of those', async () => {
    const notes = await organisation.app({ name: 'Zapiski' })
    expect(await introspect(notes, tokens.access_token)).toEqual({ active: false })
    await ana.call(scopes.putScope, { id: notes.client_id, key: 'zapiski.read', title: { 'sl-SI': 'Branje zapiskov' } })
    const reader = await organisation.app({ name: 'Bralka' })
    await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: ['openid', 'email', 'zapiski.read'] })
    await allow(ana, reader, 'openid email zapiski.read')
    const read = await signInTo(house, ana, reader, { scope: 'openid email zapiski.read' })
    expect(await introspect(notes, read.access_token)).toMatchObject({
      active: true,
      scope: 'zapiski.read',
      client_id: reader.client_id,
    })
    expect(await introspect(notes, read.refresh_token)).toEqual({ active: false })
    expect(await introspect(app, read.access_token)).toEqual({ active: false })
  })

  test('is for apps that prove who they are', async () => {
    const form = { token: tokens.access_token }
    const wrong = await post(house, { ...app, client_secret: 'wrong' }, '/introspect', form)
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    const nobody = await post(house, { ...app, client_secret: null }, '/introspect', form)
    expect([nobody.statusCode, nobody.json().error]).toEqual([400, 'invalid_request'])
  })
})

describe('from pages of other origins', () => {
  const origin = 'https://jadrolet.example'

  test('only the app’s registered origins may read its answers', async () => {
    const token = { grant_type: 'refresh_token', refresh_token: 'unknown' }
    const ask = async (by: string) => {
      const headers = { origin: by, ...bearer(tokens.access_token) }
      const info = await house.app.inject({ url: '/userinfo', headers })
      const basic = {
        ...headers,
        authorization: `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
      }
      const grant = await post(house, app, '/token', token, basic)
      return [info, grant].map((answer) => [answer.statusCode, answer.headers['access-control-allow-origin']])
    }
    const refused = await ask(origin)
    expect(refused).toEqual([
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

  test.each(['/userinfo', '/token', '/revoke', '/jwks', '/.well-known/openid-configuration'])(
    '%s can be asked first',
    async (url) => {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      }
      const answer = await house.app.inject({ method: 'OPTIONS', url, headers })
      expect(answer.statusCode).toBe(204)
      expect(answer.headers['access-control-allow-headers']).toBe('authorization')
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  test('not at the authorization endpoint', async () => {
    const answer = await house.app.inject({ url: '/authorize?response_type=code', headers: { origin } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
