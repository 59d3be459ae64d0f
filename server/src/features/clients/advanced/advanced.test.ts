import { clients, sessions } from '@vrata/contract'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization, switchTo } from '../../../../test/organization.ts'
import { jadrolet, people } from '../../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server?.close())

const SECRET_REQUIRED = {
  http: 400,
  problem: { code: 'secret_required', fields: { require_client_secret: 'required' } },
}

async function app(type: clients.ClientType = 'web', redirect_uri = jadrolet.redirect_uri as string) {
  const { client_id: id } = await organization.app({ type, redirect_uri })
  return {
    id,
    put: (changes: Partial<clients.Advanced>) => ana.call(clients.updateAdvanced, { id, ...changes }),
    read: async () => {
      const answer = await ana.call(clients.getAdvanced, { id })
      if (!answer.ok) throw new Error(answer.problem.code)
      return answer.data
    },
  }
}

describe('PKCE and client secret', () => {
  test('cannot both be off, in whatever order they are changed', async () => {
    const both = await app()
    const before = await both.read()
    expect(await both.put({ require_pkce: false, require_client_secret: false })).toMatchObject(SECRET_REQUIRED)
    expect(await both.read()).toEqual(before)

    const pkceFirst = await app()
    expect(await pkceFirst.put({ require_pkce: false })).toMatchObject({ ok: true })
    expect(await pkceFirst.put({ require_client_secret: false })).toMatchObject(SECRET_REQUIRED)
    expect(await pkceFirst.put({ require_client_secret: false, allow_popup: true })).toMatchObject(SECRET_REQUIRED)
    expect(await pkceFirst.read()).toMatchObject({ require_client_secret: true, allow_popup: false })

    const secretFirst = await app()
    expect(await secretFirst.put({ require_client_secret: false })).toMatchObject({ ok: true })
    expect(await secretFirst.put({ require_pkce: false })).toMatchObject(SECRET_REQUIRED)
    expect(await secretFirst.read()).toMatchObject({ require_pkce: true })
    expect(await secretFirst.put({ require_pkce: false, require_client_secret: true })).toMatchObject({ ok: true })
  })

  test('cannot both be switched off by concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { put, read } = await app()
      const answers = await Promise.all([put({ require_pkce: false }), put({ require_client_secret: false })])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      const { require_pkce, require_client_secret } = await read()
      expect(require_pkce || require_client_secret).toBe(true)
    }
  })

  test('a service always requires its secret', async () => {
    const { put } = await app('service')
    expect(await put({ require_client_secret: false })).toMatchObject(SECRET_REQUIRED)
  })
})

const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
} as const

describe('client authentication by key', () => {
  test('requires registered keys and cannot be optional', async () => {
    const { put, read } = await app('spa')
    expect(await put({ token_endpoint_auth_method: 'private_key_jwt' })).toMatchObject({
      problem: { code: 'keys_required', fields: { jwks: 'required' } },
    })
    expect(await put({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [KEY] } })).toMatchObject({
      data: { require_client_secret: true, jwks: { keys: [KEY] } },
    })
    expect(await put({ jwks: null })).toMatchObject({ problem: { code: 'keys_required' } })
    expect(await (await app()).put({ require_signed_request_object: true })).toMatchObject({
      problem: { code: 'keys_required' },
    })
    expect(await put({ jwks_uri: 'https://a.example/jwks' })).toMatchObject({ data: { jwks: null } })
    expect(await put({ jwks: { keys: [KEY] } })).toMatchObject({ data: { jwks_uri: null } })
    expect(await put({ require_client_secret: false })).toMatchObject({ data: { token_endpoint_auth_method: 'none' } })
    expect(await read()).toMatchObject({ jwks: { keys: [KEY] } })
  })
})

describe('the authentication method', () => {
  test('cannot be none while the secret is required', async () => {
    const { put, read } = await app()
    const before = await read()
    expect(await put({ token_endpoint_auth_method: 'none' })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { token_endpoint_auth_method: 'wrong' } },
    })
    expect(await read()).toEqual(before)
  })

  test('becomes client_secret_basic when the secret becomes required', async () => {
    const { put, read } = await app('spa')
    expect(await put({ require_client_secret: true })).toMatchObject({ ok: true })
    expect(await read()).toMatchObject({
      require_client_secret: true,
      token_endpoint_auth_method: 'client_secret_basic',
    })
  })

  test('may be any method while the secret is not required', async () => {
    const { put } = await app()
    for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post', 'none'] as const) {
      expect(await put({ require_client_secret: false, token_endpoint_auth_method })).toMatchObject({
        data: { token_endpoint_auth_method },
      })
    }
  })
})

describe('other settings', () => {
  test('change independently of each other', async () => {
    const { put, read } = await app()
    const expected = await read()
    for (const change of [
      { allow_popup: true },
      { access_token_ttl: 3600 },
      { id_token_signed_response_alg: 'EdDSA' },
      { id_token_claims: 'minimal' },
      { token_endpoint_auth_signing_alg: 'PS256' },
      { request_object_signing_alg: 'EdDSA' },
      { userinfo_signed_response_alg: 'RS256' },
      { introspection_signed_response_alg: 'ES256' },
      { access_token_format: 'jwt' },
      { dpop_bound_access_tokens: true },
      { require_pushed_authorization_requests: true },
      { require_nonce: true },
      { jwks: { keys: [{ ...KEY, kid: 'one', mine: 'kept' }] } },
      { backchannel_logout_uri: 'https://jadrolet.example/out' },
      { frontchannel_logout_uri: 'http://localhost:4000/out', frontchannel_logout_session_required: false },
      { initiate_login_uri: 'https://jadrolet.example/login?from=vrata' },
      { require_signed_request_object: true },
      { refresh_token_ttl: 86_400 },
      { post_logout_redirect_uris: ['https://jadrolet.example/bye'] },
    ] satisfies Partial<clients.Advanced>[]) {
      Object.assign(expected, change)
      expect(await put(change)).toMatchObject({ data: expected })
      expect(await read()).toEqual(expected)
    }
    expect(await put({})).toMatchObject({ data: expected })
  })

  test.each([
    [{ access_token_ttl: 59 }, { access_token_ttl: 'too_small' }],
    [{ access_token_ttl: 86_401 }, { access_token_ttl: 'too_big' }],
    [{ access_token_ttl: 60.5 }, { access_token_ttl: 'invalid' }],
    [{ refresh_token_ttl: 3599 }, { refresh_token_ttl: 'too_small' }],
    [{ require_pkce: 'no' }, { require_pkce: 'invalid' }],
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, { token_endpoint_auth_method: 'invalid' }],
    [{ id_token_signed_response_alg: 'none' }, { id_token_signed_response_alg: 'invalid' }],
    [{ id_token_signed_response_alg: 'HS256' }, { id_token_signed_response_alg: 'invalid' }],
    [{ id_token_claims: 'all' }, { id_token_claims: 'invalid' }],
    [{ security_profile: 'fapi1' }, { security_profile: 'invalid' }],
    [{ token_endpoint_auth_signing_alg: 'HS256' }, { token_endpoint_auth_signing_alg: 'invalid' }],
    [{ request_object_signing_alg: 'none' }, { request_object_signing_alg: 'invalid' }],
    [{ authorization_signed_response_alg: 'PS256' }, { authorization_signed_response_alg: 'invalid' }],
    [{ userinfo_signed_response_alg: 'none' }, { userinfo_signed_response_alg: 'invalid' }],
    [{ introspection_signed_response_alg: 'HS256' }, { introspection_signed_response_alg: 'invalid' }],
    [{ allow_popup: true, authorization_signed_response_alg: 'ES256' }, { authorization_signed_response_alg: 'wrong' }],
    [{ access_token_format: 'paseto' }, { access_token_format: 'invalid' }],
    [{ jwks: { keys: [] } }, { 'jwks.keys': 'too_short' }],
    [{ jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, { 'jwks.keys.0.kty': 'invalid' }],
    [{ jwks: { keys: [{ ...KEY, d: 'AAAA' }] } }, { 'jwks.keys.0': 'private_key' }],
    [{ jwks: { keys: [{ ...KEY, x: undefined }] } }, { 'jwks.keys.0': 'invalid' }],
    [{ jwks: { keys: [{ ...KEY, crv: 'secp256k1' }] } }, { 'jwks.keys.0': 'invalid' }],
    [{ jwks: { keys: [{ kty: 'RSA', n: 'A'.repeat(170), e: 'AQAB' }] } }, { 'jwks.keys.0': 'weak_key' }],
    [{ jwks: { keys: [KEY] }, jwks_uri: 'https://a.example/jwks' }, { jwks_uri: 'wrong' }],
    [{ jwks_uri: 'http://a.example/jwks' }, { jwks_uri: 'https_required' }],
    [{ jwks_uri: 'file:///etc/passwd' }, { jwks_uri: 'invalid_url' }],
    [{ backchannel_logout_uri: 'https://a.example/out#now' }, { backchannel_logout_uri: 'no_fragment' }],
    [{ frontchannel_logout_uri: 'http://localhost:4000/out#now' }, { frontchannel_logout_uri: 'no_fragment' }],
    [{ frontchannel_logout_uri: 'http://localhost:4001/out' }, { frontchannel_logout_uri: 'redirect_origin' }],
    [{ initiate_login_uri: 'http://localhost:4000/login' }, { initiate_login_uri: 'https_only' }],
    [{ initiate_login_uri: 'javascript:alert(1)' }, { initiate_login_uri: 'invalid_url' }],
    [{ post_logout_redirect_uris: ['http://a.example/'] }, { 'post_logout_redirect_uris.0': 'https_required' }],
    [{ post_logout_redirect_uris: ['com.example.app:/'] }, { post_logout_redirect_uris: 'private_scheme' }],
    [{ post_logout_redirect_uris: Array(51).fill('https://a.example/') }, { post_logout_redirect_uris: 'too_long' }],
    [{ secret_hash: 'x' }, { secret_hash: 'unknown' }],
  ])('reject %j', async (changes, fields) => {
    const { put, read } = await app()
    const before = await read()
    expect(await put(changes as never)).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(await read()).toEqual(before)
  })

  test('contain each post-logout redirect URI once', async () => {
    const { put } = await app()
    const uri = 'https://a.example/bye'
    expect(await put({ post_logout_redirect_uris: [uri, uri] })).toMatchObject({
      data: { post_logout_redirect_uris: [uri] },
    })
  })
})

describe('the security profile fapi2', () => {
  const FIXED = {
    security_profile: 'fapi2',
    require_client_secret: true,
    token_endpoint_auth_method: 'private_key_jwt',
    require_pkce: true,
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
    allow_popup: false,
    id_token_signed_response_alg: 'ES256',
    token_endpoint_auth_signing_alg: null,
    request_object_signing_alg: null,
    authorization_signed_response_alg: null,
    userinfo_signed_response_alg: null,
    introspection_signed_response_alg: null,
  } as const
  const HTTPS = 'https://jadrolet.example/callback'

  test('sets what it requires, and needs keys', async () => {
    const { put, read } = await app('web', HTTPS)
    expect(await put({ allow_popup: true, token_endpoint_auth_signing_alg: 'RS256' })).toMatchObject({ ok: true })
    expect(await put({ userinfo_signed_response_alg: 'RS256' })).toMatchObject({ ok: true })
    expect(await put({ security_profile: 'fapi2' })).toMatchObject({ http: 400, problem: { code: 'keys_required' } })
    expect(await put({ security_profile: 'fapi2', jwks: { keys: [KEY] } })).toMatchObject({ data: FIXED })
    expect(await read()).toMatchObject(FIXED)
    expect(await put({ security_profile: 'standard' })).toMatchObject({ data: { dpop_bound_access_tokens: true } })
  })

  test.each([
    { require_pkce: false },
    { require_client_secret: false },
    { require_pushed_authorization_requests: false },
    { dpop_bound_access_tokens: false },
    { allow_popup: true },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { id_token_signed_response_alg: 'RS256' },
    { token_endpoint_auth_signing_alg: 'RS256' },
    { request_object_signing_alg: 'RS256' },
    { authorization_signed_response_alg: 'RS256' },
    { userinfo_signed_response_alg: 'RS256' },
    { introspection_signed_response_alg: 'RS256' },
  ] satisfies Partial<clients.Advanced>[])('rejects %j', async (change) => {
    const { put, read } = await app('web', HTTPS)
    await put({ security_profile: 'fapi2', jwks: { keys: [KEY] } })
    const before = await read()
    const rejected = {
      http: 400,
      problem: { code: 'fixed_by_profile', fields: { [Object.keys(change)[0] as string]: 'wrong' } },
    }
    expect(await put(change)).toMatchObject(rejected)
    expect(await put({ security_profile: 'fapi2', ...change })).toMatchObject(rejected)
    expect(await read()).toEqual(before)
    expect(await put({ id_token_signed_response_alg: 'EdDSA', access_token_ttl: 300 })).toMatchObject({ ok: true })
    expect(
      await put({ require_signed_request_object: true, authorization_signed_response_alg: 'ES256' }),
    ).toMatchObject({
      ok: true,
    })
  })

  test('excludes redirect URIs with http, except those of a native app on its own device', async () => {
    const fapi2: Partial<clients.Advanced> = { security_profile: 'fapi2', jwks: { keys: [KEY] } }
    const rejected = { http: 400, problem: { code: 'fixed_by_profile', fields: { redirect_uri: 'https_required' } } }
    expect(await (await app()).put(fapi2)).toMatchObject(rejected)
    const { id, put } = await app('web', HTTPS)
    expect(await put(fapi2)).toMatchObject({ ok: true })
    expect(await ana.call(clients.addRedirectUri, { id, redirect_uri: jadrolet.redirect_uri })).toMatchObject(rejected)
    const native = await app('native', 'http://127.0.0.1/callback')
    expect(await native.put(fapi2)).toMatchObject({ ok: true })
  })
})

test('changing client authentication requires a fresh sign-in (security §7.5.3)', async () => {
  const { put } = await app()
  const { publicKey } = await generateKeyPair('ES256')
  const jwks = { keys: [await exportJWK(publicKey)] } as clients.Advanced['jwks']
  const authenticationChanges: Partial<clients.Advanced>[] = [
    { jwks },
    { jwks_uri: 'https://app.example/keys' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks },
    { require_client_secret: false },
    { token_endpoint_auth_signing_alg: 'ES256' },
  ]
  server.clock.advance(601)
  await switchTo(ana, organization.developer_id)
  const stale = { http: 403, problem: { code: 'reauthentication_required' } }
  for (const changes of authenticationChanges)
    expect(await put(changes), Object.keys(changes).join()).toMatchObject(stale)
  expect(await put({ access_token_ttl: 300, require_client_secret: true, jwks: null })).toMatchObject({ ok: true })
  expect(await ana.call(sessions.reauthenticate, { password: people.ana.password })).toMatchObject({ ok: true })
  for (const changes of authenticationChanges)
    expect(await put(changes), Object.keys(changes).join()).toMatchObject({ ok: true })
})
