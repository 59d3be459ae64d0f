import { clients, connections } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginBy, relyingParty, signInBy, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { allow, authorize, follow, here, post, proofKey, type ThirdParty, userinfo } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

async function clientWith(changes: Partial<clients.Advanced> = {}): Promise<ThirdParty> {
  const app = await organization.app()
  const put = await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })
  expect(put).toMatchObject({ ok: true })
  await allow(ana, app)
  return app
}
const rpOf = (app: ThirdParty) => relyingParty(server, app.client_id, app.client_secret as string)

describe('pushed authorization requests (RFC 9126)', () => {
  test('sign a user in, once', async () => {
    const rp = await rpOf(await clientWith({ require_pushed_authorization_requests: true }))
    const { url, checks } = await beginBy(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams))
    expect([...pushed.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, here(pushed)), checks)
    expect(tokens.claims()?.sub).toBe(ana.user.id)
    const again = await follow(ana, here(pushed))
    expect(here(again)).toMatch(/^\/oauth\?error=request_expired/)
  })

  test('lead to an interaction, and are consumed when it is resumed', async () => {
    const app = await organization.app()
    const rp = await rpOf(app)
    const { url, checks } = await beginBy(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams))
    const interaction = here(await follow(ana, here(pushed)))
    expect((await follow(ana, interaction)).pathname).toBe('/oauth')
    // The page may be reloaded until then.
    const reloaded = here(await follow(ana, here(pushed)))
    await allow(ana, app)
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, reloaded), checks)
    expect(tokens.access_token).toBeTruthy()
    expect(here(await follow(ana, here(pushed)))).toMatch(/^\/oauth\?error=request_expired/)
  })

  test('lead to one code, in however many tabs they wait for their user', async () => {
    const begin = async () => {
      const app = await organization.app()
      const rp = await rpOf(app)
      const { url } = await beginBy(rp)
      const pushed = here(await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams)))
      return { app, pushed, tab: here(await follow(ana, pushed)) }
    }
    const resume = async (tab: string) => {
      // Each has a cookie at its own path.
      ana.cookies.set('vrata_request', tab.split('/').at(-1) as string)
      return await follow(ana, tab)
    }
    const both = await begin()
    const another = here(await follow(ana, both.pushed))
    await allow(ana, both.app)
    expect((await resume(both.tab)).searchParams.has('code')).toBe(true)
    expect(here(await resume(another))).toMatch(/^\/oauth\?error=request_expired/)

    // One tab waits, and another one continues at once.
    const one = await begin()
    await allow(ana, one.app)
    expect((await follow(ana, one.pushed)).searchParams.has('code')).toBe(true)
    expect(here(await resume(one.tab))).toMatch(/^\/oauth\?error=request_expired/)
  })

  test('may be signed by a client that authenticates with its secret', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const app = await clientWith({ jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] } as never })
    const params = {
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri: jadrolet.redirect_uri,
      scope: 'openid',
    }
    const request = await new SignJWT({
      ...params,
      code_challenge: proofKey().challenge,
      code_challenge_method: 'S256',
    })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(app.client_id)
      .setAudience(server.config.url)
      .setExpirationTime('5 minutes')
      .sign(privateKey)
    expect((await post(server, app, '/par', { request })).json()).toMatchObject({ expires_in: 60 })
  })

  test('are consumed once by parallel requests', async () => {
    const rp = await rpOf(await clientWith())
    const { url } = await beginBy(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams))
    const answers = await Promise.all([0, 1, 2].map(() => follow(ana, here(pushed))))
    expect(answers.filter((answer) => answer.searchParams.has('code'))).toHaveLength(1)
  })

  test('are required where the client says so, need client authentication, and expire after a minute', async () => {
    const app = await clientWith({ require_pushed_authorization_requests: true })
    expect((await authorize(ana, app)).searchParams.get('error')).toBe('invalid_request')
    const form = { response_type: 'code', redirect_uri: jadrolet.redirect_uri, scope: 'openid' }
    const { challenge } = proofKey()
    const { client_id } = app
    const whole = { ...form, client_id, code_challenge: challenge, code_challenge_method: 'S256' }
    const wrong = await post(server, { ...app, client_secret: 'wrong' }, '/par', whole)
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    const bad = await post(server, app, '/par', { ...whole, redirect_uri: 'https://evil.example/' })
    expect([bad.statusCode, bad.json().error]).toEqual([400, 'invalid_request'])
    const good = await post(server, app, '/par', whole)
    expect(good.json()).toMatchObject({ expires_in: 60 })
    server.clock.advance(61)
    const late = await follow(
      ana,
      `/authorize?${new URLSearchParams({ client_id, request_uri: good.json().request_uri })}`,
    )
    expect(here(late)).toMatch(/^\/oauth\?error=request_expired/)
  })
})

describe('request objects (RFC 9101)', () => {
  test('are accepted with a key of the client; parameters outside of them are ignored', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const app = await clientWith({ jwks: { keys: [(await exportJWK(publicKey)) as never] } })
    const rp = await rpOf(app)
    const sign = (key = privateKey, exp: number | string = '1m') =>
      new SignJWT({
        client_id: app.client_id,
        response_type: 'code',
        redirect_uri: jadrolet.redirect_uri,
        scope: 'openid',
        state: 'signed',
        code_challenge: proofKey().challenge,
        code_challenge_method: 'S256',
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt' })
        .setIssuer(app.client_id)
        .setAudience(rp.serverMetadata().issuer)
        .setExpirationTime(exp)
        .sign(key)
    const send = async (request: string) =>
      follow(ana, `/authorize?${new URLSearchParams({ client_id: app.client_id, request, state: 'outside' })}`)
    const back = await send(await sign())
    expect(back.searchParams.get('state')).toBe('signed')
    expect(back.searchParams.get('code')).toBeTruthy()
    const stranger = (await generateKeyPair('ES256')).privateKey
    for (const wrong of [await sign(stranger), await sign(privateKey, 1), unsigned(await sign())]) {
      const rejected = await send(wrong)
      expect(rejected.searchParams.get('code')).toBeNull()
      expect(rejected.searchParams.get('error')).toBeTruthy()
    }
  })
})

function unsigned(jwt: string): string {
  const [, payload] = jwt.split('.')
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
}

describe('DPoP-bound tokens (RFC 9449)', () => {
  test('are rejected without the proof: userinfo, refresh, introspection', async () => {
    const app = await clientWith({ dpop_bound_access_tokens: true })
    const rp = await rpOf(app)
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const tokens = await signInBy(rp, ana, {}, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const person = await client.fetchUserInfo(rp, tokens.access_token, ana.user.id, { DPoP })
    expect(person).toMatchObject({ name: 'Ana Kovač', email: people.ana.email })
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    const other = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    await expect(client.fetchUserInfo(rp, tokens.access_token, ana.user.id, { DPoP: other })).rejects.toMatchObject({
      status: 401,
    })
    expect(await client.tokenIntrospection(rp, tokens.access_token)).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: expect.any(String) },
    })
    await expect(client.refreshTokenGrant(rp, tokens.refresh_token as string)).rejects.toMatchObject({ status: 400 })
    const next = await client.refreshTokenGrant(rp, tokens.refresh_token as string, undefined, { DPoP })
    expect(next.token_type).toBe('dpop')
  })

  test('are required where the client says so; the refresh token of a public client is bound, too', async () => {
    const app = await clientWith({ dpop_bound_access_tokens: true })
    await expect(signInBy(await rpOf(app), ana)).rejects.toMatchObject({ error: 'invalid_grant' })
    const spa = await organization.app({ type: 'spa' })
    await allow(ana, spa)
    const rp = await relyingParty(server, spa.client_id, undefined, client.None())
    const { url, checks } = await beginBy(rp)
    const interaction = here(await follow(ana, here(url)))
    const consent = await follow(ana, interaction)
    await decide(spa, consent)
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, interaction), checks, undefined, { DPoP })
    const thief = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const refresh = client.refreshTokenGrant(rp, tokens.refresh_token as string, undefined, { DPoP: thief })
    await expect(refresh).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('a proof is accepted once', async () => {
    const app = await clientWith()
    const rp = await rpOf(app)
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const tokens = await signInBy(rp, ana, {}, { DPoP: client.getDPoPHandle(rp, { privateKey, publicKey }) })
    const proof = await new SignJWT({
      jti: crypto.randomUUID(),
      htm: 'GET',
      htu: `${server.config.url}/userinfo`,
      ath: Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(tokens.access_token))).toString(
        'base64url',
      ),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
      .setIssuedAt()
      .sign(privateKey)
    const sendProof = () =>
      server.app.inject({ url: '/userinfo', headers: { authorization: `DPoP ${tokens.access_token}`, dpop: proof } })
    expect((await sendProof()).statusCode).toBe(200)
    expect((await sendProof()).statusCode).toBe(401)
  })
})

async function decide(app: ThirdParty, consent: URL) {
  const uid = consent.searchParams.get('uid') as string
  const scopes = ['openid', 'profile', 'email']
  expect(await ana.call(connections.submitConsent, { client: app.client_id, scopes, uid })).toMatchObject({ ok: true })
}

test('introspection accepts private_key_jwt', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const app = await clientWith({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' } as never] },
  })
  const rp = await relyingParty(server, app.client_id, undefined, client.PrivateKeyJwt({ key: privateKey, kid: 'k' }))
  const tokens = await signInBy(rp, ana)
  expect(await client.tokenIntrospection(rp, tokens.access_token)).toMatchObject({ active: true, sub: ana.user.id })
  const stranger = await relyingParty(
    server,
    app.client_id,
    undefined,
    client.PrivateKeyJwt((await generateKeyPair('ES256')).privateKey),
  )
  await expect(client.tokenIntrospection(stranger, tokens.access_token)).rejects.toMatchObject({ status: 401 })
})
