import { clientDiagnostics, clients, scopes } from '@vrata/contract'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilEddsaIsPublished } from '../../../test/keys/published-keys.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, credentials, post, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** Zapiski is an API with one scope and an address; the reader is an app of another maker with this and other scopes. */
const API = 'https://api.zapiski.example'
const REQUESTED = 'openid email zapiski.read'
const JWT = 'application/token-introspection+jwt'
let server: TestServer
let ana: SignedIn
let organization: Organization
let zapiski: ThirdParty
let reader: ThirdParty

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  zapiski = await organization.app({ name: 'Zapiski' })
  const id = zapiski.client_id
  good(await ana.call(scopes.defineScope, { id, key: 'zapiski.read', title: { 'sl-SI': 'Branje zapiskov' } }))
  good(await ana.call(scopes.addResource, { id, identifier: API, name: 'Zapiski', scopes: ['zapiski.read'] }))
  reader = await organization.app({ name: 'Bralka' })
  good(await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: REQUESTED.split(' ') }))
  await allow(ana, reader, REQUESTED)
})
afterAll(() => server.close())

const introspect = (by: ThirdParty, token: string, accept = JWT) =>
  post(server, by, '/introspect', { token }, { ...credentials(by), accept })

/** The claims of a response that is signed for this client by Vrata's published keys. */
async function verified(body: string, audience: string, alg = 'RS256') {
  const keys = createLocalJWKSet((await server.app.inject('/jwks')).json())
  const terms = { issuer: server.config.url, audience, algorithms: [alg], typ: 'token-introspection+jwt' }
  return (await jwtVerify(body, keys, terms)).payload
}

describe('signed introspection (RFC 9701)', () => {
  test('answers a request for a JWT, with the registered algorithm or RS256', async () => {
    const { access_token } = await signInTo(server, ana, reader, { scope: REQUESTED })
    const plain = (await introspect(reader, access_token, 'application/json')).json()
    expect(plain).toMatchObject({ active: true, sub: ana.user.id })
    for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      const id = reader.client_id
      if (alg !== 'RS256') good(await ana.call(clients.updateAdvanced, { id, introspection_signed_response_alg: alg }))
      if (alg === 'EdDSA') await untilEddsaIsPublished(server)
      const answer = await introspect(reader, access_token)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, JWT])
      // Neither sub nor exp: the response must not resemble an access token (§5, §8.1).
      expect(await verified(answer.body, reader.client_id, alg)).toEqual({
        iss: server.config.url,
        aud: reader.client_id,
        iat: expect.any(Number),
        token_introspection: plain,
      })
    }
    good(await ana.call(clients.updateAdvanced, { id: reader.client_id, introspection_signed_response_alg: null }))
  })

  test.each([
    ['the media type alone', JWT, true],
    ['another case of letters', 'Application/Token-Introspection+JWT', true],
    ['JSON as the second choice', `${JWT}, application/json;q=0.5`, true],
    ['JSON as the first choice', `application/json, ${JWT};q=0.5`, false],
    ['any media type', '*/*', false],
  ])('is requested by Accept, which names %s (§4)', async (_, accept, isSigned) => {
    const { body } = await introspect(reader, 'unknown', accept)
    if (!isSigned) return expect(JSON.parse(body)).toEqual({ active: false })
    expect(await verified(body, reader.client_id)).toMatchObject({ token_introspection: { active: false } })
  })

  test('is addressed to the resource server that asks, which sees its own scopes only (§5)', async () => {
    const { access_token } = await signInTo(server, ana, reader, { scope: REQUESTED })
    const { token_introspection, ...claims } = await verified(
      (await introspect(zapiski, access_token)).body,
      zapiski.client_id,
    )
    expect(claims).toEqual({ iss: server.config.url, aud: zapiski.client_id, iat: expect.any(Number) })
    expect(token_introspection).toEqual({
      active: true,
      iss: server.config.url,
      sub: ana.user.id,
      client_id: reader.client_id,
      scope: 'zapiski.read',
      iat: expect.any(Number),
      exp: expect.any(Number),
      token_type: 'Bearer',
    })
  })

  test('has the audience of an access token inside, and the caller outside (§5)', async () => {
    const access_token = await tokenForApi()
    const payload = await verified((await introspect(zapiski, access_token)).body, zapiski.client_id)
    expect(payload).toEqual({
      iss: server.config.url,
      aud: zapiski.client_id,
      iat: expect.any(Number),
      token_introspection: expect.objectContaining({ active: true, aud: API, scope: 'zapiski.read' }),
    })
  })

  test('has nothing but active: false for a token that is invalid or not for the caller (§5)', async () => {
    const stranger = await organization.app({ name: 'Tujka' })
    const issued = await signInTo(server, ana, reader, { scope: REQUESTED })
    const revoked = await signInTo(server, ana, reader, { scope: REQUESTED })
    await post(server, reader, '/revoke', { token: revoked.access_token })
    const asked: [string, ThirdParty, string][] = [
      ['unknown', reader, 'unknown'],
      ['revoked', reader, revoked.access_token],
      ['without a scope of the caller', stranger, issued.access_token],
      ['for another API', stranger, await tokenForApi()],
      ['an ID token', reader, issued.id_token],
    ]
    for (const [name, by, token] of asked) {
      const { token_introspection } = await verified((await introspect(by, token)).body, by.client_id)
      expect([name, token_introspection]).toEqual([name, { active: false }])
    }
  })

  test('is not accepted as an access token (§8.1)', async () => {
    const { access_token } = await signInTo(server, ana, reader, { scope: REQUESTED })
    const { body } = await introspect(reader, access_token)
    expect((await userinfo(server, body)).statusCode).toBe(401)
    expect((await introspect(reader, body, 'application/json')).json()).toEqual({ active: false })
  })

  test('needs client authentication, and answers errors as JSON', async () => {
    const app = await organization.app()
    const { client_id } = app
    const missing = await post(server, app, '/introspect', { token: 'x', client_id }, { accept: JWT })
    expect([missing.statusCode, missing.json().error]).toEqual([400, 'invalid_request'])
    const inBrowser = await organization.app({ type: 'spa', redirect_uri: 'https://jadrolet.example/' })
    const publicly = await introspect({ ...inBrowser, client_secret: null }, 'x')
    expect([publicly.statusCode, publicly.json().error]).toEqual([400, 'invalid_request'])
    const wrong = await introspect({ ...app, client_secret: 'wrong' }, 'x')
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    const refusals = good(await ana.call(clientDiagnostics.listClientErrors, { id: client_id }))
    expect(refusals.map(({ reason }) => reason).sort()).toEqual(['secret_missing', 'secret_wrong'])
  })

  test('has nothing but active: false for an expired token (§5)', async () => {
    const { access_token, expires_in } = await signInTo(server, ana, reader, { scope: REQUESTED })
    server.clock.advance(expires_in + 1)
    const { token_introspection } = await verified((await introspect(reader, access_token)).body, reader.client_id)
    expect(token_introspection).toEqual({ active: false })
  })

  test('is in discovery with its algorithms; encryption, which is not offered, is not (§7)', async () => {
    const document = (await server.app.inject('/.well-known/oauth-authorization-server')).json()
    const algorithms = document.introspection_signing_alg_values_supported
    expect(algorithms).toEqual(expect.arrayContaining(['RS256', 'ES256', 'EdDSA']))
    expect(algorithms).not.toContain('none')
    expect(Object.keys(document).filter((name) => name.startsWith('introspection_encryption'))).toEqual([])
  })
})

/** A JWT access token of the reader for the address of the API. */
async function tokenForApi(): Promise<string> {
  const { form } = await codeFor(ana, reader, { scope: REQUESTED, resource: API })
  const answer = await post(server, reader, '/token', { ...form, resource: API })
  return answer.json().access_token
}
