import { clients, connections } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { House, SignedIn } from '../../test/house.ts'
import { beginBy, openListening, relyingParty, signInBy } from '../../test/listening.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { allow, authorize, follow, here, post, proofKey, type ThirdParty, userinfo } from '../../test/third-party.ts'

let house: House
let ana: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openListening()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house.close())

async function appWith(changes: Partial<clients.Advanced> = {}): Promise<ThirdParty> {
  const app = await organisation.app()
  const put = await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })
  expect(put).toMatchObject({ ok: true })
  await allow(ana, app)
  return app
}
const rpOf = (app: ThirdParty) => relyingParty(house, app.client_id, app.client_secret as string)

describe('§2 requests that are sent ahead (RFC 9126)', () => {
  test('sign a person in, once', async () => {
    const rp = await rpOf(await appWith({ require_pushed_authorization_requests: true }))
    const { url, checks } = await beginBy(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams))
    expect([...pushed.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, here(pushed)), checks)
    expect(tokens.claims()?.sub).toBe(ana.user.id)
    const again = await follow(ana, here(pushed))
    expect(here(again)).toMatch(/^\/oauth\?error=request_expired/)
  })

  test('wait for the person as others do, and are then used up as well', async () => {
    const app = await organisation.app()
    const rp = await rpOf(app)
    const { url, checks } = await beginBy(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams))
    const waiting = here(await follow(ana, here(pushed)))
    expect((await follow(ana, waiting)).pathname).toBe('/oauth')
    // A page may be loaded again as long as nothing has come of it.
    const reloaded = here(await follow(ana, here(pushed)))
    await allow(ana, app)
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, reloaded), checks)
    expect(tokens.access_token).toBeTruthy()
    expect(here(await follow(ana, here(pushed)))).toMatch(/^\/oauth\?error=request_expired/)
  })

  test('are not taken twice by two browsers at once', async () => {
    const rp = await rpOf(await appWith())
    const { url } = await beginBy(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, Object.fromEntries(url.searchParams))
    const answers = await Promise.all([0, 1, 2].map(() => follow(ana, here(pushed))))
    expect(answers.filter((answer) => answer.searchParams.has('code'))).toHaveLength(1)
  })

  test('must be used where the app says so, need proof, and end after a minute', async () => {
    const app = await appWith({ require_pushed_authorization_requests: true })
    expect((await authorize(ana, app)).searchParams.get('error')).toBe('invalid_request')
    const form = { response_type: 'code', redirect_uri: jadrolet.redirect_uri, scope: 'openid' }
    const { challenge } = proofKey()
    const { client_id } = app
    const whole = { ...form, client_id, code_challenge: challenge, code_challenge_method: 'S256' }
    const wrong = await post(house, { ...app, client_secret: 'wrong' }, '/par', whole)
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    const bad = await post(house, app, '/par', { ...whole, redirect_uri: 'https://evil.example/' })
    expect([bad.statusCode, bad.json().error]).toEqual([400, 'invalid_request'])
    const good = await post(house, app, '/par', whole)
    expect(good.json()).toMatchObject({ expires_in: 60 })
    house.clock.advance(61)
    const late = await follow(
      ana,
      `/authorize?${new URLSearchParams({ client_id, request_uri: good.json().request_uri })}`,
    )
    expect(here(late)).toMatch(/^\/oauth\?error=request_expired/)
  })
})

describe('§2 signed requests (RFC 9101)', () => {
  test('are taken with the key of the app, and nothing outside of them counts', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const app = await appWith({ jwks: { keys: [(await exportJWK(publicKey)) as never] } })
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
      const refused = await send(wrong)
      expect(refused.searchParams.get('code')).toBeNull()
      expect(refused.searchParams.get('error')).toBeTruthy()
    }
  })
})

function unsigned(jwt: string): string {
  const [, payload] = jwt.split('.')
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
}

describe('§2 tokens bound to a key (RFC 9449)', () => {
  test('are worth nothing without it: userinfo, refresh, introspection', async () => {
    const app = await appWith({ dpop_bound_access_tokens: true })
    const rp = await rpOf(app)
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const tokens = await signInBy(rp, ana, {}, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const person = await client.fetchUserInfo(rp, tokens.access_token, ana.user.id, { DPoP })
    expect(person).toMatchObject({ name: 'Ana Kovač', email: people.ana.email })
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
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

  test('are not given without a proof where the app requires one; a public app’s refresh token is bound, too', async () => {
    const app = await appWith({ dpop_bound_access_tokens: true })
    await expect(signInBy(await rpOf(app), ana)).rejects.toMatchObject({ error: 'invalid_grant' })
    const spa = await organisation.app({ type: 'spa' })
    await allow(ana, spa)
    const rp = await relyingParty(house, spa.client_id, undefined, client.None())
    const { url, checks } = await beginBy(rp)
    const waiting = here(await follow(ana, here(url)))
    const consent = await follow(ana, waiting)
    await decide(spa, consent)
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const tokens = await client.authorizationCodeGrant(rp, await follow(ana, waiting), checks, undefined, { DPoP })
    const thief = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const refresh = client.refreshTokenGrant(rp, tokens.refresh_token as string, undefined, { DPoP: thief })
    await expect(refresh).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('a proof is taken once', async () => {
    const app = await appWith()
    const rp = await rpOf(app)
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const tokens = await signInBy(rp, ana, {}, { DPoP: client.getDPoPHandle(rp, { privateKey, publicKey }) })
    const proof = await new SignJWT({
      jti: crypto.randomUUID(),
      htm: 'GET',
      htu: `${house.config.url}/userinfo`,
      ath: Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(tokens.access_token))).toString(
        'base64url',
      ),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
      .setIssuedAt()
      .sign(privateKey)
    const ask = () =>
      house.app.inject({ url: '/userinfo', headers: { authorization: `DPoP ${tokens.access_token}`, dpop: proof } })
    expect((await ask()).statusCode).toBe(200)
    expect((await ask()).statusCode).toBe(401)
  })
})

async function decide(app: ThirdParty, consent: URL) {
  const uid = consent.searchParams.get('uid') as string
  const scopes = ['openid', 'profile', 'email']
  expect(await ana.call(connections.putConsent, { client: app.client_id, scopes, uid })).toMatchObject({ ok: true })
}

test('§2 whoever asks about a token may prove itself by its key', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const app = await appWith({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' } as never] },
  })
  const rp = await relyingParty(house, app.client_id, undefined, client.PrivateKeyJwt({ key: privateKey, kid: 'k' }))
  const tokens = await signInBy(rp, ana)
  expect(await client.tokenIntrospection(rp, tokens.access_token)).toMatchObject({ active: true, sub: ana.user.id })
  const stranger = await relyingParty(
    house,
    app.client_id,
    undefined,
    client.PrivateKeyJwt((await generateKeyPair('ES256')).privateKey),
  )
  await expect(client.tokenIntrospection(stranger, tokens.access_token)).rejects.toMatchObject({ status: 401 })
})
