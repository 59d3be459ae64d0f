import { auth, clients } from '@vrata/contract'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation, switchTo } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'

let house: House
let ana: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house?.close())

const SECRET_REQUIRED = {
  http: 400,
  problem: { code: 'secret_required', fields: { require_client_secret: 'required' } },
}

async function app(type: clients.ClientType = 'web') {
  const { client_id: id } = await organisation.app({ type })
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

describe('§5 without PKCE the secret stays required', () => {
  test('both cannot be off, in whatever order or company they are switched', async () => {
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

  test('two who switch one each at the same time do not get around it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { put, read } = await app()
      const answers = await Promise.all([put({ require_pkce: false }), put({ require_client_secret: false })])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      const { require_pkce, require_client_secret } = await read()
      expect(require_pkce || require_client_secret).toBe(true)
    }
  })

  test('a service has nothing but its secret, with PKCE or without', async () => {
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

describe('§6 an app that proves itself by its key', () => {
  test('must have told us the key, and then always proves itself', async () => {
    const { put, read } = await app('spa')
    expect(await put({ token_endpoint_auth_method: 'private_key_jwt' })).toMatchObject({
      problem: { code: 'keys_required', fields: { jwks: 'required' } },
    })
    expect(await put({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [KEY] } })).toMatchObject({
      data: { require_client_secret: true, jwks: { keys: [KEY] } },
    })
    expect(await put({ jwks: null })).toMatchObject({ problem: { code: 'keys_required' } })
    expect(await put({ jwks_uri: 'https://a.example/jwks' })).toMatchObject({ data: { jwks: null } })
    expect(await put({ jwks: { keys: [KEY] } })).toMatchObject({ data: { jwks_uri: null } })
    expect(await put({ require_client_secret: false })).toMatchObject({ data: { token_endpoint_auth_method: 'none' } })
    expect(await read()).toMatchObject({ jwks: { keys: [KEY] } })
  })
})

describe('§6 the method of authentication', () => {
  test('cannot be none while the secret is required', async () => {
    const { put, read } = await app()
    const before = await read()
    expect(await put({ token_endpoint_auth_method: 'none' })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { token_endpoint_auth_method: 'wrong' } },
    })
    expect(await read()).toEqual(before)
  })

  test('becomes the usual one when the secret becomes required', async () => {
    const { put, read } = await app('spa')
    expect(await put({ require_client_secret: true })).toMatchObject({ ok: true })
    expect(await read()).toMatchObject({
      require_client_secret: true,
      token_endpoint_auth_method: 'client_secret_basic',
    })
  })

  test('may be any while the secret is not required', async () => {
    const { put } = await app()
    for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post', 'none'] as const) {
      expect(await put({ require_client_secret: false, token_endpoint_auth_method })).toMatchObject({
        data: { token_endpoint_auth_method },
      })
    }
  })
})

describe('§6 the other settings', () => {
  test('change one by one, and nothing else changes with them', async () => {
    const { put, read } = await app()
    const expected = await read()
    for (const change of [
      { allow_popup: true },
      { access_token_ttl: 3600 },
      { id_token_signed_response_alg: 'EdDSA' },
      { access_token_format: 'jwt' },
      { dpop_bound_access_tokens: true },
      { require_pushed_authorization_requests: true },
      { require_nonce: true },
      { jwks: { keys: [{ ...KEY, kid: 'one', mine: 'kept' }] } },
      { backchannel_logout_uri: 'https://jadrolet.example/out' },
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
    [{ post_logout_redirect_uris: ['http://a.example/'] }, { 'post_logout_redirect_uris.0': 'https_required' }],
    [{ post_logout_redirect_uris: ['com.example.app:/'] }, { post_logout_redirect_uris: 'private_scheme' }],
    [{ post_logout_redirect_uris: Array(51).fill('https://a.example/') }, { post_logout_redirect_uris: 'too_long' }],
    [{ secret_hash: 'x' }, { secret_hash: 'unknown' }],
  ])('refuse %j and change nothing', async (changes, fields) => {
    const { put, read } = await app()
    const before = await read()
    expect(await put(changes as never)).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(await read()).toEqual(before)
  })

  test('keep each address of the way back from a sign-out once', async () => {
    const { put } = await app()
    const uri = 'https://a.example/bye'
    expect(await put({ post_logout_redirect_uris: [uri, uri] })).toMatchObject({
      data: { post_logout_redirect_uris: [uri] },
    })
  })
})

test('security §7.5 what proves the app is changed like its secret: after a fresh sign-in', async () => {
  const { put } = await app()
  const { publicKey } = await generateKeyPair('ES256')
  const jwks = { keys: [await exportJWK(publicKey)] } as clients.Advanced['jwks']
  const proofs: Partial<clients.Advanced>[] = [
    { jwks },
    { jwks_uri: 'https://app.example/keys' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks },
    { require_client_secret: false },
  ]
  house.clock.advance(601)
  await switchTo(ana, organisation.developer_id)
  const stale = { http: 403, problem: { code: 'reauthentication_required' } }
  for (const proof of proofs) expect(await put(proof), Object.keys(proof).join()).toMatchObject(stale)
  expect(await put({ access_token_ttl: 300, require_client_secret: true, jwks: null })).toMatchObject({ ok: true })
  expect(await ana.call(auth.reauthenticate, { password: people.ana.password })).toMatchObject({ ok: true })
  for (const proof of proofs) expect(await put(proof), Object.keys(proof).join()).toMatchObject({ ok: true })
})
