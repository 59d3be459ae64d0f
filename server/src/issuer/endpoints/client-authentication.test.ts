import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clients } from '@vrata/contract'
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingParty, signInBy, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, credentials, post } from '../../../test/third-party.ts'
import { FETCH_AGAIN } from '../keys/client-keys.ts'

let testServer: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  testServer = await startListeningServer()
  ana = await testServer.as(people.ana)
  organization = await createOrganization(testServer, ana)
})
afterAll(() => testServer.close())

type Pair = Awaited<ReturnType<typeof keyPair>>
async function keyPair(alg = 'ES256', kid = 'one') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, kid, alg, jwk: { ...(await exportJWK(publicKey)), kid, alg } as never }
}

async function configure(client_id: string, changes: Partial<clients.Advanced>) {
  const answer = await ana.call(clients.updateAdvanced, { id: client_id, ...changes })
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
}

/** A client that authenticates with this key. */
async function clientWith(pair: Pair, changes: Partial<clients.Advanced> = { jwks: { keys: [pair.jwk] } }) {
  const app = await organization.app()
  await configure(app.client_id, { token_endpoint_auth_method: 'private_key_jwt', ...changes })
  await allow(ana, app)
  return app
}

const authenticationWith = ({ privateKey, kid }: Pair) => client.PrivateKeyJwt({ key: privateKey, kid })

describe('private_key_jwt', () => {
  test.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('authenticates with %s', async (alg) => {
    const pair = await keyPair(alg)
    const app = await clientWith(pair)
    const rp = await relyingParty(testServer, app.client_id, undefined, authenticationWith(pair))
    const tokens = await signInBy(rp, ana)
    expect(tokens.claims()?.sub).toBe(ana.user.id)
    await client.refreshTokenGrant(rp, tokens.refresh_token as string)
    await client.tokenRevocation(rp, tokens.access_token)
  })

  test('rejects another key, the former secret and no authentication', async () => {
    const app = await clientWith(await keyPair())
    const rejected = { status: 401, error: 'invalid_client' }
    const stranger = await relyingParty(testServer, app.client_id, undefined, authenticationWith(await keyPair()))
    await expect(signInBy(stranger, ana)).rejects.toMatchObject(rejected)
    const secret = app.client_secret as string
    for (const method of [client.ClientSecretBasic(secret), client.ClientSecretPost(secret), client.None()]) {
      await expect(signInBy(await relyingParty(testServer, app.client_id, undefined, method), ana)).rejects.toThrow()
    }
    const form = { token: 'whatever' }
    expect((await post(testServer, app, '/introspect', form, credentials(app))).statusCode).toBe(401)
  })

  test('accepts each assertion once, for a single audience and for a short time', async () => {
    const pair = await keyPair()
    const app = await clientWith(pair)
    const assertion = (claims: Record<string, unknown> = {}) =>
      new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: pair.kid })
        .setIssuer(app.client_id)
        .setSubject(app.client_id)
        .setAudience((claims.aud as string) ?? testServer.config.url)
        .setIssuedAt()
        .setExpirationTime((claims.exp as number) ?? '1m')
        .sign(pair.privateKey)
    const exchange = async (client_assertion: string) => {
      const { form } = await codeFor(ana, app)
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      return post(testServer, app, '/token', { ...form, client_assertion, client_assertion_type }, {})
    }
    const once = await assertion()
    expect((await exchange(once)).statusCode).toBe(200)
    // The clock of the client may be a little ahead.
    expect((await exchange(await assertion({ nbf: Math.floor(Date.now() / 1000) + 8 }))).statusCode).toBe(200)
    for (const wrong of [
      once,
      await assertion({ aud: `${testServer.config.url}/revoke` }),
      await assertion({ aud: [testServer.config.url, 'https://other.example'] }),
      await assertion({ exp: Math.floor(Date.now() / 1000) - 11 }),
      await assertion({ nbf: Math.floor(Date.now() / 1000) + 60 }),
      await assertion({ exp: Math.floor(Date.now() / 1000) + 2 * 3600 }),
    ]) {
      const answer = await exchange(wrong)
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
    }
    const raced = await assertion()
    const answers = await Promise.all([exchange(raced), exchange(raced), exchange(raced)])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('keys are fetched from jwks_uri and may change there', async () => {
    const first = await keyPair('ES256', 'first')
    const second = await keyPair('ES256', 'second')
    const keys = await keysAt([first])
    const app = await clientWith(first, { jwks_uri: keys.url })
    await signInBy(await relyingParty(testServer, app.client_id, undefined, authenticationWith(first)), ana)
    await signInBy(await relyingParty(testServer, app.client_id, undefined, authenticationWith(first)), ana)
    expect(keys.asked()).toBe(1)
    await expect(
      signInBy(await relyingParty(testServer, app.client_id, undefined, authenticationWith(second)), ana),
    ).rejects.toMatchObject({ error: 'invalid_client' })
    keys.close()
  })

  test('a key that the client has just published at jwks_uri is fetched when it signs', async () => {
    const [first, second, unpublished] = [
      await keyPair('ES256', 'first'),
      await keyPair('ES256', 'second'),
      await keyPair('ES256', 'unpublished'),
    ]
    const published = [first]
    const keys = await keysAt(published)
    const app = await clientWith(first, { jwks_uri: keys.url })
    const signInWith = async (pair: Pair) =>
      await signInBy(await relyingParty(testServer, app.client_id, undefined, authenticationWith(pair)), ana)
    const { milliseconds } = FETCH_AGAIN
    FETCH_AGAIN.milliseconds = 0
    try {
      await signInWith(first)
      published.push(second)
      await signInWith(second)
      await signInWith(first)
      expect(keys.asked()).toBe(2)
      FETCH_AGAIN.milliseconds = 600_000
      // Also while signatures with a key that is not published arrive.
      for (let times = 0; times < 3; times += 1)
        await expect(signInWith(unpublished)).rejects.toMatchObject({ error: 'invalid_client' })
      expect(keys.asked()).toBe(3)
      await signInWith(second)
      expect(keys.asked()).toBe(3)
    } finally {
      FETCH_AGAIN.milliseconds = milliseconds
      keys.close()
    }
  })

  test('is rejected when jwks_uri does not answer', async () => {
    const pair = await keyPair()
    const app = await clientWith(pair, { jwks_uri: 'http://localhost:1/jwks' })
    const rp = await relyingParty(testServer, app.client_id, undefined, authenticationWith(pair))
    await expect(signInBy(rp, ana)).rejects.toMatchObject({ error: 'invalid_client' })
  })
})

describe('the algorithm of ID tokens', () => {
  test.each(clients.SIGNING_ALGORITHMS)('is %s for a client that registers it', async (alg) => {
    const app = await organization.app()
    await allow(ana, app)
    await configure(app.client_id, { id_token_signed_response_alg: alg })
    const rp = await relyingParty(
      testServer,
      app.client_id,
      { id_token_signed_response_alg: alg },
      client.ClientSecretBasic(app.client_secret as string),
    )
    client.enableNonRepudiationChecks(rp)
    const tokens = await signInBy(rp, ana)
    expect(decodeProtectedHeader(tokens.id_token as string).alg).toBe(alg)
  })
})

test('without PKCE a nonce can be required', async () => {
  const app = await organization.app()
  await allow(ana, app)
  await configure(app.client_id, { require_pkce: false, require_nonce: true })
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

describe('a client with private_key_jwt and DPoP-bound tokens', () => {
  test('keeps its refresh token while it uses it, up to the idle lifetime', async () => {
    const pair = await keyPair()
    const app = await clientWith(pair, { jwks: { keys: [pair.jwk] }, dpop_bound_access_tokens: true })
    await configure(app.client_id, { refresh_token_ttl: 3600 })
    const rp = await relyingParty(testServer, app.client_id, undefined, authenticationWith(pair))
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const { refresh_token = '' } = await signInBy(rp, ana, {}, { DPoP })
    for (let hours = 0; hours < 3; hours++) {
      testServer.clock.advance(3000)
      const renewed = await client.refreshTokenGrant(rp, refresh_token, {}, { DPoP })
      expect(renewed.refresh_token).toBe(refresh_token)
    }
    testServer.clock.advance(3601)
    await expect(client.refreshTokenGrant(rp, refresh_token, {}, { DPoP })).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})
