import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clients } from '@vrata/contract'
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { House, SignedIn } from '../../test/house.ts'
import { openListening, relyingParty, signInBy } from '../../test/listening.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, codeFor, credentials, post } from '../../test/third-party.ts'

let house: House
let ana: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openListening()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house.close())

type Pair = Awaited<ReturnType<typeof keyPair>>
async function keyPair(alg = 'ES256', kid = 'one') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, kid, alg, jwk: { ...(await exportJWK(publicKey)), kid, alg } as never }
}

async function put(client_id: string, changes: Partial<clients.Advanced>) {
  const answer = await ana.call(clients.updateAdvanced, { id: client_id, ...changes })
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
}

/** An app that proves itself by this key. */
async function appWith(pair: Pair, changes: Partial<clients.Advanced> = { jwks: { keys: [pair.jwk] } }) {
  const app = await organisation.app()
  await put(app.client_id, { token_endpoint_auth_method: 'private_key_jwt', ...changes })
  await allow(ana, app)
  return app
}

const proofWith = ({ privateKey, kid }: Pair) => client.PrivateKeyJwt({ key: privateKey, kid })

describe('§6 an app that proves itself by its key', () => {
  test.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('signs people in with %s', async (alg) => {
    const pair = await keyPair(alg)
    const app = await appWith(pair)
    const rp = await relyingParty(house, app.client_id, undefined, proofWith(pair))
    const tokens = await signInBy(rp, ana)
    expect(tokens.claims()?.sub).toBe(ana.user.id)
    await client.refreshTokenGrant(rp, tokens.refresh_token as string)
    await client.tokenRevocation(rp, tokens.access_token)
  })

  test('is refused with another key, with its former secret, and with nothing', async () => {
    const app = await appWith(await keyPair())
    const refused = { status: 401, error: 'invalid_client' }
    const stranger = await relyingParty(house, app.client_id, undefined, proofWith(await keyPair()))
    await expect(signInBy(stranger, ana)).rejects.toMatchObject(refused)
    const secret = app.client_secret as string
    for (const proof of [client.ClientSecretBasic(secret), client.ClientSecretPost(secret), client.None()]) {
      await expect(signInBy(await relyingParty(house, app.client_id, undefined, proof), ana)).rejects.toThrow()
    }
    const form = { token: 'whatever' }
    expect((await post(house, app, '/introspect', form, credentials(app))).statusCode).toBe(401)
  })

  test('shows each proof once, made for us alone, and for a short time', async () => {
    const pair = await keyPair()
    const app = await appWith(pair)
    const proof = (claims: Record<string, unknown> = {}) =>
      new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: pair.kid })
        .setIssuer(app.client_id)
        .setSubject(app.client_id)
        .setAudience((claims.aud as string) ?? house.config.url)
        .setIssuedAt()
        .setExpirationTime((claims.exp as number) ?? '1m')
        .sign(pair.privateKey)
    const exchange = async (client_assertion: string) => {
      const { form } = await codeFor(ana, app)
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      return post(house, app, '/token', { ...form, client_assertion, client_assertion_type }, {})
    }
    const once = await proof()
    expect((await exchange(once)).statusCode).toBe(200)
    // A clock may go a little before ours.
    expect((await exchange(await proof({ nbf: Math.floor(Date.now() / 1000) + 8 }))).statusCode).toBe(200)
    for (const wrong of [
      once,
      await proof({ aud: `${house.config.url}/token` }),
      await proof({ aud: [house.config.url, 'https://other.example'] }),
      await proof({ exp: Math.floor(Date.now() / 1000) - 11 }),
      await proof({ nbf: Math.floor(Date.now() / 1000) + 60 }),
      await proof({ exp: Math.floor(Date.now() / 1000) + 2 * 3600 }),
    ]) {
      const answer = await exchange(wrong)
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
    }
    const raced = await proof()
    const answers = await Promise.all([exchange(raced), exchange(raced), exchange(raced)])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('may keep its keys at an address of its own, and change them there', async () => {
    const first = await keyPair('ES256', 'first')
    const second = await keyPair('ES256', 'second')
    const keys = await keysAt([first])
    const app = await appWith(first, { jwks_uri: keys.url })
    await signInBy(await relyingParty(house, app.client_id, undefined, proofWith(first)), ana)
    await signInBy(await relyingParty(house, app.client_id, undefined, proofWith(first)), ana)
    expect(keys.asked()).toBe(1)
    await expect(
      signInBy(await relyingParty(house, app.client_id, undefined, proofWith(second)), ana),
    ).rejects.toMatchObject({ error: 'invalid_client' })
    keys.close()
  })

  test('is refused when its address does not answer, and nothing else breaks', async () => {
    const pair = await keyPair()
    const app = await appWith(pair, { jwks_uri: 'http://localhost:1/jwks' })
    const rp = await relyingParty(house, app.client_id, undefined, proofWith(pair))
    await expect(signInBy(rp, ana)).rejects.toMatchObject({ error: 'invalid_client' })
  })
})

describe('§6 the algorithm of ID tokens', () => {
  test.each(clients.SIGNING_ALGORITHMS)('is %s for an app that asks for it', async (alg) => {
    const app = await organisation.app()
    await allow(ana, app)
    await put(app.client_id, { id_token_signed_response_alg: alg })
    const rp = await relyingParty(
      house,
      app.client_id,
      { id_token_signed_response_alg: alg },
      client.ClientSecretBasic(app.client_secret as string),
    )
    client.enableNonRepudiationChecks(rp)
    const tokens = await signInBy(rp, ana)
    expect(decodeProtectedHeader(tokens.id_token as string).alg).toBe(alg)
  })
})

test('§5 without PKCE a nonce can be asked for', async () => {
  const app = await organisation.app()
  await allow(ana, app)
  await put(app.client_id, { require_pkce: false, require_nonce: true })
  const without = { code_challenge: undefined, code_challenge_method: undefined }
  const { back } = await codeFor(ana, app, { ...without, nonce: 'n' } as never)
  expect(back.searchParams.get('code')).toBeTruthy()
  await expect(codeFor(ana, app, without as never)).rejects.toThrow(/error=invalid_request/)
})

async function keysAt(pairs: Pair[]) {
  let asked = 0
  const server: Server = createServer((_, response) => {
    asked += 1
    response.setHeader('content-type', 'application/jwk-set+json')
    response.end(JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) }))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/jwks`, asked: () => asked, close: () => server.close() }
}

describe('an app that needs one key for its refresh token and another for what it gets', () => {
  test('keeps its refresh token for as long as it uses it, and no longer', async () => {
    const pair = await keyPair()
    const app = await appWith(pair, { jwks: { keys: [pair.jwk] }, dpop_bound_access_tokens: true })
    await put(app.client_id, { refresh_token_ttl: 3600 })
    const rp = await relyingParty(house, app.client_id, undefined, proofWith(pair))
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const { refresh_token = '' } = await signInBy(rp, ana, {}, { DPoP })
    for (let hours = 0; hours < 3; hours++) {
      house.clock.advance(3000)
      const renewed = await client.refreshTokenGrant(rp, refresh_token, {}, { DPoP })
      expect(renewed.refresh_token).toBe(refresh_token)
    }
    house.clock.advance(3601)
    await expect(client.refreshTokenGrant(rp, refresh_token, {}, { DPoP })).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})
