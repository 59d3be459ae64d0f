import { createHash } from 'node:crypto'
import { clientDiagnostics, clients, sessions } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorizeUrl,
  codeFor,
  credentials,
  post,
  proofKey,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let app: ThirdParty
let key: Awaited<ReturnType<typeof pair>>
beforeAll(async () => {
  server = await startTestServer()
  key = await pair()
})
afterAll(() => server?.close())
beforeEach(async () => {
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
})

async function pair() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' } as never }
}

async function set(changes: Partial<clients.Advanced>) {
  expect(await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })).toMatchObject({ ok: true })
}

async function reasons() {
  const answer = await ana.call(clientDiagnostics.listClientErrors, { id: app.client_id })
  return answer.ok && answer.data.map(({ reason, detail }) => [reason, detail])
}

const sendRequest = (params: Record<string, string | undefined>) => ana.request({ url: authorizeUrl(app, params) })

describe('client errors of a pushed request', () => {
  const whole = () => ({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: jadrolet.redirect_uri,
    scope: 'openid',
    code_challenge: proofKey().challenge,
    code_challenge_method: 'S256',
  })

  test('is missing where it is required', async () => {
    await set({ require_pushed_authorization_requests: true })
    await sendRequest({})
    expect(await reasons()).toEqual([['par_required', '']])
  })

  test('has an unregistered redirect URI, a scope that is not allowed, a wrong secret', async () => {
    await post(server, app, '/par', { ...whole(), redirect_uri: 'https://jadrolet.example/cb' })
    await post(server, app, '/par', { ...whole(), scope: 'openid phone' })
    await post(server, { ...app, client_secret: 'vrts_wrong' }, '/par', whole())
    expect(((await reasons()) || []).toSorted()).toEqual([
      ['redirect_uri', 'https://jadrolet.example/cb'],
      ['scope', 'phone'],
      ['secret_wrong', ''],
    ])
  })

  test('has expired', async () => {
    const { request_uri } = (await post(server, app, '/par', whole())).json()
    server.clock.advance(61)
    await ana.request({ url: `/authorize?${new URLSearchParams({ client_id: app.client_id, request_uri })}` })
    expect(await reasons()).toEqual([['request_uri', '']])
  })
})

describe('client errors of a request object', () => {
  const signed = (claims: object, by = key.privateKey) =>
    new SignJWT({ client_id: app.client_id, response_type: 'code', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(app.client_id)
      .setAudience(server.config.url)
      .setExpirationTime('1m')
      .sign(by)

  test('is for another client, or signed with an unregistered key', async () => {
    await set({ jwks: { keys: [key.jwk] } })
    await sendRequest({ request: await signed({ client_id: 'vrt_other' }) })
    expect(await reasons()).toEqual([['request_object', expect.stringMatching(/client_id/)]])
    await sendRequest({ request: await signed({}, (await pair()).privateKey) })
    expect(await reasons()).toContainEqual(['request_object', 'signature verification failed'])
  })
})

describe('client errors of private_key_jwt', () => {
  const assertion = (claims: Record<string, unknown> = {}, by = key.privateKey) =>
    new SignJWT({ iss: app.client_id, sub: app.client_id, aud: server.config.url, jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(by)
  async function exchange(client_assertion?: string) {
    const { form } = await codeFor(ana, app)
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    if (!client_assertion) return post(server, app, '/token', form)
    return post(server, app, '/token', { ...form, client_assertion, client_assertion_type }, {})
  }
  beforeEach(() => set({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } }))

  test('the former secret', async () => {
    await exchange()
    expect(await reasons()).toEqual([['assertion_missing', '']])
  })

  test('another key, another issuer, another audience, another algorithm, or a replayed assertion', async () => {
    await exchange(await assertion({}, (await pair()).privateKey))
    expect(await reasons()).toEqual([['assertion', expect.any(String)]])
    await exchange(await assertion({ iss: 'vrt_other' }))
    expect(await reasons()).toContainEqual(['assertion', 'iss (JWT issuer) must be the client_id'])
    await exchange(await assertion({ aud: [server.config.url] }))
    expect(await reasons()).toContainEqual([
      'assertion_audience',
      'audience (aud) must be the issuer or the token endpoint alone, as a string and not in a list',
    ])
    await set({ token_endpoint_auth_signing_alg: 'PS256' })
    await exchange(await assertion())
    expect(await reasons()).toContainEqual(['algorithm', 'alg mismatch'])
    await set({ token_endpoint_auth_signing_alg: null })
    const once = await assertion()
    for (const _ of [1, 2]) await exchange(once)
    expect(await reasons()).toContainEqual(['assertion', 'client assertion tokens must only be used once'])
  })
})

describe('client errors of DPoP', () => {
  beforeEach(() => set({ dpop_bound_access_tokens: true }))

  test('a missing or a wrong proof', async () => {
    const exchange = async (headers: Record<string, string>) => {
      const { form } = await codeFor(ana, app)
      const authorization = `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`
      return await post(server, app, '/token', form, { authorization, ...headers })
    }
    expect((await exchange({})).statusCode).toBe(400)
    expect(await reasons()).toEqual([['dpop_missing', '']])
    const proof = await new SignJWT({ jti: 'a', htm: 'POST', htu: 'https://other.example/token' })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk })
      .setIssuedAt()
      .sign(key.privateKey)
    await exchange({ dpop: proof })
    expect(await reasons()).toContainEqual(['dpop_proof', 'DPoP proof htu mismatch'])
  })
  test('at userinfo: a bound token without a proof, with a wrong proof, and with the proof of another key', async () => {
    const { form } = await codeFor(ana, app)
    const proof = async (claims: object, by = key) =>
      new SignJWT({ jti: crypto.randomUUID(), htm: 'POST', htu: `${server.config.url}/token`, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: by.jwk })
        .setIssuedAt()
        .sign(by.privateKey)
    const headers = { ...credentials(app), dpop: await proof({}) }
    const { access_token } = (await post(server, app, '/token', form, headers)).json()
    const ath = createHash('sha256').update(access_token).digest('base64url')
    const htu = `${server.config.url}/userinfo`
    const send = async (sent: Record<string, string>) =>
      (await server.app.inject({ url: '/userinfo', headers: sent })).statusCode
    const authorization = `DPoP ${access_token}`

    expect(await send({ authorization: `Bearer ${access_token}` })).toBe(401)
    expect(await reasons()).toEqual([['dpop_missing', '']])
    expect(await send({ authorization, dpop: await proof({ htm: 'GET', htu: 'https://other.example/', ath }) })).toBe(
      401,
    )
    expect(await reasons()).toContainEqual(['dpop_proof', 'DPoP proof htu mismatch'])
    expect(await send({ authorization, dpop: await proof({ htm: 'GET', htu, ath }, await pair()) })).toBe(401)
    expect(await reasons()).toContainEqual(['dpop_proof', 'failed jkt verification'])
    expect(await send({ authorization, dpop: await proof({ htm: 'GET', htu, ath }) })).toBe(200)
    // An unknown token belongs to no app, so no error is recorded.
    const before = await reasons()
    expect(await send({ authorization: 'DPoP unknown', dpop: await proof({ htm: 'GET', htu }) })).toBe(401)
    expect(await reasons()).toEqual(before)
  })
})

describe('client errors of other endpoints', () => {
  test('userinfo: a token that has expired or was used up is recorded, an unknown one is not', async () => {
    const { access_token, refresh_token } = await signInTo(server, ana, app)
    server.clock.advance(601)
    await ana.call(sessions.refresh, {})
    expect((await userinfo(server, access_token)).statusCode).toBe(401)
    expect(await reasons()).toEqual([['userinfo_token', 'the access token has expired']])
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
    expect((await userinfo(server, refresh_token)).statusCode).toBe(401)
    expect(await reasons()).toContainEqual(['userinfo_token', 'the token has ended or was used'])
    const listed = await reasons()
    for (const unknown of ['unknown', 'a.b.c']) expect((await userinfo(server, unknown)).statusCode).toBe(401)
    expect(await reasons()).toEqual(listed)
  })

  test('a code that two requests redeem at once', async () => {
    const { form } = await codeFor(ana, app)
    const sent = await Promise.all(Array.from({ length: 4 }, () => post(server, app, '/token', form)))
    expect(sent.filter(({ statusCode }) => statusCode === 400).length).toBeGreaterThanOrEqual(3)
    expect(await ana.call(clientDiagnostics.listClientErrors, { id: app.client_id })).toMatchObject({
      data: [{ reason: 'code', times: 3 }],
    })
  })

  test('userinfo: a token without the scope openid, a token in the URL', async () => {
    await allow(ana, app, 'profile')
    const { access_token } = await signInTo(server, ana, app, { scope: 'profile' })
    expect((await userinfo(server, access_token)).statusCode).toBe(403)
    expect(await reasons()).toEqual([['userinfo_token', 'scope openid is missing']])
    const inUrl = await server.app.inject(`/userinfo?access_token=${access_token}`)
    expect(inUrl.statusCode).toBe(400)
    expect(await reasons()).toContainEqual(['userinfo_token', 'the access token was sent twice or in the URL'])
  })

  test('introspection: no secret, a wrong one, no token', async () => {
    await post(server, app, '/introspect', { token: 'x', client_id: app.client_id }, {})
    await post(server, { ...app, client_secret: 'wrong' }, '/introspect', { token: 'x' })
    await post(server, app, '/introspect', {})
    expect(((await reasons()) || []).toSorted()).toEqual([
      ['secret_missing', ''],
      ['secret_wrong', ''],
      ['token_request', 'token must be given once'],
    ])
    await set({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } })
    await post(server, app, '/introspect', { token: 'x' })
    expect(await reasons()).toContainEqual(['assertion_missing', ''])
  })

  test('revocation: a JWT access token, no token', async () => {
    await post(server, app, '/revoke', {
      token: await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey),
    })
    await post(server, app, '/revoke', { token_type_hint: 'access_token' })
    expect(((await reasons()) || []).toSorted()).toEqual([
      ['token_request', expect.stringMatching(/token/)],
      ['token_type', ''],
    ])
  })

  test.each(['/token', '/introspect', '/par'])('%s: a body that is not a form', async (url) => {
    const headers = { ...credentials(app), 'content-type': 'application/json' }
    await server.app.inject({ method: 'POST', url, headers, payload: { grant_type: 'client_credentials' } })
    expect(await reasons()).toEqual([['token_request', 'the body must be application/x-www-form-urlencoded']])
  })

  test('device authorization: a kind of app without this grant, a wrong secret', async () => {
    await post(server, app, '/device_authorization', { scope: 'openid' })
    await post(server, { ...app, client_secret: 'wrong' }, '/device_authorization', { scope: 'openid' })
    expect(((await reasons()) || []).toSorted()).toEqual([
      ['grant_type', ''],
      ['secret_wrong', ''],
    ])
  })

  test('authorization: an unknown resource, a response_mode or acr that does not exist, a request_uri of others', async () => {
    await sendRequest({ resource: 'https://other.example/api?key=1' })
    await sendRequest({ response_mode: 'smoke' })
    await sendRequest({ claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'gold' } } }) })
    await sendRequest({ request_uri: 'https://other.example/request' })
    expect(((await reasons()) || []).toSorted()).toEqual([
      ['authorization_request', 'request_uri_not_supported'],
      ['authorization_request', expect.stringMatching(/acr/)],
      ['resource', 'https://other.example/api?…'],
      ['response_mode', ''],
    ])
  })
})
