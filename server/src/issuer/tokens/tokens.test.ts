import { clients, connections, LIFETIMES, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
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
} from '../../../test/third-party.ts'
import { fromJson, timeAfter, toJson } from '../../db/values.ts'
import { tokenKey } from './token-keys.ts'

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

/** A session of its own, so that ending it affects no other test. */
const anaElsewhere = () => server.as(people.ana)
const failed = (answer: { statusCode: number; json(): { error: string } }) => [answer.statusCode, answer.json().error]

describe('a code', () => {
  test('is exchanged for an access, a refresh and an ID token', async () => {
    const tokens = await signInTo(server, ana, app, { nonce: 'once' })
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: LIFETIMES.access_token,
      scope: 'openid profile email',
    })
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] as string, 'base64url').toString())
    expect(claims).toMatchObject({
      iss: server.config.url,
      aud: app.client_id,
      sub: ana.user.id,
      nonce: 'once',
      amr: ['pwd'],
    })
    expect(claims.exp - claims.iat).toBe(LIFETIMES.id_token)
    expect(claims.email).toBe(people.ana.email)
  })

  test.each([
    ['a wrong proof', { code_verifier: 'w'.repeat(43) }, [400, 'invalid_grant']],
    ['no proof', { code_verifier: undefined }, [400, 'invalid_grant']],
    ['another redirect URI', { redirect_uri: 'http://localhost:4000/other' }, [400, 'invalid_grant']],
    ['a wrong code', { code: 'x'.repeat(43) }, [400, 'invalid_grant']],
    ['another grant', { grant_type: 'password' }, [400, 'unsupported_grant_type']],
  ])('with %s gives nothing', async (_, change, expected) => {
    const { form } = await codeFor(ana, app)
    expect(failed(await post(server, app, '/token', { ...form, ...change }))).toEqual(expected)
  })

  test('is rejected with a wrong secret, in the query, or with two authentication methods', async () => {
    const { form } = await codeFor(ana, app)
    const wrong = credentials({ ...app, client_secret: 'wrong' })
    const answer = await post(server, app, '/token', form, wrong)
    expect(failed(answer)).toEqual([401, 'invalid_client'])
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
    const twice = { ...form, client_id: app.client_id, client_secret: app.client_secret as string }
    expect(failed(await post(server, app, '/token', twice))).toEqual([400, 'invalid_request'])
    const inQuery = `/token?${new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret as string })}`
    expect((await post(server, { ...app, client_secret: null }, inQuery, form)).statusCode).toBe(401)
    expect((await post(server, app, '/token', form)).statusCode).toBe(200)
  })

  test('is logged with its client, its user or the error (security §16.2.1)', async () => {
    const { form } = await codeFor(ana, app)
    const before = server.logged().length
    await post(server, app, '/token', form, credentials({ ...app, client_secret: 'wrong' }))
    await post(server, app, '/token', form)
    const lines = server.logged().slice(before).trim().split('\n')
    const logged = lines.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'answered')
    const { client_id } = app
    expect(logged).toMatchObject([
      { route: '/token', status: 401, client_id, problem: 'invalid_client' },
      { route: '/token', status: 200, client_id, user_id: ana.user.id },
    ])
  })

  test('can be exchanged with the secret in the form', async () => {
    const { form } = await codeFor(ana, app)
    const inForm = { ...form, client_id: app.client_id, client_secret: app.client_secret as string }
    expect((await post(server, app, '/token', inForm, {})).statusCode).toBe(200)
  })

  test('is bound to its client', async () => {
    const other = await organization.app({ name: 'Druga' })
    const { form } = await codeFor(ana, app)
    expect(failed(await post(server, other, '/token', form))).toEqual([400, 'invalid_grant'])
  })

  test('expires after a minute', async () => {
    const { form } = await codeFor(ana, app)
    server.clock.advance(61)
    expect(failed(await post(server, app, '/token', form))).toEqual([400, 'invalid_grant'])
  })

  test('used twice revokes the tokens of the first use', async () => {
    const person = await anaElsewhere()
    const { form } = await codeFor(person, app)
    const first = (await post(server, app, '/token', form)).json()
    expect((await userinfo(server, first.access_token)).statusCode).toBe(200)
    expect(failed(await post(server, app, '/token', form))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(server, first.access_token)).statusCode).toBe(401)
    expect(failed(await refresh(server, app, first.refresh_token))).toEqual([400, 'invalid_grant'])
    // The consent stays (protocol §3.2): the next request needs no page.
    expect((await codeFor(person, app)).code).toBeTruthy()
  })

  test('a verifier without a challenge is rejected', async () => {
    const lax = await organization.app({ name: 'Brez PKCE' })
    await ana.call(clients.updateAdvanced, { id: lax.client_id, require_pkce: false })
    await allow(ana, lax)
    const without = { code_challenge: undefined, code_challenge_method: undefined }
    const { form } = await codeFor(ana, lax, without)
    expect(failed(await post(server, lax, '/token', form))).toEqual([400, 'invalid_grant'])
    const again = await codeFor(ana, lax, without)
    expect((await post(server, lax, '/token', { ...again.form, code_verifier: undefined })).statusCode).toBe(200)
  })
})

describe('a public client (protocol §2.2)', () => {
  test('needs no secret; one that it has is verified when it is sent', async () => {
    const spa = await organization.app({ name: 'Stran', redirect_uri: 'https://stran.example/cb' })
    await ana.call(clients.updateAdvanced, { id: spa.client_id, require_client_secret: false })
    await allow(ana, spa)
    const at = { ...spa, redirect_uri: 'https://stran.example/cb' }
    const statuses = []
    for (const client_secret of [null, spa.client_secret, 'wrong']) {
      const { form } = await codeFor(ana, at)
      statuses.push((await post(server, { ...at, client_secret }, '/token', form)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 401])
  })
})

describe('a refresh token', () => {
  test('is rotated at every use', async () => {
    const tokens = await signInTo(server, ana, app)
    const next = (await refresh(server, app, tokens.refresh_token)).json()
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(next).toMatchObject({
      scope: tokens.scope,
      expires_in: LIFETIMES.access_token,
      id_token: expect.any(String),
    })
    expect((await userinfo(server, next.access_token)).statusCode).toBe(200)
  })

  test('used twice revokes its family and keeps the consent (protocol §3.2)', async () => {
    const [here, elsewhere] = [await anaElsewhere(), await anaElsewhere()]
    const stolen = await signInTo(server, here, app)
    const untouched = await signInTo(server, elsewhere, app)
    const next = (await refresh(server, app, stolen.refresh_token)).json()
    expect(failed(await refresh(server, app, stolen.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(failed(await refresh(server, app, next.refresh_token))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(server, next.access_token)).statusCode).toBe(401)
    expect((await refresh(server, app, untouched.refresh_token)).statusCode).toBe(200)
    expect((await codeFor(here, app)).code).toBeTruthy()
  })

  test('can be used for fewer scopes, never for more', async () => {
    const tokens = await signInTo(server, ana, app, { scope: 'openid email' })
    expect(failed(await refresh(server, app, tokens.refresh_token, { scope: 'openid profile' }))).toEqual([
      400,
      'invalid_scope',
    ])
    const less = (await refresh(server, app, tokens.refresh_token, { scope: 'openid' })).json()
    expect(less.scope).toBe('openid')
  })

  test('is bound to its client', async () => {
    const other = await organization.app({ name: 'Tretja' })
    const { refresh_token } = await signInTo(server, ana, app)
    expect(failed(await refresh(server, other, refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('loses a scope that the client may no longer request', async () => {
    const shrinking = await organization.app({ name: 'Manj in manj' })
    await allow(ana, shrinking)
    const { refresh_token, access_token } = await signInTo(server, ana, shrinking)
    await ana.call(clients.updateClientInfo, { id: shrinking.client_id, scopes: ['openid'] })
    expect(Object.keys((await userinfo(server, access_token)).json())).toEqual(['sub'])
    expect((await refresh(server, shrinking, refresh_token)).json().scope).toBe('openid')
  })
})

describe('tokens end at once with', () => {
  const alive = async (tokens: { access_token: string; refresh_token: string }, by = app) => [
    (await userinfo(server, tokens.access_token)).statusCode,
    (await post(server, by, '/introspect', { token: tokens.access_token })).json().active,
    (await refresh(server, by, tokens.refresh_token)).statusCode,
  ]

  test('the end of their session only', async () => {
    const [leaving, staying] = [await anaElsewhere(), await anaElsewhere()]
    const ended = await signInTo(server, leaving, app)
    const kept = await signInTo(server, staying, app)
    const exchanged = await codeFor(leaving, app)
    await leaving.call(sessions.logout, {})
    expect(await alive(ended)).toEqual([401, false, 400])
    expect(failed(await post(server, app, '/token', exchanged.form))).toEqual([400, 'invalid_grant'])
    expect(await alive(kept)).toEqual([200, true, 200])
  })

  test('unlinking the client', async () => {
    const person = await anaElsewhere()
    const tokens = await signInTo(server, person, app)
    await person.call(connections.removeConnection, { client: app.client_id })
    expect(await alive(tokens)).toEqual([401, false, 400])
    await allow(person, app)
    expect(await alive(tokens)).toEqual([401, false, 400])
  })

  test('disabling the client; enabling it again does not restore them', async () => {
    const person = await anaElsewhere()
    const target = await organization.app({ name: 'Stikalo' })
    await allow(person, target)
    const tokens = await signInTo(server, person, target)
    await ana.call(clients.updateClientInfo, { id: target.client_id, enabled: false })
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    expect(failed(await post(server, target, '/introspect', { token: tokens.access_token }))).toEqual([
      401,
      'invalid_client',
    ])
    expect(failed(await refresh(server, target, tokens.refresh_token))).toEqual([401, 'invalid_client'])
    expect(failed(await post(server, target, '/revoke', { token: tokens.access_token }))).toEqual([
      401,
      'invalid_client',
    ])
    await ana.call(clients.updateClientInfo, { id: target.client_id, enabled: true })
    expect(await alive(tokens, target)).toEqual([401, false, 400])
  })

  test('revoking a refresh token (RFC 7009), with its access tokens only', async () => {
    const person = await anaElsewhere()
    const tokens = await signInTo(server, person, app)
    const other = await organization.app({ name: 'Tuja' })
    expect((await post(server, other, '/revoke', { token: 'unknown' })).statusCode).toBe(200)
    // 200 would tell an app that uses the wrong credentials that the tokens have ended (RFC 7009 §2.1, RFC 6749 §5.2).
    for (const token of [tokens.refresh_token, tokens.access_token])
      expect(failed(await post(server, other, '/revoke', { token }))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
    const revoked = await post(server, app, '/revoke', { token: tokens.refresh_token })
    expect(revoked.statusCode).toBe(200)
    // An empty response has no content type: oidc-client-ts treats any type but JSON as a failure.
    expect([revoked.body, revoked.headers['content-type']]).toEqual(['', undefined])
    expect(await alive(tokens)).toEqual([401, false, 400])
  })
})

describe('expiry', () => {
  test('an access token expires after the lifetime of its client', async () => {
    const quick = await organization.app({ name: 'Hitra' })
    await ana.call(clients.updateAdvanced, { id: quick.client_id, access_token_ttl: 60 })
    await allow(ana, quick)
    const { access_token, expires_in } = await signInTo(server, ana, quick)
    expect(expires_in).toBe(60)
    server.clock.advance(59)
    expect((await userinfo(server, access_token)).statusCode).toBe(200)
    server.clock.advance(1)
    expect((await userinfo(server, access_token)).statusCode).toBe(401)
  })

  test('a refresh token expires with the session without offline_access, and by itself with it', async () => {
    const person = await anaElsewhere()
    const both = await organization.app({ name: 'Vztrajna' })
    await person.call(sessions.refresh, { developer_id: organization.developer_id })
    await person.call(clients.updateClientInfo, { id: both.client_id, scopes: ['openid', 'offline_access'] })
    await person.call(clients.updateAdvanced, { id: both.client_id, refresh_token_ttl: 89 * 86_400 })
    await allow(person, both, 'openid offline_access')
    const bound = await signInTo(server, person, both, { scope: 'openid' })
    const offline = await signInToAsked(person, both)
    expect(offline.scope).toBe('openid offline_access')
    server.clock.advance(LIFETIMES.session_idle + 1)
    expect(failed(await refresh(server, both, bound.refresh_token))).toEqual([400, 'invalid_grant'])
    const later = await refresh(server, both, offline.refresh_token)
    expect(later.statusCode).toBe(200)
    // Never after the absolute lifetime since the first token, however often it is used (decision 0035).
    server.clock.advance(LIFETIMES.refresh_absolute - LIFETIMES.session_idle)
    expect(failed(await refresh(server, both, later.json().refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('no refresh token follows one whose family has reached its absolute end in the same second', async () => {
    const person = await anaElsewhere()
    const { form } = await codeFor(person, app)
    // Another parameter lets oidc-provider answer, after which no server remembers the row.
    const { refresh_token } = (await post(server, app, '/token', { ...form, another: 'parameter' })).json()
    const token_hash = tokenKey(refresh_token)
    const { db } = server.store
    const tokens = db.selectFrom('tokens').select('payload').where('token_hash', '=', token_hash)
    const { payload } = await tokens.executeTakeFirstOrThrow()
    const iiat = timeAfter(server.clock.now(), -LIFETIMES.refresh_absolute)
    const changed = toJson({ ...fromJson<object>(payload), iiat })
    await db.updateTable('tokens').set({ payload: changed }).where('token_hash', '=', token_hash).execute()
    expect(failed(await refresh(server, app, refresh_token))).toEqual([400, 'invalid_grant'])
  })

  async function signInToAsked(person: SignedIn, client: ThirdParty) {
    const { verifier, challenge } = proofKey()
    const params = { scope: 'openid offline_access', prompt: 'consent', code_challenge: challenge }
    const interaction = here(await authorize(person, client, params))
    const uid = (await follow(person, interaction)).searchParams.get('uid') as string
    await person.call(connections.submitConsent, {
      client: client.client_id,
      scopes: ['openid', 'offline_access'],
      uid,
    })
    const code = (await follow(person, interaction)).searchParams.get('code') as string
    const redirect_uri = 'http://localhost:4000/callback'
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    return (await post(server, client, '/token', form)).json()
  }
})
