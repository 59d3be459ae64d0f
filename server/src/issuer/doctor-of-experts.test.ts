import { clients, refusals } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { allow, authorizeUrl, codeFor, post, proofKey, type ThirdParty } from '../../test/third-party.ts'

let house: House
let ana: SignedIn
let app: ThirdParty
let key: Awaited<ReturnType<typeof pair>>
beforeAll(async () => {
  house = await openHouse()
  key = await pair()
})
afterAll(() => house?.close())
beforeEach(async () => {
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
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
  const answer = await ana.call(refusals.listRefusals, { id: app.client_id })
  return answer.ok && answer.data.map(({ reason, detail }) => [reason, detail])
}

const ask = (params: Record<string, string | undefined>) => ana.request({ url: authorizeUrl(app, params) })

describe('§7 a request that is sent ahead', () => {
  const whole = () => ({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: jadrolet.redirect_uri,
    scope: 'openid',
    code_challenge: proofKey().challenge,
    code_challenge_method: 'S256',
  })

  test('was not, where it must be', async () => {
    await set({ require_pushed_authorization_requests: true })
    await ask({})
    expect(await reasons()).toEqual([['par_required', '']])
  })

  test('is refused as in the browser: the address, the scope, the secret', async () => {
    await post(house, app, '/par', { ...whole(), redirect_uri: 'https://jadrolet.example/cb' })
    await post(house, app, '/par', { ...whole(), scope: 'openid phone' })
    await post(house, { ...app, client_secret: 'vrts_wrong' }, '/par', whole())
    expect(((await reasons()) || []).toSorted()).toEqual([
      ['redirect_uri', 'https://jadrolet.example/cb'],
      ['scope', 'phone'],
      ['secret_wrong', ''],
    ])
  })

  test('has run out', async () => {
    const { request_uri } = (await post(house, app, '/par', whole())).json()
    house.clock.advance(61)
    await ana.request({ url: `/authorize?${new URLSearchParams({ client_id: app.client_id, request_uri })}` })
    expect(await reasons()).toEqual([['request_uri', '']])
  })
})

describe('§7 a signed request', () => {
  const signed = (claims: object, by = key.privateKey) =>
    new SignJWT({ client_id: app.client_id, response_type: 'code', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(app.client_id)
      .setAudience(house.config.url)
      .setExpirationTime('1m')
      .sign(by)

  test('is for another app, or signed with a key that nobody registered', async () => {
    await set({ jwks: { keys: [key.jwk] } })
    await ask({ request: await signed({ client_id: 'vrt_other' }) })
    expect(await reasons()).toEqual([['request_object', expect.stringMatching(/client_id/)]])
    await ask({ request: await signed({}, (await pair()).privateKey) })
    expect(await reasons()).toContainEqual(['request_object', 'signature verification failed'])
  })
})

describe('§7 an app that proves itself by its key', () => {
  const assertion = (claims: Record<string, unknown> = {}, by = key.privateKey) =>
    new SignJWT({ iss: app.client_id, sub: app.client_id, aud: house.config.url, jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(by)
  async function exchange(client_assertion?: string) {
    const { form } = await codeFor(ana, app)
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    if (!client_assertion) return post(house, app, '/token', form)
    return post(house, app, '/token', { ...form, client_assertion, client_assertion_type }, {})
  }
  beforeEach(() => set({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } }))

  test('sends its former secret', async () => {
    await exchange()
    expect(await reasons()).toEqual([['assertion_missing', '']])
  })

  test('signs with another key, for another server, or shows a proof again', async () => {
    await exchange(await assertion({}, (await pair()).privateKey))
    expect(await reasons()).toEqual([['assertion', expect.any(String)]])
    await exchange(await assertion({ iss: 'vrt_other' }))
    expect(await reasons()).toContainEqual(['assertion', 'iss (JWT issuer) must be the client_id'])
    const once = await assertion()
    for (const _ of [1, 2]) await exchange(once)
    expect(await reasons()).toContainEqual(['assertion', 'client assertion tokens must only be used once'])
  })
})

describe('§7 tokens that are bound to a key', () => {
  beforeEach(() => set({ dpop_bound_access_tokens: true }))

  test('are asked for without a proof, or with a wrong one', async () => {
    const exchange = async (headers: Record<string, string>) => {
      const { form } = await codeFor(ana, app)
      const authorization = `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`
      return await post(house, app, '/token', form, { authorization, ...headers })
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
})
