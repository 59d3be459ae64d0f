import { auth, clients, connections, LIFETIMES } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import {
  allow,
  authorize,
  codeFor,
  credentials,
  follow,
  here,
  post,
  proofKey,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../test/third-party.ts'

let house: House
let organisation: Organisation
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  await allow(ana, app)
})
afterAll(() => house.close())

/** A session of its own, so that ending it touches no other test. */
const anaElsewhere = () => house.as(people.ana)
const failed = (answer: { statusCode: number; json(): { error: string } }) => [answer.statusCode, answer.json().error]

describe('a code', () => {
  test('becomes an access, a refresh and an ID token', async () => {
    const tokens = await signInTo(house, ana, app, { nonce: 'once' })
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: LIFETIMES.access_token,
      scope: 'openid profile email',
    })
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] as string, 'base64url').toString())
    expect(claims).toMatchObject({
      iss: house.config.url,
      aud: app.client_id,
      sub: ana.user.id,
      nonce: 'once',
      amr: ['pwd'],
    })
    expect(claims.exp - claims.iat).toBe(LIFETIMES.id_token)
    expect(claims.email).toBeUndefined()
  })

  test.each([
    ['a wrong proof', { code_verifier: 'w'.repeat(43) }, [400, 'invalid_grant']],
    ['no proof', { code_verifier: undefined }, [400, 'invalid_grant']],
    ['another redirect URI', { redirect_uri: 'http://localhost:4000/other' }, [400, 'invalid_grant']],
    ['a wrong code', { code: 'x'.repeat(43) }, [400, 'invalid_grant']],
    ['another grant', { grant_type: 'password' }, [400, 'unsupported_grant_type']],
  ])('with %s gives nothing', async (_, change, expected) => {
    const { form } = await codeFor(ana, app)
    expect(failed(await post(house, app, '/token', { ...form, ...change }))).toEqual(expected)
  })

  test('gives nothing to an app with a wrong secret, in the query, or by two ways at once', async () => {
    const { form } = await codeFor(ana, app)
    const wrong = credentials({ ...app, client_secret: 'wrong' })
    const answer = await post(house, app, '/token', form, wrong)
    expect(failed(answer)).toEqual([401, 'invalid_client'])
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
    const twice = { ...form, client_id: app.client_id, client_secret: app.client_secret as string }
    expect(failed(await post(house, app, '/token', twice))).toEqual([400, 'invalid_request'])
    const inQuery = `/token?${new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret as string })}`
    expect((await post(house, { ...app, client_secret: null }, inQuery, form)).statusCode).toBe(401)
    expect((await post(house, app, '/token', form)).statusCode).toBe(200)
  })

  test('may be exchanged with the secret in the form', async () => {
    const { form } = await codeFor(ana, app)
    const inForm = { ...form, client_id: app.client_id, client_secret: app.client_secret as string }
    expect((await post(house, app, '/token', inForm, {})).statusCode).toBe(200)
  })

  test('belongs to its app', async () => {
    const other = await organisation.app({ name: 'Druga' })
    const { form } = await codeFor(ana, app)
    expect(failed(await post(house, other, '/token', form))).toEqual([400, 'invalid_grant'])
  })

  test('lives a minute', async () => {
    const { form } = await codeFor(ana, app)
    house.clock.advance(61)
    expect(failed(await post(house, app, '/token', form))).toEqual([400, 'invalid_grant'])
  })

  test('used twice gives nothing, and ends what it gave the first time', async () => {
    const person = await anaElsewhere()
    const { form } = await codeFor(person, app)
    const first = (await post(house, app, '/token', form)).json()
    expect((await userinfo(house, first.access_token)).statusCode).toBe(200)
    expect(failed(await post(house, app, '/token', form))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(house, first.access_token)).statusCode).toBe(401)
    expect(failed(await refresh(house, app, first.refresh_token))).toEqual([400, 'invalid_grant'])
    // The consent stays (hazard 2): the next sign-in asks nothing.
    expect((await codeFor(person, app)).code).toBeTruthy()
  })

  test('a verifier without a challenge is refused', async () => {
    const lax = await organisation.app({ name: 'Brez PKCE' })
    await ana.call(clients.updateAdvanced, { id: lax.client_id, require_pkce: false })
    await allow(ana, lax)
    const without = { code_challenge: undefined, code_challenge_method: undefined }
    const { form } = await codeFor(ana, lax, without)
    expect(failed(await post(house, lax, '/token', form))).toEqual([400, 'invalid_grant'])
    const again = await codeFor(ana, lax, without)
    expect((await post(house, lax, '/token', { ...again.form, code_verifier: undefined })).statusCode).toBe(200)
  })
})

describe('a public app (oidc.md §2b)', () => {
  test('needs no secret; one that it has is checked when it is sent', async () => {
    const spa = await organisation.app({ name: 'Stran', redirect_uri: 'https://stran.example/cb' })
    await ana.call(clients.updateAdvanced, { id: spa.client_id, require_client_secret: false })
    await allow(ana, spa)
    const at = { ...spa, redirect_uri: 'https://stran.example/cb' }
    const statuses = []
    for (const client_secret of [null, spa.client_secret, 'wrong']) {
      const { form } = await codeFor(ana, at)
      statuses.push((await post(house, { ...at, client_secret }, '/token', form)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 401])
  })
})

describe('a refresh token', () => {
  test('is replaced at every use', async () => {
    const tokens = await signInTo(house, ana, app)
    const next = (await refresh(house, app, tokens.refresh_token)).json()
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(next).toMatchObject({
      scope: tokens.scope,
      expires_in: LIFETIMES.access_token,
      id_token: expect.any(String),
    })
    expect((await userinfo(house, next.access_token)).statusCode).toBe(200)
  })

  test('used twice ends its family, not the consent (hazard 2)', async () => {
    const [here, elsewhere] = [await anaElsewhere(), await anaElsewhere()]
    const stolen = await signInTo(house, here, app)
    const untouched = await signInTo(house, elsewhere, app)
    const next = (await refresh(house, app, stolen.refresh_token)).json()
    expect(failed(await refresh(house, app, stolen.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(failed(await refresh(house, app, next.refresh_token))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(house, next.access_token)).statusCode).toBe(401)
    expect((await refresh(house, app, untouched.refresh_token)).statusCode).toBe(200)
    expect((await codeFor(here, app)).code).toBeTruthy()
  })

  test('can ask for less, never for more', async () => {
    const tokens = await signInTo(house, ana, app, { scope: 'openid email' })
    expect(failed(await refresh(house, app, tokens.refresh_token, { scope: 'openid profile' }))).toEqual([
      400,
      'invalid_scope',
    ])
    const less = (await refresh(house, app, tokens.refresh_token, { scope: 'openid' })).json()
    expect(less.scope).toBe('openid')
  })

  test('belongs to its app', async () => {
    const other = await organisation.app({ name: 'Tretja' })
    const { refresh_token } = await signInTo(house, ana, app)
    expect(failed(await refresh(house, other, refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('loses a scope that the app may not ask for any more', async () => {
    const shrinking = await organisation.app({ name: 'Manj in manj' })
    await allow(ana, shrinking)
    const { refresh_token, access_token } = await signInTo(house, ana, shrinking)
    await ana.call(clients.updateClientInfo, { id: shrinking.client_id, scopes: ['openid'] })
    expect(Object.keys((await userinfo(house, access_token)).json())).toEqual(['sub'])
    expect((await refresh(house, shrinking, refresh_token)).json().scope).toBe('openid')
  })
})

describe('what ends tokens, at once', () => {
  const alive = async (tokens: { access_token: string; refresh_token: string }, by = app) => [
    (await userinfo(house, tokens.access_token)).statusCode,
    (await post(house, by, '/introspect', { token: tokens.access_token })).json().active,
    (await refresh(house, by, tokens.refresh_token)).statusCode,
  ]

  test('the end of their session, and of no other', async () => {
    const [leaving, staying] = [await anaElsewhere(), await anaElsewhere()]
    const ended = await signInTo(house, leaving, app)
    const kept = await signInTo(house, staying, app)
    const exchanged = await codeFor(leaving, app)
    await leaving.call(auth.logout, {})
    expect(await alive(ended)).toEqual([401, false, 400])
    expect(failed(await post(house, app, '/token', exchanged.form))).toEqual([400, 'invalid_grant'])
    expect(await alive(kept)).toEqual([200, true, 200])
  })

  test('unlinking the app', async () => {
    const person = await anaElsewhere()
    const tokens = await signInTo(house, person, app)
    await person.call(connections.removeConnection, { client: app.client_id })
    expect(await alive(tokens)).toEqual([401, false, 400])
    await allow(person, app)
    expect(await alive(tokens)).toEqual([401, false, 400])
  })

  test('disabling the app; enabling it again does not bring them back', async () => {
    const person = await anaElsewhere()
    const target = await organisation.app({ name: 'Stikalo' })
    await allow(person, target)
    const tokens = await signInTo(house, person, target)
    await ana.call(clients.updateClientInfo, { id: target.client_id, enabled: false })
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
    expect(failed(await post(house, target, '/introspect', { token: tokens.access_token }))).toEqual([
      401,
      'invalid_client',
    ])
    expect(failed(await refresh(house, target, tokens.refresh_token))).toEqual([401, 'invalid_client'])
    expect(failed(await post(house, target, '/revoke', { token: tokens.access_token }))).toEqual([
      401,
      'invalid_client',
    ])
    await ana.call(clients.updateClientInfo, { id: target.client_id, enabled: true })
    expect(await alive(tokens, target)).toEqual([401, false, 400])
  })

  test('revoking a refresh token (RFC 7009): its access tokens, too, and nobody else’s', async () => {
    const person = await anaElsewhere()
    const tokens = await signInTo(house, person, app)
    const other = await organisation.app({ name: 'Tuja' })
    expect((await post(house, other, '/revoke', { token: 'unknown' })).statusCode).toBe(200)
    const revoked = await post(house, app, '/revoke', { token: tokens.refresh_token })
    expect(revoked.statusCode).toBe(200)
    // Nothing is said, so it has no type: oidc-client-ts takes any type but JSON for a failure.
    expect([revoked.body, revoked.headers['content-type']]).toEqual(['', undefined])
    expect(await alive(tokens)).toEqual([401, false, 400])
  })
})

describe('time', () => {
  test('an access token ends after what its app says', async () => {
    const quick = await organisation.app({ name: 'Hitra' })
    await ana.call(clients.updateAdvanced, { id: quick.client_id, access_token_ttl: 60 })
    await allow(ana, quick)
    const { access_token, expires_in } = await signInTo(house, ana, quick)
    expect(expires_in).toBe(60)
    house.clock.advance(59)
    expect((await userinfo(house, access_token)).statusCode).toBe(200)
    house.clock.advance(1)
    expect((await userinfo(house, access_token)).statusCode).toBe(401)
  })

  test('without offline_access a refresh token ends with the session’s own end; with it, it goes on to its own', async () => {
    const person = await anaElsewhere()
    const both = await organisation.app({ name: 'Vztrajna' })
    await person.call(auth.refresh, { developer_id: organisation.developer_id })
    await person.call(clients.updateClientInfo, { id: both.client_id, scopes: ['openid', 'offline_access'] })
    await person.call(clients.updateAdvanced, { id: both.client_id, refresh_token_ttl: 89 * 86_400 })
    await allow(person, both, 'openid offline_access')
    const bound = await signInTo(house, person, both, { scope: 'openid' })
    const offline = await signInToAsked(person, both)
    expect(offline.scope).toBe('openid offline_access')
    house.clock.advance(LIFETIMES.session_idle + 1)
    expect(failed(await refresh(house, both, bound.refresh_token))).toEqual([400, 'invalid_grant'])
    const later = await refresh(house, both, offline.refresh_token)
    expect(later.statusCode).toBe(200)
    // Never beyond the longest life of the first one, however often it is used (security.md §1, 10.4.8).
    house.clock.advance(LIFETIMES.refresh_absolute - LIFETIMES.session_idle)
    expect(failed(await refresh(house, both, later.json().refresh_token))).toEqual([400, 'invalid_grant'])
  })

  async function signInToAsked(person: SignedIn, client: ThirdParty) {
    const { verifier, challenge } = proofKey()
    const params = { scope: 'openid offline_access', prompt: 'consent', code_challenge: challenge }
    const waiting = here(await authorize(person, client, params))
    const uid = (await follow(person, waiting)).searchParams.get('uid') as string
    await person.call(connections.putConsent, { client: client.client_id, scopes: ['openid', 'offline_access'], uid })
    const code = (await follow(person, waiting)).searchParams.get('code') as string
    const redirect_uri = 'http://localhost:4000/callback'
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    return (await post(house, client, '/token', form)).json()
  }
})
