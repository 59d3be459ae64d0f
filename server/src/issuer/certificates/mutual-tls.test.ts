import { createHash, randomUUID, X509Certificate } from 'node:crypto'
import { clientDiagnostics, clients, scopes } from '@vrata/contract'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { escapedPem, JADROLET, OTHER, SELF_SIGNED } from '../../../test/client-authentication/certificates.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  codeFor,
  credentials,
  follow,
  here,
  post,
  proofKey,
  type ThirdParty,
} from '../../../test/third-party.ts'
import { issueRegistrationToken } from '../../features/client-registration/public.ts'

const SETTINGS = {
  VRATA_MTLS_HEADER: 'X-Client-Cert pem',
  VRATA_MTLS_VERIFIED_HEADER: 'X-Client-Verify',
  VRATA_MTLS_URL: 'https://mtls.vrata.example',
  VRATA_CLIENT_REGISTRATION: 'on',
}
const SUBJECT = 'CN=Jadrolet,OU=apps+UID=7,O=Čoln\\, d.o.o.,C=SI'
const BOUND = { tls_client_certificate_bound_access_tokens: true } as const

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer(SETTINGS)
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server?.close())

/** Headers of the proxy for a connection with this certificate. */
const by = (certificate: string, verify = 'SUCCESS') => ({
  'x-client-cert': escapedPem(certificate),
  'x-client-verify': verify,
})
const thumbprint = (certificate: string) =>
  Buffer.from(
    new X509Certificate(Buffer.from(certificate, 'base64')).fingerprint256.replaceAll(':', ''),
    'hex',
  ).toString('base64url')

const put = ({ client_id: id }: ThirdParty, changes: Partial<clients.Advanced>) =>
  ana.call(clients.updateAdvanced, { id, ...changes })

async function appWith(changes: Partial<clients.Advanced>, type: clients.ClientType = 'web'): Promise<ThirdParty> {
  // FAPI 2.0 excludes http.
  const redirect_uri =
    changes.security_profile === 'fapi2' ? 'https://jadrolet.example/callback' : jadrolet.redirect_uri
  const app = { ...(await organization.app({ type, redirect_uri })), redirect_uri }
  expect(await put(app, changes)).toMatchObject({ ok: true })
  if (type !== 'service') await allow(ana, app)
  return { ...app, client_secret: null }
}
const byAuthority = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: SUBJECT } as const

async function reasons({ client_id: id }: ThirdParty) {
  const answer = await ana.call(clientDiagnostics.listClientErrors, { id })
  return answer.ok && answer.data.map(({ reason, detail }) => [reason, detail])
}

async function tokensOf(app: ThirdParty, headers: Record<string, string>, node = server) {
  const { form } = await codeFor(ana, app)
  return await post(node, app, '/token', form, headers)
}
const userinfoBy = (access_token: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${access_token}`, ...headers } })

async function selfSignedKeys(certificate = SELF_SIGNED): Promise<clients.Advanced['jwks']> {
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
  return { keys: [{ ...publicKey.export({ format: 'jwk' }), x5c: [certificate] } as never] }
}

describe('where the operator has set up no certificates', () => {
  test('discovery has nothing of them, and no app can use them', async () => {
    const plain = await startTestServer()
    const bor = await plain.as(people.bor)
    const app = await (await createOrganization(plain, bor)).app()
    const discovery = (await plain.app.inject('/.well-known/openid-configuration')).body
    expect(discovery).not.toMatch(/tls/)
    for (const changes of [
      byAuthority,
      BOUND,
      { token_endpoint_auth_method: 'self_signed_tls_client_auth' },
    ] as const) {
      expect(await bor.call(clients.updateAdvanced, { id: app.client_id, ...changes })).toMatchObject({
        http: 400,
        problem: { code: 'certificates_not_accepted', fields: { [Object.keys(changes)[0] as string]: 'wrong' } },
      })
    }
    await plain.close()
  })

  test('an app that used them gets no tokens, and its developers see why', async () => {
    const [app, bound] = [await appWith(byAuthority), await appWith(BOUND)]
    const without = await server.secondNode({
      VRATA_MTLS_HEADER: '',
      VRATA_MTLS_VERIFIED_HEADER: '',
      VRATA_MTLS_URL: '',
    })
    for (const one of [app, bound]) {
      const answer = await tokensOf(one, by(JADROLET), without)
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
      expect(await reasons(one)).toEqual([['certificate', 'this server does not accept client certificates']])
    }
    await without.close()
  })
})

test('discovery names the methods, bound tokens and the endpoints that ask for a certificate (RFC 8705 §3.3, §5)', async () => {
  const document = (await server.app.inject('/.well-known/openid-configuration')).json()
  for (const endpoint of ['token', 'introspection', 'revocation']) {
    expect(document[`${endpoint}_endpoint_auth_methods_supported`]).toEqual(
      expect.arrayContaining(['tls_client_auth', 'self_signed_tls_client_auth']),
    )
  }
  expect(document).toMatchObject({
    tls_client_certificate_bound_access_tokens: true,
    mtls_endpoint_aliases: {
      token_endpoint: 'https://mtls.vrata.example/token',
      userinfo_endpoint: 'https://mtls.vrata.example/userinfo',
    },
  })
  for (const [name, address] of Object.entries(document.mtls_endpoint_aliases)) {
    expect(new URL(document[name]).pathname).toBe(new URL(address as string).pathname)
  }
})

describe('an app with the certificate of an authority (tls_client_auth)', () => {
  test('gets tokens, introspects, pushes requests and revokes with it', async () => {
    const app = await appWith(byAuthority)
    const { client_id } = app
    const tokens = (await tokensOf(app, by(JADROLET))).json()
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid profile email' })
    const token = tokens.access_token
    const introspection = await post(server, app, '/introspect', { token }, by(JADROLET))
    expect(introspection.json()).toMatchObject({ active: true, client_id, token_type: 'Bearer' })
    expect((await post(server, app, '/introspect', { token }, by(OTHER))).statusCode).toBe(401)
    expect((await post(server, app, '/revoke', { token }, by(OTHER))).statusCode).toBe(401)
    expect((await post(server, app, '/revoke', { token }, by(JADROLET))).statusCode).toBe(200)
    expect((await userinfoBy(token)).statusCode).toBe(401)
  })

  test('binds tokens by proofs for the address that asks for certificates (DPoP, RFC 9449 §4.2)', async () => {
    const app = await appWith({ ...byAuthority, dpop_bound_access_tokens: true })
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const proof = (htm: string, htu: string, claims = {}) =>
      new SignJWT({ htm, htu, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .setIssuedAt()
        .setJti(randomUUID())
        .sign(privateKey)
    const asking = { host: 'mtls.vrata.example', ...by(JADROLET) }
    const there = (path: string) => `https://mtls.vrata.example${path}`

    const tokens = (await tokensOf(app, { ...asking, dpop: await proof('POST', there('/token')) })).json()
    expect(tokens).toMatchObject({ token_type: 'DPoP' })
    const ath = createHash('sha256').update(tokens.access_token).digest('base64url')
    const authorization = `DPoP ${tokens.access_token}`
    const dpop = await proof('GET', there('/userinfo'), { ath })
    const userinfo = await server.app.inject({ url: '/userinfo', headers: { ...asking, authorization, dpop } })
    expect(userinfo.json()).toMatchObject({ sub: ana.user.id })

    const elsewhere = await tokensOf(app, { ...by(JADROLET), dpop: await proof('POST', there('/token')) })
    expect([elsewhere.statusCode, elsewhere.json().error]).toEqual([400, 'invalid_dpop_proof'])
  })

  test.each([
    ['tls_client_auth_subject_dn', SUBJECT, 'CN=Other'],
    ['tls_client_auth_san_dns', 'app.jadrolet.example', 'jadrolet.example'],
    ['tls_client_auth_san_uri', 'https://jadrolet.example/app?a=1', 'https://jadrolet.example/'],
    ['tls_client_auth_san_ip', '2001:db8::7', '2001:db8::8'],
    ['tls_client_auth_san_email', 'app@jadrolet.example', 'jadrolet@jadrolet.example'],
  ] as const)('is recognized by %s alone', async (name, right, wrong) => {
    const app = await appWith({ token_endpoint_auth_method: 'tls_client_auth', [name]: right })
    expect((await tokensOf(app, by(JADROLET))).statusCode).toBe(200)
    const refused = await tokensOf(app, by(OTHER))
    expect([refused.statusCode, refused.json().error]).toEqual([401, 'invalid_client'])
    expect(await put(app, { [name]: wrong })).toMatchObject({ ok: true })
    expect((await tokensOf(app, by(JADROLET))).statusCode).toBe(401)
  })

  test('is refused otherwise, and its developers see why', async () => {
    const app = await appWith(byAuthority)
    const refused: [Record<string, string>, string, string][] = [
      [{}, 'certificate_missing', ''],
      [credentials({ ...app, client_secret: 'vrts_a-secret' }), 'certificate_missing', ''],
      [by(JADROLET, 'FAILED:unable to verify'), 'certificate', 'client certificate was not verified'],
      [by(OTHER), 'certificate', 'certificate subject value does not match the registered one'],
    ]
    for (const [headers, reason, detail] of refused) {
      const answer = await tokensOf(app, headers)
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
      expect(await reasons(app)).toContainEqual([reason, detail])
      expect(await ana.call(clientDiagnostics.deleteClientErrors, { id: app.client_id })).toMatchObject({ ok: true })
    }
  })

  test('is asked for its certificate before it introspects (RFC 9701 §5)', async () => {
    const app = await appWith(byAuthority)
    for (const accept of ['application/json', 'application/token-introspection+jwt']) {
      const answer = await post(server, app, '/introspect', { token: 'any' }, { accept })
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
    }
    expect(await reasons(app)).toEqual([['certificate_missing', '']])
  })

  test('is refused when a sender other than the proxy names its certificate', async () => {
    const app = await appWith(byAuthority)
    const answer = await server.app.inject({
      method: 'POST',
      url: '/introspect',
      remoteAddress: '203.0.113.9',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...by(JADROLET) },
      payload: new URLSearchParams({ client_id: app.client_id, token: 'any' }).toString(),
    })
    expect(answer.statusCode).toBe(400)
  })

  test('no longer has a valid secret', async () => {
    const app = await organization.app()
    expect((await post(server, app, '/introspect', { token: 'any' })).statusCode).toBe(200)
    expect(await put(app, byAuthority)).toMatchObject({ ok: true })
    expect((await post(server, app, '/introspect', { token: 'any' })).statusCode).toBe(401)
  })

  test('must have exactly one readable name', async () => {
    const app = await organization.app()
    const method = { token_endpoint_auth_method: 'tls_client_auth' } as const
    const refusals: [Partial<clients.Advanced>, object][] = [
      [method, { tls_client_auth_subject_dn: 'required' }],
      [{ ...method, tls_client_auth_subject_dn: 'Jadrolet' }, { tls_client_auth_subject_dn: 'invalid' }],
      [{ ...method, tls_client_auth_san_dns: '*.jadrolet.example' }, { tls_client_auth_san_dns: 'invalid' }],
      [{ ...method, tls_client_auth_san_ip: '2001:db8::/32' }, { tls_client_auth_san_ip: 'invalid' }],
      [{ ...byAuthority, tls_client_auth_san_dns: 'a.example' }, { tls_client_auth_san_dns: 'wrong' }],
    ]
    for (const [changes, fields] of refusals) {
      expect(await put(app, changes)).toMatchObject({ http: 400, problem: { fields } })
    }
    expect(await put(app, byAuthority)).toMatchObject({ data: { require_client_secret: true } })
    expect(await put(app, { tls_client_auth_san_dns: 'a.example' })).toMatchObject({
      data: { tls_client_auth_subject_dn: null, tls_client_auth_san_dns: 'a.example' },
    })
    expect(await put(app, { tls_client_auth_san_dns: null })).toMatchObject({ http: 400 })
  })
})

describe('an app with its own certificate (self_signed_tls_client_auth)', () => {
  test('gets tokens with the certificate of a registered key that no authority has verified', async () => {
    const app = await appWith({
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      jwks: await selfSignedKeys(),
    })
    expect((await tokensOf(app, by(SELF_SIGNED, 'FAILED:self-signed certificate'))).statusCode).toBe(200)
    const refused = await tokensOf(app, by(JADROLET))
    expect([refused.statusCode, refused.json().error]).toEqual([401, 'invalid_client'])
    expect(await reasons(app)).toEqual([['certificate', 'unregistered client certificate provided']])
  })

  test('needs a certificate of the key', async () => {
    const app = await organization.app()
    const { publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const method = { token_endpoint_auth_method: 'self_signed_tls_client_auth' } as const
    const keys = (x5c?: unknown) => ({ keys: [{ ...jwk, ...(x5c ? { x5c } : {}) } as never] })
    expect(await put(app, method)).toMatchObject({ problem: { code: 'keys_required', fields: { jwks: 'required' } } })
    expect(await put(app, { ...method, jwks: keys() })).toMatchObject({ problem: { code: 'keys_required' } })
    for (const x5c of [[SELF_SIGNED], ['AAAA'], [], 'text', [7]]) {
      expect(await put(app, { ...method, jwks: keys(x5c) })).toMatchObject({
        http: 400,
        problem: { fields: { jwks: 'invalid' } },
      })
    }
  })
})

describe('tokens that are bound to the certificate (RFC 8705 §3)', () => {
  test('work at userinfo with that certificate alone; introspection names it', async () => {
    const app = await organization.app()
    await allow(ana, app)
    expect(await put(app, BOUND)).toMatchObject({ data: { dpop_bound_access_tokens: false } })
    const withCertificate = { ...by(SELF_SIGNED, 'NONE'), ...credentials(app) }
    const tokens = (await tokensOf(app, withCertificate)).json()
    expect(tokens.token_type).toBe('Bearer')
    expect((await userinfoBy(tokens.access_token, by(SELF_SIGNED, 'NONE'))).json()).toMatchObject({ sub: ana.user.id })
    for (const headers of [{}, by(OTHER)]) {
      const refused = await userinfoBy(tokens.access_token, headers)
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ])
    }
    expect(await reasons(app)).toEqual(
      expect.arrayContaining([
        ['certificate_missing', ''],
        ['certificate', 'the access token is bound to another certificate'],
      ]),
    )
    expect((await post(server, app, '/introspect', { token: tokens.access_token })).json()).toMatchObject({
      active: true,
      token_type: 'Bearer',
      cnf: { 'x5t#S256': thumbprint(SELF_SIGNED) },
    })
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await post(server, app, '/token', refresh)).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await post(server, app, '/token', refresh, withCertificate)).statusCode).toBe(200)
  })

  test('need a certificate at the token endpoint', async () => {
    const app = await organization.app()
    await allow(ana, app)
    expect(await put(app, BOUND)).toMatchObject({ ok: true })
    expect((await tokensOf(app, credentials(app))).json()).toMatchObject({ error: 'invalid_grant' })
    expect(await reasons(app)).toEqual([['certificate_missing', '']])
  })

  test('the refresh token of an app without a secret is bound, too', async () => {
    const app = await appWith(BOUND, 'spa')
    app.redirect_uri = 'https://jadrolet.example/callback'
    const { client_id: id, redirect_uri } = app
    expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({ ok: true })
    const tokens = (await tokensOf(app, by(SELF_SIGNED))).json()
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await post(server, app, '/token', refresh, by(OTHER))).json()).toMatchObject({ error: 'invalid_grant' })
    expect(await reasons(app)).toEqual([['certificate', 'failed x5t#S256 verification']])
    expect((await post(server, app, '/token', refresh, by(SELF_SIGNED))).statusCode).toBe(200)
  })

  test('a JWT for a resource server carries the thumbprint', async () => {
    const notes = await organization.app({ name: 'Notes' })
    expect(
      await ana.call(scopes.defineScope, { id: notes.client_id, key: 'notes.read', title: { 'en-US': 'Notes' } }),
    ).toMatchObject({ ok: true })
    expect(await put(notes, { access_token_format: 'jwt' })).toMatchObject({ ok: true })
    const robot = await appWith({ ...byAuthority, ...BOUND }, 'service')
    await ana.call(clients.updateClientInfo, { id: robot.client_id, scopes: ['notes.read'] })
    const form = { grant_type: 'client_credentials', scope: 'notes.read' }
    const tokens = (await post(server, robot, '/token', form, by(JADROLET))).json()
    const cnf = { 'x5t#S256': thumbprint(JADROLET) }
    expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: robot.client_id, cnf })
    const introspection = await post(server, notes, '/introspect', { token: tokens.access_token })
    expect(introspection.json()).toMatchObject({ active: true, token_type: 'Bearer', cnf })
  })

  test('exclude DPoP', async () => {
    const app = await organization.app()
    expect(await put(app, { ...BOUND, dpop_bound_access_tokens: true })).toMatchObject({
      http: 400,
      problem: { fields: { tls_client_certificate_bound_access_tokens: 'wrong' } },
    })
    expect(await put(app, BOUND)).toMatchObject({ ok: true })
    expect(await put(app, { dpop_bound_access_tokens: true })).toMatchObject({
      data: { tls_client_certificate_bound_access_tokens: false },
    })
  })
})

describe('FAPI 2.0 with certificates', () => {
  const FAPI = { security_profile: 'fapi2', ...byAuthority, ...BOUND } as const

  test('pushes a request, signs a user in, and keeps the refresh token', async () => {
    const app = await appWith(FAPI)
    const { verifier, challenge } = proofKey()
    const { client_id } = app
    const request = {
      response_type: 'code',
      redirect_uri: app.redirect_uri,
      scope: 'openid profile email',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    expect((await post(server, app, '/par', request, by(OTHER))).statusCode).toBe(401)
    const { request_uri } = (await post(server, app, '/par', request, by(JADROLET))).json()
    const back = await follow(
      ana,
      here(new URL(`http://x/authorize?${new URLSearchParams({ client_id, request_uri })}`)),
    )
    const code = back.searchParams.get('code')
    const form = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirect_uri }
    const tokens = (await post(server, app, '/token', { ...form, code_verifier: verifier }, by(JADROLET))).json()
    expect((await userinfoBy(tokens.access_token, by(JADROLET))).statusCode).toBe(200)
    const { refresh_token } = tokens
    const next = await post(server, app, '/token', { grant_type: 'refresh_token', refresh_token }, by(JADROLET))
    expect(next.json()).toMatchObject({ access_token: expect.any(String) })
    expect(next.json().refresh_token ?? refresh_token).toBe(refresh_token)
  })

  test('gets JWTs for the API of another app that are not signed with RS256', async () => {
    const service = await appWith(FAPI, 'service')
    const api = await appWith({ access_token_format: 'jwt', id_token_signed_response_alg: 'RS256' })
    const [{ client_id: id }, key, identifier] = [api, 'tides.read', 'https://api.tides.example']
    good(await ana.call(scopes.defineScope, { id, key, title: { 'en-US': 'Read the tides' } }))
    good(await ana.call(scopes.addResource, { id, identifier, name: 'Tides', scopes: [key] }))
    good(await ana.call(clients.updateClientInfo, { id: service.client_id, scopes: [key] }))
    for (const resource of [undefined, identifier]) {
      const form = { grant_type: 'client_credentials', scope: key, resource }
      const { access_token } = (await post(server, service, '/token', form, by(JADROLET))).json()
      expect([resource, decodeProtectedHeader(access_token)]).toMatchObject([resource, { alg: 'ES256', typ: 'at+jwt' }])
    }
    const plain = await organization.app({ type: 'service' })
    good(await ana.call(clients.updateClientInfo, { id: plain.client_id, scopes: [key] }))
    const { access_token } = (
      await post(server, plain, '/token', { grant_type: 'client_credentials', scope: key })
    ).json()
    expect(decodeProtectedHeader(access_token).alg).toBe('RS256')
  })

  test('binds tokens to a certificate or to a key, never to nothing', async () => {
    const app = await appWith(FAPI)
    for (const changes of [
      { tls_client_certificate_bound_access_tokens: false },
      { token_endpoint_auth_method: 'client_secret_basic' },
    ] as const) {
      expect(await put(app, changes)).toMatchObject({
        problem: { code: 'fixed_by_profile', fields: { [Object.keys(changes)[0] as string]: 'wrong' } },
      })
    }
    expect(await put(app, { dpop_bound_access_tokens: true })).toMatchObject({
      data: { token_endpoint_auth_method: 'tls_client_auth', tls_client_certificate_bound_access_tokens: false },
    })
  })
})

test('programs register apps with certificates (RFC 7591)', async () => {
  const { developer_id } = organization
  const terms = { developer_id, email: people.ana.email, uses: 2, days: 1, require_pkce: true }
  const issued = await server.deps.transaction((tx) => issueRegistrationToken(tx, { command: 'a test' }, terms))
  const token = issued?.token
  const register = (metadata: object) =>
    server.app.inject({
      method: 'POST',
      url: '/register-client',
      headers: { authorization: `Bearer ${token}` },
      payload: { redirect_uris: [jadrolet.redirect_uri], token_endpoint_auth_method: 'tls_client_auth', ...metadata },
    })
  const refused = await register({})
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { error: 'invalid_client_metadata', error_description: 'tls_client_auth_subject_dn: required' },
  ])
  const metadata = { tls_client_auth_san_dns: 'app.jadrolet.example', ...BOUND }
  const registered = (await register(metadata)).json()
  expect(registered).toMatchObject({ token_endpoint_auth_method: 'tls_client_auth', ...metadata })
  expect(registered).not.toHaveProperty('client_secret')
  const app = { client_id: registered.client_id, client_secret: null }
  await allow(ana, app)
  expect((await tokensOf(app, by(JADROLET))).statusCode).toBe(200)
})
