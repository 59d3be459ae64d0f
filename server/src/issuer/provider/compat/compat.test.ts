import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type ClientMetadata, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { proofKey } from '../../../../test/third-party.ts'
import * as compat from './compat.ts'
import * as compatErrors from './compat-errors.ts'
import * as compatHints from './compat-hints.ts'
import * as compatRequests from './compat-requests.ts'

// An instance of oidc-provider with its own storage, so that a failure means that the library has changed.

const REDIRECT_URI = 'https://app.example/callback'
const PKCE = { code_challenge: proofKey().challenge, code_challenge_method: 'S256' }
const config = { secure: false }

let provider: Provider
let server: Server
let origin: string
let idToken: string
const emitted: compatErrors.ProviderError[] = []
let seen: ((ctx: KoaContextWithOIDC) => void) | undefined

beforeAll(async () => {
  const signing = await generateKeyPair('ES256', { extractable: true })
  const clientKey = await generateKeyPair('ES256', { extractable: true })
  const client = (client_id: string, metadata: Partial<ClientMetadata> = {}): ClientMetadata => ({
    client_id,
    client_secret: 'secret',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  })
  provider = new Provider('https://issuer.example', {
    jwks: { keys: [{ ...(await exportJWK(signing.privateKey)), alg: 'ES256' } as never] },
    clients: [
      client('app', {
        backchannel_logout_uri: 'https://app.example/logout',
        backchannel_logout_session_required: true,
      }),
      client('key', {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [await exportJWK(clientKey.publicKey)] } as never,
      }),
      client('dpop', { dpop_bound_access_tokens: true }),
      client('tls', { tls_client_certificate_bound_access_tokens: true }),
      client('certificate', { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'app.example' }),
      client('par', { require_pushed_authorization_requests: true }),
      client('jar', { require_signed_request_object: true }),
      client('center', {
        grant_types: ['urn:openid:params:grant-type:ciba'],
        response_types: [],
        redirect_uris: [],
        backchannel_token_delivery_mode: 'poll',
      }),
      client('tv', {
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        response_types: [],
        redirect_uris: [],
      }),
    ],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', introspection_signed_response_alg: 'ES256' },
    cookies: { keys: ['key'], names: compat.providerCookieNames(config) },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true },
      revocation: { enabled: true },
      dPoP: { enabled: true },
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        tlsClientAuth: true,
        getCertificate: (ctx) => ctx.get('certificate') || undefined,
        certificateAuthorized: (ctx) => ctx.get('verified') !== '',
        certificateSubjectMatches: () => false,
      },
      deviceFlow: { enabled: true },
      ciba: {
        enabled: true,
        deliveryModes: ['poll', 'ping'],
        processLoginHint: async () => 'ana',
        validateRequestContext: async () => undefined,
        verifyUserCode: async () => undefined,
        triggerAuthenticationDevice: async () => undefined,
      },
      requestObjects: { enabled: true },
      jwtIntrospection: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.body = form
        },
      },
    },
    claims: { openid: ['sub', 'acr'], acr: null as never },
    interactions: { policy: [] },
    pkce: { required: () => true },
    ttl: { Grant: 60, Session: 60, AccessToken: 60, RefreshToken: 60, IdToken: 60, DeviceCode: 60 },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    issueRefreshToken: async () => true,
    clientBasedCORS: () => false,
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({ accountId: 'ana', clientId: ctx.oidc.client?.clientId as string })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  })
  compat.replaceSecretComparison(provider, async (client_id, secret) => client_id !== '' && secret === 'right')
  compat.replaceSessionIds(provider, (session_id, client_id) => `${session_id ? 'session' : ''}-${client_id}`)
  compatRequests.trustForwardedOrigin(provider)
  provider.Session.get = async () => {
    const session = new provider.Session()
    session.loginAccount({ accountId: 'ana' } as never)
    return session
  }
  for (const event of [
    'authorization',
    'pushed_authorization_request',
    'backchannel_authentication',
    'grant',
    'revocation',
    'end_session',
    'userinfo',
  ]) {
    provider.on(`${event}.error` as 'grant.error', (_, error) => void emitted.push(error as compatErrors.ProviderError))
  }
  provider.use(async (ctx, next) => {
    await next()
    seen?.(ctx as KoaContextWithOIDC)
  })
  const handle = provider.callback()
  server = createServer(async (request, response) => {
    compatRequests.setForwardedOrigin(request, 'https://issuer.example')
    if (request.headers['form-is-read']) {
      request.setEncoding('utf8')
      compatRequests.setFormBody(request, (await request.toArray()).join(''))
    }
    void handle(request, response)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const basic = (id: string, secret = 'right') => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

async function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = { authorization: basic('app') },
) {
  emitted.length = 0
  const response = await fetch(origin + path, { method: 'POST', body: new URLSearchParams(form), headers })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : {},
  }
}

async function authorize(params: Record<string, string | undefined> = {}, client_id = 'app') {
  emitted.length = 0
  const all = { client_id, response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid', ...PKCE, ...params }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return await fetch(`${origin}/auth?${new URLSearchParams(given)}`, {
    redirect: 'manual',
    headers: { accept: 'application/json' },
  })
}

async function codeFor(client_id = 'app') {
  const { verifier, challenge } = proofKey()
  const response = await authorize({ code_challenge: challenge }, client_id)
  const code = new URL(response.headers.get('location') as string).searchParams.get('code') as string
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier }
}

/** The context of the request that `work` sends. */
async function contextOf(work: () => Promise<unknown>): Promise<KoaContextWithOIDC> {
  let context: KoaContextWithOIDC | undefined
  seen = (ctx) => {
    context = ctx
  }
  await work()
  seen = undefined
  return context as KoaContextWithOIDC
}

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A client assertion with an algorithm that private_key_jwt does not have. */
function assertionOf(client_id: string): string {
  const parts = [{ alg: 'HS256' }, { sub: client_id }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${parts.join('.')}.c2ln`
}

/** A DPoP proof for userinfo. */
async function dpopProof(access_token: string): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const ath = createHash('sha256').update(access_token).digest('base64url')
  return await new SignJWT({ jti: crypto.randomUUID(), htm: 'GET', htu: 'https://issuer.example/me', ath })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey)
}

describe('patched members', () => {
  test('replaceSecretComparison: the secret is compared by our function', async () => {
    const token = (secret: string) =>
      post('/token', { grant_type: 'refresh_token', refresh_token: 'x' }, { authorization: basic('app', secret) })
    expect((await token('right')).body.error).toBe('invalid_grant')
    expect((await token('secret')).body.error).toBe('invalid_client')
    const without = { Client: class {} } as unknown as Provider
    expect(() => compat.replaceSecretComparison(without, async () => true)).toThrow(/compareClientSecret/)
  })

  test('replaceSessionIds: sid of the ID token is ours', async () => {
    const { body } = await post('/token', await codeFor())
    idToken = body.id_token
    expect(decodeJwt(idToken).sid).toBe('session-app')
    expect(() => compat.replaceSessionIds({ Session: class {} } as unknown as Provider, () => '')).toThrow(/sidFor/)
  })

  test('replaceTokenValues: codes and opaque tokens have our values, JWTs a jti of the library', async () => {
    const own = new Provider('https://issuer.example', { clients: [] })
    compat.replaceTokenValues(own, () => 'our value')
    const newValue = (token: unknown) => (token as { generateTokenId(): string }).generateTokenId()
    for (const kind of ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'ClientCredentials'] as const)
      expect(newValue(new own[kind]({} as never)), kind).toBe('our value')
    const resourceServer = { accessTokenFormat: 'jwt', identifier: () => 'https://api.example' }
    expect(newValue(new own.AccessToken({ resourceServer } as never))).toMatch(/^[\w-]{43}$/)
    const without = { AuthorizationCode: class {} } as unknown as Provider
    expect(() => compat.replaceTokenValues(without, () => '')).toThrow(/AuthorizationCode has no generateTokenId/)
  })

  test('includeSidFor: decides about sid in ID tokens of clients without back-channel logout', async () => {
    const client = await provider.Client.find('dpop')
    const asked = () => (client as unknown as { includeSid(): unknown }).includeSid()
    expect(asked()).toBeFalsy()
    compat.includeSidFor(provider, (one) => one === client)
    expect(asked()).toBe(true)
    const withBackchannel = (await provider.Client.find('app')) as unknown as { includeSid(): boolean }
    expect(withBackchannel.includeSid()).toBe(true)
    expect(() => compat.includeSidFor({ Client: class {} } as unknown as Provider, () => true)).toThrow(/includeSid/)
  })

  test('acceptHintsOf: a hint may be signed with another algorithm than the client has registered now', async () => {
    const { IdToken } = provider as unknown as { IdToken: { validate(jwt: string, client: unknown): Promise<object> } }
    const later = Object.create((await provider.Client.find('app')) ?? null, {
      idTokenSignedResponseAlg: { value: 'RS256' },
    })
    const [header, payload] = idToken.split('.')
    await expect(IdToken.validate(idToken, later)).rejects.toThrow()
    compatHints.acceptHintsOf(provider, ['ES256', 'RS256'])
    expect(await IdToken.validate(idToken, later)).toMatchObject({ payload: { aud: 'app' } })
    for (const forged of [`${header}.${payload}.${'A'.repeat(86)}`, `${btoa('{"alg":"none"}')}.${payload}.`, 'x'])
      await expect(IdToken.validate(forged, later)).rejects.toThrow()
    const without = { IdToken: class {} } as unknown as Provider
    expect(() => compatHints.acceptHintsOf(without, [])).toThrow(/validate/)
  })

  test('nameMissingResponseType: of a client with response modes, a request without response_type gets the missing parameter in the error', async () => {
    const own = (await provider.Client.find('app')) as unknown as { responseModes?: string[] }
    own.responseModes = ['query']
    const described = async () => {
      const { headers } = await authorize({ response_type: undefined })
      return new URL(headers.get('location') ?? '').searchParams.get('error_description')
    }
    expect(await described()).toMatch(/response_mode/)
    compatErrors.nameMissingResponseType(provider)
    expect(await described()).toMatch(/missing.*response_type/)
    const response = await authorize({ response_mode: 'fragment' })
    expect(response.headers.get('location')).toMatch(/response_mode/)
    delete own.responseModes
    const without = { Client: class {} } as unknown as Provider
    expect(() => compatErrors.nameMissingResponseType(without)).toThrow(/responseModeAllowed/)
  })

  test('registerResponseMode: a response mode of ours is called', async () => {
    compat.registerResponseMode(provider, 'own', (ctx, redirect_uri, response) => {
      ctx.body = { redirect_uri, ...response }
    })
    const response = await authorize({ response_mode: 'own' })
    expect(await response.json()).toMatchObject({ redirect_uri: REDIRECT_URI, code: expect.any(String) })
  })

  test('useLiveScopes: a scope that is added later may be registered and requested', async () => {
    const scopes = new Set(['openid'])
    const metadata = { client_id: 'a', client_secret: 'b', redirect_uris: [REDIRECT_URI], scope: 'openid notes.read' }
    const own = new Provider('https://issuer.example', { clients: [metadata], scopes: ['openid'] })
    compat.useLiveScopes(own, scopes)
    await expect(own.Client.find('a')).rejects.toThrow(errors.InvalidClientMetadata)
    scopes.add('notes.read')
    expect((await own.Client.find('a'))?.scope).toBe('openid notes.read')
  })

  test('setForwardedOrigin: URLs have our origin', async () => {
    const response = await fetch(`${origin}/.well-known/openid-configuration`)
    const discovery = (await response.json()) as { token_endpoint: string }
    expect(discovery.token_endpoint).toBe('https://issuer.example/token')
  })

  test('setFormBody: a form that was read before is known, without a warning', async () => {
    const warn = vi.spyOn(console, 'warn')
    const headers = { authorization: basic('app'), 'form-is-read': 'yes' }
    const answer = await post('/token', { grant_type: 'refresh_token', refresh_token: 'unknown', b: '(ž)' }, headers)
    expect(answer.body).toMatchObject({ error: 'invalid_grant' })
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})

describe('context', () => {
  test('the context of the running request is known while a client is read', async () => {
    const results: unknown[] = []
    const { find } = provider.Client
    provider.Client.find = async (id) => {
      results.push(
        [compat.isClientSecretSent(), compat.isSignatureSent(), compat.authenticatedClientId()],
        compatRequests.sentKeyIds(),
      )
      return await find.call(provider.Client, id)
    }
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    await post('/token', form)
    await post('/token', { ...form, client_id: 'app', client_secret: 'right' }, {})
    const assertion = await new SignJWT({ sub: 'key' })
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(new Uint8Array(32))
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    await post('/token', { ...form, client_assertion: assertion, client_assertion_type: type }, {})
    provider.Client.find = find
    expect(results).toEqual([
      [true, false, undefined],
      [],
      [true, false, undefined],
      [],
      [false, true, undefined],
      ['k'],
    ])
    expect(compatRequests.sentKeyIds()).toEqual([])
    expect(compat.requestedResources()).toEqual([])
  })

  test('entities of grants', async () => {
    const form = await codeFor()
    let tokens = { body: {} as Record<string, string> }
    const code = await contextOf(async () => {
      tokens = await post('/token', form)
    })
    expect([compat.isAuthorizationCodeGrant(code.oidc), compat.deviceCodeOf(code.oidc)]).toEqual([true, undefined])
    const { refresh_token = '' } = tokens.body
    const refresh = await contextOf(() => post('/token', { grant_type: 'refresh_token', refresh_token }))
    expect(compat.refreshTokenOf(refresh.oidc)).toMatchObject({ accountId: 'ana' })
    expect(compat.isAuthorizationCodeGrant(refresh.oidc)).toBe(false)
  })

  test('the device code is an entity of its grant', async () => {
    const tv = { authorization: basic('tv') }
    const { body } = await post('/device/auth', { scope: 'openid' }, tv)
    const found = (await provider.DeviceCode.find(body.device_code)) as InstanceType<Provider['DeviceCode']>
    const grant = new provider.Grant({ accountId: 'ana', clientId: 'tv' })
    grant.addOIDCScope('openid')
    Object.assign(found, { accountId: 'ana', grantId: await grant.save(), scope: 'openid' })
    await found.save()
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const ctx = await contextOf(() => post('/token', { grant_type, device_code: body.device_code }, tv))
    expect(compat.deviceCodeOf(ctx.oidc)).toMatchObject({ accountId: 'ana' })
  })

  test('the backchannel authentication request is an entity of its grant', async () => {
    const center = { authorization: basic('center') }
    const { body } = await post('/backchannel', { scope: 'openid', login_hint: 'ana' }, center)
    const grant = new provider.Grant({ accountId: 'ana', clientId: 'center' })
    grant.addOIDCScope('openid')
    await provider.backchannelResult(body.auth_req_id as string, await grant.save())
    const form = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: body.auth_req_id as string }
    const ctx = await contextOf(() => post('/token', form, center))
    expect(compat.cibaRequestOf(ctx.oidc)).toMatchObject({ accountId: 'ana' })
  })

  test('the subject of id_token_hint, and acr of the session', async () => {
    const hinted: unknown[] = [compat.hintedSub()]
    provider.once('authorization.accepted', () => void hinted.push(compat.hintedSub()))
    const hint = await contextOf(() => authorize({ id_token_hint: idToken }))
    expect(compat.idTokenHint(hint.oidc).sub).toBe('ana')
    expect(hinted).toEqual([undefined, 'ana'])
    const forged = `${idToken.split('.').slice(0, 2).join('.')}.e30`
    const signOut = await contextOf(() => fetch(`${origin}/session/end?id_token_hint=${forged}`))
    expect(compat.idTokenHint(signOut.oidc).aud).toBe('app')
    compat.setSessionAcr(hint.oidc, '2')
    expect(hint.oidc.acr).toBe('2')
  })

  test('the state of a sign-out', async () => {
    const ctx = await contextOf(() =>
      fetch(`${origin}/session/end?${new URLSearchParams({ id_token_hint: idToken, state: 's' })}`),
    )
    expect(compat.signOutStateOf(ctx)).toMatchObject({ secret: expect.any(String) })
  })
})

test('withoutProviderCookies: removes the session cookie', async () => {
  const response = await authorize()
  const cookies = response.headers.getSetCookie()
  const { session } = compat.providerCookieNames(config)
  expect(cookies.some((cookie) => cookie.startsWith(`${session}=`))).toBe(true)
  expect(compat.withoutProviderCookies(config, [...cookies, 'other=1']).filter((c) => !c.includes('.sig='))).toEqual([
    'other=1',
  ])
})

describe('models and metadata', () => {
  const create = (metadata: Partial<ClientMetadata>) =>
    new (provider.Client as unknown as new (metadata: object) => { scope?: string })({
      client_id: 'new',
      client_secret: compat.PLACEHOLDER_CLIENT_SECRET,
      redirect_uris: [REDIRECT_URI],
      ...metadata,
    })

  test('withoutSecrets: members of an interaction that contain secrets are removed', () => {
    const interaction = {
      jti: 'id',
      returnTo: '/id',
      session: { cookie: 'cookie' },
      result: {},
      lastSubmission: {},
      parJti: 'par',
      prompt: { name: 'login', reasons: [], details: { id_token_hint: 'token' } },
      params: { id_token_hint: 'token', scope: 'openid' },
    }
    expect(compat.withoutSecrets(interaction as never)).toEqual({
      params: { scope: 'openid' },
      prompt: { name: 'login', reasons: [], details: {} },
    })
    const { IN_PAYLOAD } = provider.Interaction as unknown as { IN_PAYLOAD: string[] }
    // A new member may be a secret.
    expect(IN_PAYLOAD.toSorted().join(' ')).toBe(
      'cid deviceCode exp grantId iat jti kind lastSubmission parJti params prompt result returnTo session trusted',
    )
  })

  test('PLACEHOLDER_CLIENT_SECRET: a client with a secret method needs a secret', () => {
    expect(() => create({ client_secret: undefined as never })).toThrow('invalid_client_metadata')
  })

  test('clientScope: is never empty', () => {
    expect(compat.clientScope([])).toBe('openid')
    expect(create({ scope: compat.clientScope([]) }).scope).toBe('openid')
  })

  test('withHttps: a notification endpoint with http is rejected', () => {
    const endpoint = 'http://localhost/notified'
    const ping = (backchannel_client_notification_endpoint: string) =>
      create({
        grant_types: ['urn:openid:params:grant-type:ciba'],
        response_types: [],
        backchannel_token_delivery_mode: 'ping',
        backchannel_client_notification_endpoint,
      })
    expect(() => ping(endpoint)).toThrow()
    expect(() => ping(compat.withHttps(endpoint))).not.toThrow()
  })

  test('withoutHttpsLoopback: a native client with such an address is rejected', () => {
    const uris = ['https://localhost/callback', REDIRECT_URI]
    const native = { application_type: 'native', token_endpoint_auth_method: 'none' } as const
    expect(() => create({ ...native, redirect_uris: uris })).toThrow()
    expect(() => create({ ...native, redirect_uris: compat.withoutHttpsLoopback(uris) })).not.toThrow()
  })
})

describe('DPoP', () => {
  test('dpopProofAlg: the algorithm of the proof of the running request', async () => {
    let alg: string | undefined
    const upsert = provider.ReplayDetection.prototype.save
    provider.ReplayDetection.prototype.save = async function (...args: [number]) {
      alg = compat.dpopProofAlg()
      return await upsert.apply(this, args)
    }
    const { body } = await post('/token', await codeFor())
    const headers = { authorization: `DPoP ${body.access_token}`, dpop: await dpopProof(body.access_token) }
    await fetch(`${origin}/me`, { headers })
    provider.ReplayDetection.prototype.save = upsert
    expect(alg).toBe('ES256')
  })
})

describe('errors', () => {
  const texts = () => emitted.flatMap((error) => [error.error_description, compatErrors.errorDetail(error)])
  const token = async (form: Record<string, string>, headers?: Record<string, string>) => {
    await post('/token', { ...(await codeFor()), ...form }, headers)
  }

  test.each<[compatErrors.ErrorText, () => Promise<unknown>]>([
    ['response_type', () => authorize({ response_type: 'id_token', nonce: 'n' })],
    ['par_required', () => authorize({}, 'par')],
    ['response_mode', () => authorize({ response_mode: 'smoke' })],
    ['request_object_required', () => authorize({}, 'jar')],
    ['pkce_required', () => authorize({ code_challenge: undefined, code_challenge_method: undefined })],
    ['pkce_method', () => authorize({ code_challenge_method: 'plain' })],
    ['dpop_missing', async () => post('/token', await codeFor('dpop'), { authorization: basic('dpop') })],
    ['dpop_proof', () => token({}, { authorization: basic('app'), dpop: 'x' })],
    ['certificate_missing', async () => post('/token', await codeFor('tls'), { authorization: basic('tls') })],
    ['certificate_missing', () => token({ client_id: 'certificate' }, {})],
    ['certificate', () => token({ client_id: 'certificate' }, { certificate: 'x' })],
    ['certificate', () => token({ client_id: 'certificate' }, { certificate: 'x', verified: 'x' })],
    ['client_authentication_missing', () => token({ client_id: 'app' }, {})],
    ['client_assertion', () => token({ client_assertion: 'x' }, {})],
    [
      'signature_algorithm',
      () => token({ client_assertion: assertionOf('key'), client_assertion_type: ASSERTION }, {}),
    ],
    [
      'sender_constraint',
      async () => {
        const { body } = await post('/token', await codeFor())
        const headers = { authorization: `DPoP ${body.access_token}`, dpop: await dpopProof(body.access_token) }
        await fetch(`${origin}/me`, { headers })
      },
    ],
    ['secret_wrong', () => token({}, { authorization: basic('app', 'wrong') })],
    ['redirect_uri_changed', () => token({ redirect_uri: 'https://other.example/' })],
    ['code_verifier', () => token({ code_verifier: 'x'.repeat(43) })],
    ['code_verifier_missing', () => token({ code_verifier: 'short' })],
    ['origin', () => token({}, { authorization: basic('app'), origin: 'https://other.example' })],
    [
      'grant_type_not_allowed',
      () => token({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' }),
    ],
    ['grant_type_not_allowed', () => post('/backchannel', { scope: 'openid' })],
    ['login_hint', () => post('/backchannel', { scope: 'openid' }, { authorization: basic('center') })],
    [
      'post_logout_redirect_uri',
      () =>
        fetch(
          `${origin}/session/end?${new URLSearchParams({ client_id: 'app', post_logout_redirect_uri: 'https://other.example/' })}`,
        ),
    ],
  ])('the text of %s', async (name, send) => {
    emitted.length = 0
    await send()
    expect(texts().filter((text) => compatErrors.isErrorText(text, name))).not.toEqual([])
  })

  test('refusedScope: the scope of invalid_scope', () => {
    expect(compatErrors.refusedScope(new errors.InvalidScope('not allowed', 'phone'))).toBe('phone')
  })

  test('isUnauthorizedClient: a grant type that the client may not use', async () => {
    const { body } = await post('/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'x',
    })
    expect(body.error).toBe('invalid_request')
    expect(compatErrors.isUnauthorizedClient(body)).toBe(true)
  })

  test('introspectingClient: a JWT is rejected after the client has authenticated', async () => {
    const jwt = contextOf(() => post('/token/introspection', { token: idToken }))
    expect(compat.introspectingClient(await jwt)).toBe('app')
    const other = contextOf(() =>
      post('/token/introspection', { token: idToken }, { authorization: basic('app', 'wrong') }),
    )
    expect(compat.introspectingClient(await other)).toBeUndefined()
  })

  test('setIntrospection: the response is replaced, and signed when a JWT is requested', async () => {
    const headers = (accept: string) => ({ authorization: basic('app'), accept })
    const replaced = async (accept: string) => {
      const ctx = await contextOf(() => post('/token/introspection', { token: 'unknown' }, headers(accept)))
      await compat.setIntrospection(ctx, { active: true, scope: 'ours' })
      return ctx.body
    }
    expect(await replaced('application/json')).toEqual({ active: true, scope: 'ours' })
    const jwt = (await replaced('application/token-introspection+jwt')) as string
    expect(decodeProtectedHeader(jwt)).toMatchObject({ typ: 'token-introspection+jwt', alg: 'ES256' })
    expect(decodeJwt(jwt)).toEqual({
      iss: 'https://issuer.example',
      aud: 'app',
      iat: expect.any(Number),
      token_introspection: { active: true, scope: 'ours' },
    })
  })

  test('removeTypeOfEmptyBody: revocation answers with an empty text', async () => {
    const ctx = await contextOf(() => post('/token/revocation', { token: 'unknown' }))
    expect(ctx.body).toBe('')
    expect(ctx.response.get('content-type')).not.toBe('')
  })
})
