import { clients } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allow, codeFor, follow, post, proofKey } from '../../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

const redirect_uri = 'https://jadrolet.example/callback'
const ALGORITHMS = ['ES256', 'RS256', 'PS256'] as const
type Algorithm = (typeof ALGORITHMS)[number]

/** A client that authenticates with one key for each algorithm, none of which names its algorithm. */
async function clientWithKeys(changes: Partial<clients.Advanced> = {}) {
  const app = { ...(await organization.app({ redirect_uri })), redirect_uri }
  const pairs = await Promise.all(ALGORITHMS.map((alg) => generateKeyPair(alg, { extractable: true })))
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }, at) => ({ ...(await exportJWK(publicKey)), kid: ALGORITHMS[at] as string })),
  )
  const set = (settings: Partial<clients.Advanced>) =>
    ana.call(clients.updateAdvanced, { id: app.client_id, ...settings })
  const jwks = { keys } as clients.Advanced['jwks']
  expect(await set({ token_endpoint_auth_method: 'private_key_jwt', jwks, ...changes })).toMatchObject({ ok: true })
  await allow(ana, app)
  const sign = (alg: Algorithm, claims: Record<string, unknown>) =>
    new SignJWT({ jti: crypto.randomUUID(), iss: app.client_id, aud: server.config.url, nbf: now(), ...claims })
      .setProtectedHeader({ alg, kid: alg })
      .setExpirationTime('1m')
      .sign((pairs[ALGORITHMS.indexOf(alg)] as (typeof pairs)[number]).privateKey)
  /** Posts the form with a client assertion; resolves with status and error. */
  const authenticated = async (
    url: string,
    form: Record<string, string>,
    alg: Algorithm,
    claims: object = {},
    node: Pick<TestServer, 'app'> = server,
    headers: Record<string, string> = {},
  ) => {
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const client_assertion = await sign(alg, { sub: app.client_id, ...claims })
    const answer = await post(node, app, url, { ...form, client_assertion, client_assertion_type }, headers)
    return [answer.statusCode, answer.body === '' ? undefined : answer.json().error]
  }
  return { app, set, sign, authenticated }
}

const now = () => Math.floor(Date.now() / 1000)
const OK = [200, undefined]
const INVALID_CLIENT = [401, 'invalid_client']

describe('the audience of a client assertion', () => {
  test('is the issuer or the token endpoint, as a single value', async () => {
    const { app, authenticated } = await clientWithKeys()
    const revoke = (aud: unknown) => authenticated('/revoke', { token: 'unknown' }, 'ES256', { aud })
    const { url } = server.config
    for (const aud of [url, `${url}/token`]) expect([aud, await revoke(aud)]).toEqual([aud, OK])
    const { form } = await codeFor(ana, app)
    expect(await authenticated('/token', form, 'ES256', { aud: `${url}/token` })).toEqual(OK)
    for (const aud of [[url], [url, `${url}/token`], `${url}/revoke`, `${url}/`, 'https://other.example/token']) {
      expect([aud, await revoke(aud)]).toEqual([aud, INVALID_CLIENT])
    }
  })

  test('is also the token endpoint for client certificates, where the operator has set it up', async () => {
    const mtls = { VRATA_MTLS_HEADER: 'X-Client-Cert pem', VRATA_MTLS_URL: 'https://mtls.vrata.example' }
    const node = await server.secondNode(mtls)
    const { authenticated } = await clientWithKeys()
    const aud = 'https://mtls.vrata.example/token'
    const form = { token: 'unknown' }
    const host = { host: 'mtls.vrata.example' }
    expect(await authenticated('/revoke', form, 'ES256', { aud }, node, host)).toEqual(OK)
    expect(await authenticated('/revoke', form, 'ES256', { aud }, server, host)).toEqual(INVALID_CLIENT)
    await node.close()
  })

  test('is the issuer alone with the security profile fapi2', async () => {
    const { authenticated } = await clientWithKeys({ security_profile: 'fapi2' })
    const { url } = server.config
    const push = (aud: unknown) => authenticated('/revoke', { token: 'unknown' }, 'ES256', { aud })
    expect(await push(url)).toEqual(OK)
    for (const aud of [`${url}/token`, [url], `${url}/par`])
      expect([aud, await push(aud)]).toEqual([aud, INVALID_CLIENT])
  })
})

describe('the algorithm of a client assertion', () => {
  test('is the registered token_endpoint_auth_signing_alg at every endpoint', async () => {
    const { app, set, authenticated } = await clientWithKeys()
    const request = {
      response_type: 'code',
      redirect_uri,
      code_challenge: proofKey().challenge,
      code_challenge_method: 'S256',
    }
    const endpoints: [string, Record<string, string>, number][] = [
      ['/revoke', { token: 'unknown' }, 200],
      ['/introspect', { token: 'unknown' }, 200],
      ['/par', { ...request, client_id: app.client_id }, 201],
    ]
    for (const [url, form, success] of endpoints) {
      for (const alg of ALGORITHMS)
        expect([url, alg, (await authenticated(url, form, alg))[0]]).toEqual([url, alg, success])
    }
    expect(await set({ token_endpoint_auth_signing_alg: 'PS256' })).toMatchObject({
      data: { token_endpoint_auth_signing_alg: 'PS256' },
    })
    for (const [url, form, success] of endpoints) {
      expect([url, (await authenticated(url, form, 'PS256'))[0]]).toEqual([url, success])
      for (const alg of ['ES256', 'RS256'] as const) {
        expect([url, alg, await authenticated(url, form, alg)]).toEqual([url, alg, INVALID_CLIENT])
      }
    }
  })

  test('is not RS256 with the security profile fapi2', async () => {
    const { authenticated } = await clientWithKeys({ security_profile: 'fapi2' })
    for (const [alg, outcome] of [
      ['ES256', OK],
      ['PS256', OK],
      ['RS256', INVALID_CLIENT],
    ] as const) {
      expect([alg, await authenticated('/revoke', { token: 'unknown' }, alg)]).toEqual([alg, outcome])
    }
  })
})

describe('the algorithm of a request object', () => {
  test('is the registered request_object_signing_alg', async () => {
    const { app, set, sign, authenticated } = await clientWithKeys()
    const claims = () => ({
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri,
      scope: 'openid',
      code_challenge: proofKey().challenge,
      code_challenge_method: 'S256',
    })
    const send = async (alg: Algorithm) => {
      const request = await sign(alg, claims())
      const back = await follow(ana, `/authorize?${new URLSearchParams({ client_id: app.client_id, request })}`)
      return back.searchParams.has('code') ? 'code' : back.searchParams.get('error')
    }
    for (const alg of ALGORITHMS) expect([alg, await send(alg)]).toEqual([alg, 'code'])
    await set({ request_object_signing_alg: 'ES256' })
    expect([await send('ES256'), await send('RS256'), await send('PS256')]).toEqual([
      'code',
      // On our error page, because the redirect URI is only in the rejected request.
      'invalid_request',
      'invalid_request',
    ])
    const pushed = async (alg: Algorithm) =>
      await authenticated('/par', { request: await sign(alg, claims()) }, 'ES256')
    expect([await pushed('ES256'), await pushed('RS256')]).toEqual([
      [201, undefined],
      [400, 'invalid_request_object'],
    ])
    await set({ request_object_signing_alg: null, security_profile: 'fapi2' })
    expect(await pushed('PS256')).toEqual([201, undefined])
    expect(await pushed('RS256')).toEqual([400, 'invalid_request_object'])
  })
})
