import { randomUUID, X509Certificate } from 'node:crypto'
import { clientDiagnostics, clients, connections } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapedPem, OTHER, SELF_SIGNED } from '../../../test/client-authentication/certificates.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, post, SCOPE } from '../../../test/third-party.ts'

/** Backchannel authentication requests of an app with the security profile FAPI 2.0 and a certificate. */
const SETTINGS = { VRATA_MTLS_HEADER: 'X-Client-Cert pem', VRATA_MTLS_URL: 'https://mtls.vrata.example' }

let server: TestServer
let ana: SignedIn
beforeAll(async () => {
  server = await startTestServer(SETTINGS)
  ana = await server.as(people.ana)
})
afterAll(() => server.close())

const by = (certificate: string) => ({ 'x-client-cert': escapedPem(certificate) })

test('an app with FAPI 2.0 signs its requests, and its tokens are bound to its certificate', async () => {
  const organization = await createOrganization(server, ana)
  const app = {
    ...(await organization.app({ redirect_uri: 'https://jadrolet.example/callback' })),
    client_secret: null,
  }
  const pairs = { PS256: await generateKeyPair('PS256'), RS256: await generateKeyPair('RS256') }
  const certificate = new X509Certificate(Buffer.from(SELF_SIGNED, 'base64')).publicKey
  const keys = [
    { ...certificate.export({ format: 'jwk' }), kid: 'certificate', x5c: [SELF_SIGNED] },
    { ...(await exportJWK(pairs.PS256.publicKey)), kid: 'PS256' },
    { ...(await exportJWK(pairs.RS256.publicKey)), kid: 'RS256' },
  ]
  const set = (settings: object) => ana.call(clients.updateAdvanced, { id: app.client_id, ...settings })
  const settings = {
    security_profile: 'fapi2',
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    tls_client_certificate_bound_access_tokens: true,
    jwks: { keys },
    backchannel_token_delivery_mode: 'poll',
  }
  expect(await set(settings)).toMatchObject({
    problem: { fields: { backchannel_authentication_request_signing_alg: 'required' } },
  })
  good(await set({ ...settings, backchannel_authentication_request_signing_alg: 'PS256' }))
  await allow(ana, app)

  const now = Math.floor(Date.now() / 1000)
  const sign = (alg: keyof typeof pairs) =>
    new SignJWT({ scope: SCOPE, login_hint: people.ana.email, nbf: now, iat: now, exp: now + 300, jti: randomUUID() })
      .setProtectedHeader({ alg, kid: alg })
      .setIssuer(app.client_id)
      .setAudience(server.config.url)
      .sign(pairs[alg].privateKey)
  const send = (form: Record<string, string>, from = SELF_SIGNED) =>
    post(server, app, '/backchannel_authentication', form, by(from))
  expect((await send({ scope: SCOPE, login_hint: people.ana.email })).json().error).toBe('invalid_request')
  expect((await send({ request: await sign('RS256') })).json().error).toBe('invalid_request')
  expect((await send({ request: await sign('PS256') }, OTHER)).statusCode).toBe(401)
  const { auth_req_id } = (await send({ request: await sign('PS256') })).json()
  const reasons = good(await ana.call(clientDiagnostics.listClientErrors, { id: app.client_id }))
  expect(reasons.map(({ reason }) => reason).sort()).toEqual(['algorithm', 'certificate', 'request_object_missing'])

  await server.outbox()
  const [request] = good(await ana.call(connections.listRequests))
  const answer = { client: app.client_id, uid: request?.uid ?? '', scopes: SCOPE.split(' ') }
  good(await ana.call(connections.submitConsent, answer))
  const ask = (from: string) =>
    post(server, app, '/token', { grant_type: clients.CIBA_GRANT, auth_req_id: String(auth_req_id) }, by(from))
  expect((await ask(OTHER)).statusCode).toBe(401)
  const { access_token } = (await ask(SELF_SIGNED)).json()
  const userinfo = (from: string) =>
    server.app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${access_token}`, ...by(from) } })
  expect((await userinfo(OTHER)).statusCode).toBe(401)
  expect((await userinfo(SELF_SIGNED)).json()).toMatchObject({ sub: ana.user.id })
})
