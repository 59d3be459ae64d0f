import { clientDiagnostics, clients } from '@vrata/contract'
import { type CryptoKey, createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilEddsaIsPublished } from '../../../test/keys/published-keys.ts'
import { beginBy, relyingParty, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { allow, authorize, authorizeUrl, follow, here, post, signInTo } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

const redirect_uri = 'https://jadrolet.example/callback'
type Settings = Partial<clients.Advanced>

async function appWith(changes: Settings = {}) {
  const app = { ...(await organization.app({ redirect_uri })), redirect_uri }
  const set = async (settings: Settings) =>
    expect(await ana.call(clients.updateAdvanced, { id: app.client_id, ...settings })).toMatchObject({ ok: true })
  await set(changes)
  await allow(ana, app)
  const refusals = async () => {
    const answer = await ana.call(clientDiagnostics.listClientErrors, { id: app.client_id })
    return answer.ok ? answer.data.map(({ reason, detail }) => [reason, detail]) : []
  }
  return { app, set, refusals }
}

/** An app with FAPI 2.0 and message signing, and openid-client with its keys. */
async function fapiApp(changes: Settings = {}) {
  const [ec, rsa] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('PS256', { extractable: true }),
  ])
  // The RSA key names no algorithm, so it could sign with RS256, too.
  const keys = [
    { ...(await exportJWK(ec.publicKey)), kid: 'ec' },
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa' },
  ]
  const made = await appWith({ jwks: { keys } as clients.Advanced['jwks'], security_profile: 'fapi2', ...changes })
  const authentication = client.PrivateKeyJwt({ key: ec.privateKey, kid: 'ec' })
  const rp = await relyingParty(server, made.app.client_id, undefined, authentication)
  const rsaKey = await crypto.subtle.importKey(
    'pkcs8',
    await crypto.subtle.exportKey('pkcs8', rsa.privateKey as CryptoKey),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    true,
    ['sign'],
  )
  return { ...made, rp, ec, rsa, rsaKey }
}

const now = () => Math.floor(Date.now() / 1000)
const KEYS = () => createRemoteJWKSet(new URL(`${server.config.url}/jwks`))
const verified = (jwt: string, options: { audience: string; algorithms: string[]; typ?: string }) =>
  jwtVerify(jwt, KEYS(), { issuer: server.config.url, ...options })

describe('FAPI 2.0 with message signing', () => {
  test('signs a user in by openid-client: request, response, tokens and userinfo are signed or bound', async () => {
    const { app, rp, ec } = await fapiApp({
      require_signed_request_object: true,
      authorization_signed_response_alg: 'ES256',
      userinfo_signed_response_alg: 'ES256',
    })
    client.useJwtResponseMode(rp)
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const { url, checks } = await beginBy(rp, { redirect_uri })
    const signed = await client.buildAuthorizationUrlWithJAR(rp, url.searchParams, { key: ec.privateKey, kid: 'ec' })
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, signed.searchParams, { DPoP })
    const back = await follow(ana, here(pushed))
    expect([...back.searchParams.keys()]).toEqual(['response'])
    const { payload } = await verified(back.searchParams.get('response') ?? '', {
      audience: app.client_id,
      algorithms: ['ES256'],
    })
    expect(payload).toMatchObject({ code: expect.any(String), state: checks.expectedState })
    const tokens = await client.authorizationCodeGrant(rp, back, checks, undefined, { DPoP })
    expect(tokens.claims()?.sub).toBe(ana.user.id)
    const answer = await client.fetchProtectedResource(
      rp,
      tokens.access_token,
      new URL(`${server.config.url}/userinfo`),
      'GET',
      undefined,
      undefined,
      { DPoP },
    )
    expect(answer.headers.get('content-type')).toMatch(/^application\/jwt/)
    const person = await verified(await answer.text(), { audience: app.client_id, algorithms: ['ES256'] })
    expect(person.payload).toMatchObject({ sub: ana.user.id, email: people.ana.email })
  })
})

describe('signed authorization requests', () => {
  type Claims = Record<string, unknown>
  /** Pushes a request object; resolves with status, error and its description. */
  async function pushing(settings: Settings = {}) {
    const { app, refusals, ec, rsaKey } = await fapiApp(settings)
    const send = async (form: Record<string, string>) => {
      const assertion = await new SignJWT({ jti: crypto.randomUUID(), sub: app.client_id })
        .setProtectedHeader({ alg: 'ES256', kid: 'ec' })
        .setIssuer(app.client_id)
        .setAudience(server.config.url)
        .setExpirationTime('1m')
        .sign(ec.privateKey)
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      const answer = await post(
        server,
        app,
        '/par',
        { ...form, client_assertion: assertion, client_assertion_type },
        {},
      )
      const { error } = answer.json()
      return error ? [answer.statusCode, error] : answer.statusCode
    }
    const params = {
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri,
      scope: 'openid',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    }
    const sign = (claims: Claims, alg: 'ES256' | 'RS256' = 'ES256') =>
      new SignJWT({ iss: app.client_id, aud: server.config.url, nbf: now(), exp: now() + 60, ...params, ...claims })
        .setProtectedHeader({ alg, kid: alg === 'ES256' ? 'ec' : 'rsa', typ: 'oauth-authz-req+jwt' })
        .sign(alg === 'ES256' ? ec.privateKey : rsaKey)
    return { send, sign, params, refusals }
  }

  test('are required by the setting, at the authorization endpoint and when pushed', async () => {
    const { send, sign, params, refusals } = await pushing({ require_signed_request_object: true })
    expect(await send({ request: await sign({}) })).toBe(201)
    expect(await send(params)).toEqual([400, 'invalid_request'])
    expect(await refusals()).toEqual([['request_object_missing', '']])

    const { ec } = await fapiApp()
    const jwks = { keys: [await exportJWK(ec.publicKey)] } as clients.Advanced['jwks']
    const standard = await appWith({ jwks, require_signed_request_object: true })
    expect((await authorize(ana, standard.app)).searchParams.get('error')).toBe('invalid_request')
    expect(await standard.refusals()).toEqual([['request_object_missing', '']])
  })

  const LIFETIME = 'request_object_lifetime'
  test.each<[string, () => Claims, string, string]>([
    ['without nbf', () => ({ nbf: undefined }), LIFETIME, 'nbf is missing'],
    ['without exp', () => ({ exp: undefined }), LIFETIME, 'exp is missing'],
    [
      'that live for more than an hour',
      () => ({ exp: now() + 3700 }),
      LIFETIME,
      'exp is more than 60 minutes after nbf',
    ],
    [
      'that began more than an hour ago',
      () => ({ nbf: now() - 3700 }),
      LIFETIME,
      'exp is more than 60 minutes after nbf',
    ],
    ['that were issued in the future', () => ({ iat: now() + 90 }), LIFETIME, 'iat is too far in the future'],
    ['that begin in the future', () => ({ nbf: now() + 60, exp: now() + 90 }), 'request_object', 'jwt not active yet'],
    ['that have expired', () => ({ exp: now() - 30 }), 'request_object', 'jwt expired'],
    ['for another server', () => ({ aud: 'https://other.example' }), 'request_object', expect.any(String)],
  ])('are rejected with FAPI 2.0: %s', async (_, claims, reason, detail) => {
    const { send, sign, refusals } = await pushing()
    expect(await send({ request: await sign(claims()) })).toEqual([400, 'invalid_request_object'])
    expect(await refusals()).toEqual([[reason, detail]])
  })

  test('may begin a little in the future, and may be signed with any algorithm but RS256', async () => {
    const { send, sign, refusals } = await pushing()
    expect(await send({ request: await sign({ nbf: now() + 8, iat: now() + 8 }) })).toBe(201)
    expect(await send({ request: await sign({}, 'RS256') })).toEqual([400, 'invalid_request_object'])
    expect(await refusals()).toEqual([['algorithm', 'alg RS256 is not allowed by FAPI 2.0']])
  })
})

describe('signed authorization responses (JARM)', () => {
  const response = (back: URL) =>
    (back.hash ? new URLSearchParams(back.hash.slice(1)) : back.searchParams).get('response')

  test.each([
    ['jwt', 'RS256'],
    ['query.jwt', 'ES256'],
    ['fragment.jwt', 'EdDSA'],
  ] as const)('with response_mode %s', async (response_mode, alg) => {
    // RS256 is the default of a client that has registered nothing (JARM §3).
    const { app } = await appWith(alg === 'RS256' ? {} : { authorization_signed_response_alg: alg })
    if (alg === 'EdDSA') await untilEddsaIsPublished(server)
    const back = await authorize(ana, app, { response_mode })
    const { payload } = await verified(response(back) ?? '', { audience: app.client_id, algorithms: [alg] })
    expect(payload).toMatchObject({ code: expect.any(String), state: 'a state' })
    expect(payload.exp).toBeLessThanOrEqual(now() + 600)
    const failed = await authorize(ana, app, { response_mode, scope: 'openid phone' })
    const { payload: error } = await verified(response(failed) ?? '', { audience: app.client_id, algorithms: [alg] })
    expect(error).toMatchObject({ error: 'invalid_scope', state: 'a state' })
  })

  test('with response_mode form_post.jwt', async () => {
    const { app } = await appWith()
    const url = new URL(`${server.config.url}/authorize`)
    const code_challenge = 'c'.repeat(43)
    const params = { client_id: app.client_id, redirect_uri, response_type: 'code', scope: 'openid', code_challenge }
    url.search = String(
      new URLSearchParams({ ...params, code_challenge_method: 'S256', response_mode: 'form_post.jwt' }),
    )
    const page = await ana.request({ url: here(url) })
    const jwt = /name="response" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const { payload } = await verified(jwt, { audience: app.client_id, algorithms: ['RS256'] })
    expect(payload.code).toEqual(expect.any(String))
  })

  test('with FAPI 2.0 have the algorithm of ID tokens, never RS256', async () => {
    const { app, rp } = await fapiApp({ id_token_signed_response_alg: 'EdDSA' })
    await untilEddsaIsPublished(server)
    const { url } = await beginBy(rp, { redirect_uri, response_mode: 'jwt' })
    const back = await follow(ana, here(await client.buildAuthorizationUrlWithPAR(rp, url.searchParams)))
    await verified(response(back) ?? '', { audience: app.client_id, algorithms: ['EdDSA'] })
  })

  test('are the only ones of an app that has registered an algorithm', async () => {
    const { app, set, refusals } = await appWith({ authorization_signed_response_alg: 'ES256' })
    for (const response_mode of [undefined, 'query', 'form_post', 'web_message']) {
      const { body, headers } = await ana.request({ url: authorizeUrl(app, { response_mode }) })
      expect([response_mode, `${body}${headers.location}`]).toEqual([
        response_mode,
        expect.not.stringMatching(/\bcode=|"code"/),
      ])
    }
    const pushed = await post(server, app, '/par', {
      response_type: 'code',
      redirect_uri,
      response_mode: 'query',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    })
    expect([pushed.statusCode, pushed.json().error]).toEqual([400, 'invalid_request'])
    expect((await refusals()).map(([reason]) => reason)).toContain('response_mode')
    await set({ authorization_signed_response_alg: null })
    expect((await authorize(ana, app)).searchParams.get('code')).toBeTruthy()
  })
})

describe('signed userinfo', () => {
  test('is a JWT for the app when it has registered an algorithm', async () => {
    const { app, set } = await appWith()
    const { access_token } = await signInTo(server, ana, app)
    const userinfo = (headers = {}) =>
      server.app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${access_token}`, ...headers } })
    const plain = (await userinfo()).json()
    await set({ userinfo_signed_response_alg: 'RS256' })
    const answer = await userinfo()
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/jwt; charset=utf-8'])
    const { payload } = await verified(answer.body, { audience: app.client_id, algorithms: ['RS256'] })
    expect(payload).toMatchObject(plain)
  })
})

describe('signed introspection', () => {
  const accept = 'application/token-introspection+jwt'

  test('by an app that authenticates with its key is signed as FAPI 2.0 has it', async () => {
    const { app, rp, ec } = await fapiApp()
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const { url, checks } = await beginBy(rp, { redirect_uri })
    const back = await follow(ana, here(await client.buildAuthorizationUrlWithPAR(rp, url.searchParams, { DPoP })))
    const { access_token } = await client.authorizationCodeGrant(rp, back, checks, undefined, { DPoP })
    const client_assertion = await new SignJWT({ jti: crypto.randomUUID(), sub: app.client_id })
      .setProtectedHeader({ alg: 'ES256', kid: 'ec' })
      .setIssuer(app.client_id)
      .setAudience(server.config.url)
      .setExpirationTime('1m')
      .sign(ec.privateKey)
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const form = { token: access_token, client_assertion, client_assertion_type }
    const answer = await post(server, app, '/introspect', form, { accept })
    const { payload } = await verified(answer.body, { audience: app.client_id, algorithms: ['ES256'] })
    expect(payload.token_introspection).toMatchObject({ active: true, cnf: { jkt: expect.any(String) } })
  })
})

describe('DPoP proofs with FAPI 2.0', () => {
  test('are not signed with RS256: at PAR, token and userinfo, each listed for the developers', async () => {
    const { app, rp, refusals, rsa, rsaKey } = await fapiApp()
    const pair = (privateKey: CryptoKey) => ({ privateKey, publicKey: rsa.publicKey as CryptoKey })
    const publicRs256 = await crypto.subtle.importKey(
      'spki',
      await crypto.subtle.exportKey('spki', rsa.publicKey as CryptoKey),
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      true,
      ['verify'],
    )
    const good = client.getDPoPHandle(rp, pair(rsa.privateKey as CryptoKey))
    const bad = client.getDPoPHandle(rp, { privateKey: rsaKey, publicKey: publicRs256 })
    const reason = ['algorithm', 'alg RS256 is not allowed by FAPI 2.0']
    const isListed = async () => {
      expect(await refusals()).toEqual([reason])
      expect(await ana.call(clientDiagnostics.deleteClientErrors, { id: app.client_id })).toMatchObject({ ok: true })
    }

    const first = await beginBy(rp, { redirect_uri })
    await expect(client.buildAuthorizationUrlWithPAR(rp, first.url.searchParams, { DPoP: bad })).rejects.toMatchObject({
      error: 'invalid_dpop_proof',
    })
    await isListed()

    const pushed = await client.buildAuthorizationUrlWithPAR(rp, first.url.searchParams)
    const back = await follow(ana, here(pushed))
    const exchange = (DPoP: client.DPoPHandle) =>
      client.authorizationCodeGrant(rp, back, first.checks, undefined, { DPoP })
    await expect(exchange(bad)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
    await isListed()
    const { access_token } = await exchange(good)
    expect(await client.fetchUserInfo(rp, access_token, ana.user.id, { DPoP: good })).toMatchObject({
      email: people.ana.email,
    })
    await expect(client.fetchUserInfo(rp, access_token, ana.user.id, { DPoP: bad })).rejects.toMatchObject({
      status: 401,
    })
    await isListed()
  })
})
