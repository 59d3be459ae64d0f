import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clients, developers, scopes } from '@vrata/contract'
import { exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInBy, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { good } from '../../../test/second-factor.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { startTestServer } from '../../../test/test-server.ts'
import { allow } from '../../../test/third-party.ts'
import { issueRegistrationToken } from '../../features/client-registration/public.ts'
import { pruneAll } from '../../prune.ts'

/** RFC 7591 and RFC 7592, with openid-client where it supports them. */
const METADATA = { client_name: 'Jadrolet', redirect_uris: [jadrolet.redirect_uri] }
const SINGLE_PAGE = { ...METADATA, token_endpoint_auth_method: 'none' }

let server: TestServer
let ana: SignedIn
let organization: Organization

beforeAll(async () => {
  server = await startListeningServer({ VRATA_CLIENT_REGISTRATION: 'on' })
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

const COMMAND = { command: 'a test' }

async function tokenFor(terms: { email?: string; uses?: number; require_pkce?: boolean } = {}): Promise<string> {
  const { developer_id } = organization
  const all = { developer_id, email: people.ana.email, uses: 1, days: 1, require_pkce: true, ...terms }
  const issued = await server.deps.transaction((tx) => issueRegistrationToken(tx, COMMAND, all))
  if (!issued) throw new Error('no token')
  return issued.token
}

async function send(method: 'POST' | 'GET' | 'PUT' | 'DELETE', url: string, token?: string, payload?: object) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const answer = await server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body ? answer.json() : undefined }
}
const register = (token: string | undefined, metadata: object = METADATA) =>
  send('POST', '/register-client', token, metadata)

async function registered(metadata: object = METADATA, terms = {}) {
  const { status, body } = await register(await tokenFor(terms), metadata)
  expect([status, body.error_description]).toEqual([201, undefined])
  return body
}

/** The client as its developers see it. */
async function ownApp(id: string) {
  const [info, advanced, origins] = await Promise.all([
    ana.call(clients.getClientInfo, { id }),
    ana.call(clients.getAdvanced, { id }),
    ana.call(clients.listOrigins, { id }),
  ])
  return info.ok && advanced.ok && origins.ok ? { ...info.data, ...advanced.data, origins: origins.data } : undefined
}

describe('while client registration is off', () => {
  test('the endpoint does not exist, and discovery does not contain it', async () => {
    const closed = await startTestServer()
    const discovery = (await closed.app.inject('/.well-known/openid-configuration')).json()
    expect(discovery.registration_endpoint).toBeUndefined()
    for (const [method, url] of [
      ['POST', '/register-client'],
      ['GET', '/register-client/x'],
      ['PUT', '/register-client/x'],
      ['DELETE', '/register-client/x'],
    ] as const) {
      const headers = { authorization: 'Bearer x' }
      expect([method, (await closed.app.inject({ method, url, headers })).statusCode]).toEqual([method, 404])
    }
    await closed.close()
  })
})

test.each([
  ['GET', '/register-client', 'POST'],
  ['OPTIONS', '/register-client', 'POST'],
  ['PATCH', '/register-client/x', 'GET, HEAD, PUT, DELETE'],
] as const)('%s %s: 405, which names the methods', async (method, url, allow) => {
  const answer = await server.app.inject({ method, url })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow])
  expect(answer.json().error).toBe('invalid_request')
})

describe('a registration token', () => {
  test('registers a client to which users sign in', async () => {
    const discovery = (await server.app.inject('/.well-known/openid-configuration')).json()
    expect(discovery.registration_endpoint).toBe(`${server.config.url}/register-client`)
    const rp = await client.dynamicClientRegistration(new URL(server.config.url), METADATA, undefined, {
      initialAccessToken: await tokenFor(),
      execute: [client.allowInsecureRequests],
    })
    const { client_id, client_secret } = rp.clientMetadata()
    expect(client_secret).toMatch(/^vrts_/)
    await allow(ana, { client_id, client_secret: null })
    const tokens = await signInBy(rp, ana)
    expect(tokens.claims()).toMatchObject({ sub: ana.user.id, aud: client_id })
  })

  test('returns all metadata, and the organization sees the client and who registered it', async () => {
    const body = await registered({
      ...METADATA,
      policy_uri: 'https://jadrolet.example/privacy',
      contacts: ['a@b.example'],
    })
    expect(body).toMatchObject({
      ...METADATA,
      application_type: 'web',
      response_types: ['code'],
      grant_types: ['refresh_token', 'authorization_code'],
      scope: 'openid profile email address phone',
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'RS256',
      policy_uri: 'https://jadrolet.example/privacy',
      client_secret_expires_at: 0,
      registration_client_uri: `${server.config.url}/register-client/${body.client_id}`,
    })
    expect(body).not.toHaveProperty('contacts')
    expect(await ownApp(body.client_id)).toMatchObject({ type: 'web', require_pkce: true, require_client_secret: true })
    const done = await ana.call(developers.listDeveloperActivity, { client_id: body.client_id, type: 'CREATED_APP' })
    expect(done).toMatchObject({ data: [{ user: { id: ana.user.id }, params: { name: 'Jadrolet' } }] })
  })

  test('registers addresses that browsers open: start of a sign-in, front-channel logout, privacy policy and terms', async () => {
    const metadata = {
      ...METADATA,
      initiate_login_uri: 'https://jadrolet.example/login',
      frontchannel_logout_uri: `${new URL(jadrolet.redirect_uri).origin}/out`,
      frontchannel_logout_session_required: true,
      policy_uri: 'https://jadrolet.example/privacy',
      tos_uri: 'https://jadrolet.example/terms',
    }
    const body = await registered(metadata)
    expect(body).toMatchObject(metadata)
    const { initiate_login_uri, frontchannel_logout_uri, tos_uri } = metadata
    expect(await ownApp(body.client_id)).toMatchObject({
      initiate_login_uri,
      frontchannel_logout_uri,
      terms_of_service_url: tos_uri,
    })
    expect(await registered()).toMatchObject({ frontchannel_logout_session_required: false })
  })

  test('copies the picture of logo_uri and answers with the copy', async () => {
    const picture = await halves('png')
    const site = createServer((request, response) => {
      if (request.url === '/logo.png') response.end(picture)
      else response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const made = await registered({ ...METADATA, logo_uri: `${at}/logo.png` })
    const other = await registered({ ...METADATA, logo_uri: `${at}/logo.svg` })
    await server.outbox()
    site.close()
    const read = async ({ client_id, registration_access_token }: typeof made) =>
      (await send('GET', `/register-client/${client_id}`, registration_access_token)).body
    const { logo_uri } = await read(made)
    expect(logo_uri).toMatch(new RegExp(`^${server.config.url}/v1/media/`))
    const copy = await server.app.inject(new URL(logo_uri).pathname)
    expect([copy.statusCode, copy.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await ownApp(made.client_id)).toMatchObject({ icon: expect.any(String) })
    // Pictures that people may not upload are not copied, either.
    expect(await read(other)).not.toHaveProperty('logo_uri')
  })

  describe('whose picture at logo_uri arrives late', () => {
    let site: Server
    /** Behavior of the address before it answers a request for a path; a status is its answer. */
    let answers: Record<string, () => Promise<number | undefined>>
    beforeEach(async () => {
      const picture = await halves('png')
      answers = {}
      site = createServer(async (request, response) => {
        const status = await answers[request.url ?? '']?.()
        response.writeHead(status ?? 200).end(status ? '' : picture)
      }).listen(0, '127.0.0.1')
      await once(site, 'listening')
    })
    afterEach(() => void site.close())
    const at = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`
    const iconOf = async ({ client_id }: { client_id: string }) => (await ownApp(client_id))?.icon

    test('has the picture of its last registration', async () => {
      answers['/old.png'] = async () => 503
      const made = await registered({ ...METADATA, logo_uri: at('/old.png') })
      await server.outbox()
      answers = {}
      const { client_id, registration_access_token } = made
      const metadata = { ...METADATA, client_id, logo_uri: at('/new.png') }
      expect(await send('PUT', `/register-client/${client_id}`, registration_access_token, metadata)).toMatchObject({
        status: 200,
      })
      await server.outbox()
      const icon = await iconOf(made)
      expect(icon).toEqual(expect.any(String))
      server.clock.advance(60)
      await server.outbox()
      expect(await iconOf(made)).toBe(icon)
    })

    test('keeps the icon that a member sets meanwhile', async () => {
      const made = await registered({ ...METADATA, logo_uri: at('/slow.png') })
      let icon: string | undefined
      answers['/slow.png'] = async () => {
        const input = { id: made.client_id, icon: fileOf(await halves('png')) }
        icon = good(await ana.call(clients.setIcon, input)).icon ?? undefined
        return undefined
      }
      await server.outbox()
      expect(icon).toEqual(expect.any(String))
      expect(await iconOf(made)).toBe(icon)
    })
  })

  test('registers pairwise subjects of one host, and changes them with the redirect URIs', async () => {
    const pairwise = { ...METADATA, subject_type: 'pairwise' }
    const made = await registered(pairwise)
    expect(made).toMatchObject(pairwise)
    const url = `/register-client/${made.client_id}`
    const moved = { ...pairwise, client_id: made.client_id, redirect_uris: ['https://moved.example/callback'] }
    expect(await send('PUT', url, made.registration_access_token, moved)).toMatchObject({ status: 200 })
    const spread = { ...moved, redirect_uris: [...moved.redirect_uris, 'https://jadrolet.example/callback'] }
    const refused = await send('PUT', url, made.registration_access_token, spread)
    expect(refused).toMatchObject({
      status: 400,
      body: { error_description: 'sector_identifier_uri: sector_required' },
    })
  })

  test('checks the list of a sector before it registers', async () => {
    const sector_identifier_uri = `${server.config.url}/.well-known/openid-configuration`
    const token = await tokenFor()
    const refused = await register(token, { ...METADATA, subject_type: 'pairwise', sector_identifier_uri })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: 'sector_identifier_uri: sector_unreadable' },
    })
    // Nothing is half done: the token still registers one client.
    expect(await register(token)).toMatchObject({ status: 201 })
  })

  test('derives the kind of app from the metadata', async () => {
    const spa = await registered({ ...METADATA, token_endpoint_auth_method: 'none' })
    expect(spa).not.toHaveProperty('client_secret')
    const { origin } = new URL(jadrolet.redirect_uri)
    expect(await ownApp(spa.client_id)).toMatchObject({ type: 'spa', require_pkce: true, origins: [origin] })

    const native = await registered({
      application_type: 'native',
      grant_types: [clients.DEVICE_GRANT],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'openid',
    })
    expect(native).toMatchObject({
      client_secret: expect.stringMatching(/^vrts_/),
      response_types: [],
      scope: 'openid',
    })
    expect(await ownApp(native.client_id)).toMatchObject({ type: 'native', require_client_secret: true })

    const service = await registered({ grant_types: ['client_credentials'], client_name: 'Nočni izvoz' })
    expect(await ownApp(service.client_id)).toMatchObject({ type: 'service', name: 'Nočni izvoz' })
    const exchanging = await registered({ grant_types: [clients.TOKEN_EXCHANGE_GRANT], client_name: 'Posrednik' })
    expect(exchanging.grant_types).toEqual(['refresh_token', 'client_credentials', clients.TOKEN_EXCHANGE_GRANT])
    expect(await ownApp(exchanging.client_id)).toMatchObject({ type: 'service' })

    const { publicKey } = await generateKeyPair('ES256')
    const jwks = { keys: [await exportJWK(publicKey)] }
    const keyed = await registered({ ...METADATA, token_endpoint_auth_method: 'private_key_jwt', jwks })
    expect(keyed).toMatchObject({ jwks, token_endpoint_auth_method: 'private_key_jwt' })
    expect(keyed).not.toHaveProperty('client_secret')
  })

  test('registers of all response and grant types of a library those that there are, and answers them', async () => {
    const types = {
      response_types: ['code', 'id_token', 'code id_token'],
      grant_types: ['authorization_code', 'implicit', 'refresh_token'],
    }
    expect(await registered({ ...METADATA, ...types })).toMatchObject({
      response_types: ['code'],
      grant_types: expect.not.arrayContaining(['implicit']),
      scope: expect.stringContaining('offline_access'),
    })
  })

  test('takes members that are null or empty for omitted ones', async () => {
    const unset = { client_uri: null, scope: null, grant_types: null, response_types: null, contacts: null }
    const empty = { policy_uri: '', jwks_uri: '', id_token_encrypted_response_alg: null }
    const made = await registered({ ...METADATA, ...unset, ...empty })
    const { client_id, client_secret, registration_access_token: token } = made
    const { body } = await send('GET', `/register-client/${client_id}`, token)
    expect({ ...body, client_secret, client_secret_expires_at: 0 }).toEqual(made)
    expect(body).toMatchObject(METADATA)
    expect(body.scope).toContain('openid')
    const changed = { ...METADATA, client_id, client_secret: null, tos_uri: null }
    expect((await send('PUT', `/register-client/${client_id}`, token, changed)).status).toBe(200)
  })

  test('keeps keys for encryption beside those for signatures, and authenticates with these', async () => {
    const [signature, encryption] = [await generateKeyPair('ES256'), await generateKeyPair('RSA-OAEP')]
    const encrypting = { ...(await exportJWK(encryption.publicKey)), use: 'enc', alg: 'RSA-OAEP', kid: 'e' }
    const jwks = { keys: [encrypting, { ...(await exportJWK(signature.publicKey)), use: 'sig', kid: 's' }] }
    const metadata = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'private_key_jwt' }
    const made = await registered({ ...metadata, jwks })
    expect(made.jwks).toEqual(jwks)
    const key = { key: signature.privateKey, kid: 's' }
    const config = await client.discovery(
      new URL(server.config.url),
      made.client_id,
      undefined,
      client.PrivateKeyJwt(key),
      { execute: [client.allowInsecureRequests] },
    )
    expect(await client.clientCredentialsGrant(config)).toMatchObject({ access_token: expect.any(String) })
    const rejected = await register(await tokenFor(), { ...metadata, jwks: { keys: [encrypting] } })
    expect([rejected.status, rejected.body.error_description]).toEqual([400, expect.stringContaining('jwks')])
  })

  test('keeps, answers and replaces the algorithms of client assertions and of signed messages', async () => {
    const { publicKey } = await generateKeyPair('ES256')
    const metadata = {
      ...METADATA,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [await exportJWK(publicKey)] },
    }
    const algorithms = {
      token_endpoint_auth_signing_alg: 'PS256',
      request_object_signing_alg: 'ES256',
      authorization_signed_response_alg: 'ES256',
      userinfo_signed_response_alg: 'RS256',
      introspection_signed_response_alg: 'EdDSA',
    }
    const required = { require_signed_request_object: true }
    const made = await registered({ ...metadata, ...algorithms, ...required })
    expect(made).toMatchObject({ ...algorithms, ...required })
    expect(await ownApp(made.client_id)).toMatchObject({ ...algorithms, ...required })
    const manage = (method: 'GET' | 'PUT', body?: object) =>
      send(method, `/register-client/${made.client_id}`, made.registration_access_token, body)
    expect((await manage('GET')).body).toMatchObject(algorithms)
    const replaced = await manage('PUT', { ...metadata, client_id: made.client_id })
    expect(replaced.status).toBe(200)
    for (const name of Object.keys(algorithms)) expect(replaced.body).not.toHaveProperty(name)
    const none = Object.fromEntries(Object.keys(algorithms).map((name) => [name, null]))
    expect(await ownApp(made.client_id)).toMatchObject({ ...none, require_signed_request_object: false })
  })

  test('allows offline_access to a client without scope that registers for refresh tokens', async () => {
    const lasting = await registered({ ...METADATA, grant_types: ['authorization_code', 'refresh_token'] })
    expect(lasting.scope).toBe('openid profile email address phone offline_access')
    const named = await registered({
      ...METADATA,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid',
    })
    expect(named.scope).toBe('openid')
  })

  test('requires PKCE, unless the token allows otherwise and the client has a secret', async () => {
    const terms = { require_pkce: false }
    expect(await ownApp((await registered(METADATA, terms)).client_id)).toMatchObject({ require_pkce: false })
    const open = await registered({ ...METADATA, token_endpoint_auth_method: 'none' }, terms)
    expect(await ownApp(open.client_id)).toMatchObject({ require_pkce: true })
  })

  test.each([
    ['no redirect URI', {}, 'invalid_redirect_uri'],
    ['one that may not be', { redirect_uris: ['http://jadrolet.example/callback'] }, 'invalid_redirect_uri'],
    ['a wildcard', { redirect_uris: ['https://*.jadrolet.example/'] }, 'invalid_redirect_uri'],
    ['a scheme of its own', { redirect_uris: ['com.example.app:/back'] }, 'invalid_redirect_uri'],
    ['the implicit flow', { ...METADATA, response_types: ['id_token'] }, 'invalid_client_metadata'],
    ['the password grant', { ...METADATA, grant_types: ['password'] }, 'invalid_client_metadata'],
    [
      'two kinds of app at once',
      { ...METADATA, grant_types: ['authorization_code', 'client_credentials'] },
      'invalid_client_metadata',
    ],
    [
      'a service without a secret',
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
      'invalid_client_metadata',
    ],
    [
      'keys that it does not have',
      { ...METADATA, token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    ['a scope that nobody defines', { ...METADATA, scope: 'openid nobody.knows' }, 'invalid_client_metadata'],
    [
      'a start of a sign-in without https',
      { ...METADATA, initiate_login_uri: 'http://localhost:4000/login' },
      'invalid_client_metadata',
    ],
    [
      'front-channel logout at another origin',
      { ...METADATA, frontchannel_logout_uri: 'https://jadrolet.example/out' },
      'invalid_client_metadata',
    ],
    [
      'pairwise subject identifiers of an installed app',
      { ...METADATA, subject_type: 'pairwise', application_type: 'native' },
      'invalid_client_metadata',
    ],
    [
      'encrypted responses',
      { ...METADATA, authorization_encrypted_response_alg: 'RSA-OAEP' },
      'invalid_client_metadata',
    ],
    ['unsigned request objects', { ...METADATA, request_object_signing_alg: 'none' }, 'invalid_client_metadata'],
    [
      'client assertions signed with the secret',
      { ...METADATA, token_endpoint_auth_signing_alg: 'HS256' },
      'invalid_client_metadata',
    ],
    ['a list', [METADATA], 'invalid_client_metadata'],
  ])('is rejected: %s', async (_, metadata, error) => {
    const token = await tokenFor()
    const rejected = await register(token, metadata)
    expect([rejected.status, rejected.body.error]).toEqual([400, error])
    expect(rejected.body.error_description).toBeTruthy()
    // Rejected requests have not consumed the token.
    expect((await register(token)).status).toBe(201)
  })

  test.each([
    [{ ...METADATA, redirect_uris: 'https://jadrolet.example/' }, 'redirect_uris: invalid'],
    [{ ...METADATA, dpop_bound_access_tokens: 'true' }, 'dpop_bound_access_tokens: invalid'],
    [{ ...METADATA, id_token_encrypted_response_alg: 'RSA-OAEP' }, 'id_token_encrypted_response_alg: invalid'],
    [{ ...METADATA, response_types: ['token'] }, 'response_types: invalid'],
    [{ ...METADATA, scope: 'openid nobody.knows' }, 'scope: unknown'],
    [{ client_name: 'Trajekt' }, 'redirect_uris: required'],
  ])('is rejected with the member that is wrong, and how: %j', async (metadata, error_description) => {
    expect((await register(await tokenFor(), metadata)).body).toMatchObject({ error_description })
  })

  test('is not read with metadata of more than 64 KB', async () => {
    const [token, made] = [await tokenFor(), await registered()]
    const long = { ...METADATA, contacts: ['x'.repeat(65 * 1024)] }
    const url = `/register-client/${made.client_id}`
    for (const answer of [
      await register(token, long),
      await register(undefined, long),
      await send('PUT', url, made.registration_access_token, { ...long, client_id: made.client_id }),
    ])
      expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request'])
    expect((await register(token)).status).toBe(201)
  })

  test('registers its number of clients, also in parallel, and no more', async () => {
    const token = await tokenFor({ uses: 2 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => register(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 401, 401, 401, 401])
  })

  test('is required, must be known and must not have expired', async () => {
    const none = await register(undefined)
    expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Bearer realm="registration"'])
    const wrong = await register('vrti_made-up')
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_token'])
    expect(wrong.headers['www-authenticate']).toContain('error="invalid_token"')
    const late = await tokenFor()
    const { created_at } = await server.store.read
      .selectFrom('registration_tokens')
      .select('created_at')
      .where('client_id', 'is', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(created_at).toBe(server.clock.now().toISOString())
    server.clock.advance(24 * 60 * 60 + 1)
    expect((await register(late)).status).toBe(401)
    expect(await pruneAll(server.deps)).toBeGreaterThan(0)
    const left = await server.store.read.selectFrom('registration_tokens').select('expires_at').execute()
    expect(left.every(({ expires_at }) => expires_at === null)).toBe(true)
    ana = await server.as(people.ana)
    await organization.join(ana, 'owner')
  })

  test('acts with the current permission of the member who issued it', async () => {
    const { developer_id } = organization
    const terms = { developer_id, uses: 1, days: 1, require_pkce: true }
    const bor = await server.as(people.bor)
    const ofBor = { ...terms, email: people.bor.email }
    const issue = async () => (await server.deps.transaction((tx) => issueRegistrationToken(tx, COMMAND, ofBor)))?.token
    expect(await issue()).toBeUndefined()
    await organization.join(bor, 'analyst')
    expect(await issue()).toBeUndefined()
    await organization.join(bor, 'developer')
    const [used, unused] = [await issue(), await issue()]
    const { body } = await register(used)
    await organization.join(bor, 'analyst')
    expect((await register(unused)).status).toBe(401)
    expect((await send('GET', `/register-client/${body.client_id}`, body.registration_access_token)).status).toBe(401)
  })

  test('registers nothing while the member who issued it is disabled', async () => {
    const [used, unused] = [await tokenFor(), await tokenFor()]
    const { body } = await register(used)
    const disable = (disabled_at: string | null) =>
      server.store.db.updateTable('users').set({ disabled_at }).where('id', '=', ana.user.id).execute()
    const read = () => send('GET', `/register-client/${body.client_id}`, body.registration_access_token)
    await disable(server.clock.now().toISOString())
    expect((await register(unused)).status).toBe(401)
    expect((await read()).status).toBe(401)
    await disable(null)
    expect((await read()).status).toBe(200)
    expect((await register(unused)).status).toBe(201)
  })
})

test('registers and changes nothing while the account of the member is being deleted', async () => {
  const [used, unused] = [await tokenFor(), await tokenFor()]
  const { body } = await register(used)
  const read = () => send('GET', `/register-client/${body.client_id}`, body.registration_access_token)
  const row = { user_id: ana.user.id, requested_at: '2027-01-01T10:00:00.000Z', due_at: '2099-01-01T10:00:00.000Z' }
  await server.store.db.insertInto('account_deletions').values(row).execute()
  expect((await register(unused)).status).toBe(401)
  expect((await read()).status).toBe(401)
  await server.store.db.deleteFrom('account_deletions').execute()
  expect((await read()).status).toBe(200)
  expect((await register(unused)).status).toBe(201)
})

describe('a registration access token', () => {
  test('reads the client', async () => {
    const made = await registered()
    const read = await send('GET', `/register-client/${made.client_id}`, made.registration_access_token)
    const { client_secret: _, client_secret_expires_at: __, ...rest } = made
    expect([read.status, read.body]).toEqual([200, rest])
  })

  test('replaces the metadata; omitted members are removed', async () => {
    const made = await registered({ ...METADATA, client_uri: 'https://jadrolet.example/' })
    const { client_id } = made
    const url = `/register-client/${client_id}`
    const redirect_uris = ['https://jadrolet.example/other']
    const change = { client_id, client_name: 'Trajekt', redirect_uris, client_secret: made.client_secret }
    const changed = await send('PUT', url, made.registration_access_token, change)
    expect([changed.status, changed.body]).toMatchObject([200, { client_name: 'Trajekt', redirect_uris }])
    expect(changed.body).not.toHaveProperty('client_uri')
    expect(changed.body).not.toHaveProperty('client_secret')
    expect(await ownApp(client_id)).toMatchObject({ name: 'Trajekt', home_page_url: null, type: 'web' })

    for (const wrong of [
      { ...change, client_id: 'another' },
      { ...change, client_secret: 'guessed' },
      { ...change, application_type: 'native' },
      { client_id },
    ]) {
      expect((await send('PUT', url, made.registration_access_token, wrong)).status).toBe(400)
    }
    expect(await ownApp(client_id)).toMatchObject({ name: 'Trajekt' })
  })

  test.each(['web', 'native'])('gives the secret to a %s app that had a key before', async (application_type) => {
    const { publicKey } = await generateKeyPair('ES256')
    const jwks = { keys: [await exportJWK(publicKey)] }
    const metadata = { ...METADATA, application_type, redirect_uris: ['http://localhost:4000/callback'] }
    const made = await registered({ ...metadata, token_endpoint_auth_method: 'private_key_jwt', jwks })
    const { client_id, registration_access_token: token } = made
    const put = (method: string) =>
      send('PUT', `/register-client/${client_id}`, token, {
        ...metadata,
        client_id,
        token_endpoint_auth_method: method,
        jwks,
      })
    const { status, body } = await put('client_secret_post')
    expect([status, body]).toMatchObject([200, { client_secret: expect.stringMatching(/^vrts_/) }])
    const form = { token: 'unknown', client_id, client_secret: body.client_secret }
    const answer = await server.app.inject({
      method: 'POST',
      url: '/introspect',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, { active: false }])
    // A client that has a secret keeps it.
    const again = await put('client_secret_basic')
    expect(again.status).toBe(200)
    expect(again.body).not.toHaveProperty('client_secret')
  })

  test('deletes the client, and is invalid afterwards', async () => {
    const made = await registered()
    const url = `/register-client/${made.client_id}`
    expect(await ownApp(made.client_id)).toBeDefined()
    expect((await send('DELETE', url, made.registration_access_token)).status).toBe(204)
    expect(await ownApp(made.client_id)).toBeUndefined()
    expect((await send('GET', url, made.registration_access_token)).status).toBe(401)
  })

  test('is invalid while the rows of the deleted client are being deleted', async () => {
    const { client_id, registration_access_token: token } = await registered()
    const deleted_at = server.clock.now().toISOString()
    await server.store.db
      .updateTable('clients')
      .set({ enabled: 0, deleted_at })
      .where('client_id', '=', client_id)
      .execute()
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const metadata = method === 'PUT' ? { ...METADATA, client_id } : undefined
      const answer = await send(method, `/register-client/${client_id}`, token, metadata)
      expect([method, answer.status, answer.body?.error]).toEqual([method, 401, 'invalid_token'])
    }
  })

  test('is rejected for another client', async () => {
    const [one, other] = [await registered(), await registered()]
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const payload = method === 'PUT' ? { ...METADATA, client_id: other.client_id } : undefined
      const url = `/register-client/${other.client_id}`
      expect((await send(method, url, one.registration_access_token, payload)).status).toBe(401)
    }
    expect((await register(one.registration_access_token)).status).toBe(401)
  })

  test('keeps a stored name that a new client could not have', async () => {
    expect(await register(await tokenFor(), { ...METADATA, client_name: 'Odpri evil.example' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: 'client_name: web_address' },
    })
    const { client_id, registration_access_token: token } = await registered()
    const name = 'Letala jadrolet.example'
    await server.store.db.updateTable('clients').set({ name }).where('client_id', '=', client_id).execute()
    const put = (client_name: string) =>
      send('PUT', `/register-client/${client_id}`, token, { ...METADATA, client_id, client_name })
    expect((await put(name)).status).toBe(200)
    expect(await ownApp(client_id)).toMatchObject({ name })
    expect((await put(`${name}/x`)).status).toBe(400)
  })

  test('gets a name that is not a web address, also when the metadata have no name', async () => {
    const redirect_uris = ['https://evil.example/callback']
    const { client_id, registration_access_token: token, client_name } = await registered({ redirect_uris })
    expect(client_name).toBe('App')
    const put = (uri: string) =>
      send('PUT', `/register-client/${client_id}`, token, { client_id, redirect_uris: [uri] })
    expect((await put('https://evil.example/other')).body).toMatchObject({ client_name: 'App' })
    expect((await put('http://localhost:4000/callback')).body).toMatchObject({ client_name: 'localhost:4000' })
  })

  test('updates with what it has read, and nothing else changes', async () => {
    const maker = good(await ana.call(clients.createClient, { name: 'Trajekti' }))
    const defined = { id: maker.client_id, key: 'ferries.read' }
    good(await ana.call(scopes.defineScope, { ...defined, title: { 'en-US': 'Read ferries' } }))
    const service = { client_name: 'Nočni izvoz', grant_types: ['client_credentials'] }
    const redirect_uri = jadrolet.redirect_uri
    const origin = new URL(redirect_uri).origin
    const other = { redirect_uri: 'https://jadrolet.example/callback', origin: 'https://www.jadrolet.example' }
    const public_app = { require_client_secret: false, token_endpoint_auth_method: 'none' } as const
    const kinds: [object, (id: string) => Promise<unknown>][] = [
      [service, async (id) => good(await ana.call(clients.addRedirectUri, { id, redirect_uri }))],
      [METADATA, async (id) => good(await ana.call(clients.updateAdvanced, { id, require_client_secret: false }))],
      [METADATA, async (id) => good(await ana.call(clients.updateAdvanced, { id, ...public_app }))],
      [METADATA, async (id) => good(await ana.call(clients.addOrigin, { id, origin: other.origin }))],
      [SINGLE_PAGE, async (id) => good(await ana.call(clients.addOrigin, { id, origin: other.origin }))],
      [SINGLE_PAGE, async (id) => good(await ana.call(clients.removeOrigin, { id, origin }))],
      [
        SINGLE_PAGE,
        async (id) => {
          good(await ana.call(clients.updateAdvanced, { id, require_client_secret: true }))
          good(await ana.call(clients.regenerateSecret, { id }))
        },
      ],
      [
        { ...METADATA, frontchannel_logout_uri: `${origin}/signed-out` },
        async (id) => {
          good(await ana.call(clients.addRedirectUri, { id, redirect_uri: other.redirect_uri }))
          good(await ana.call(clients.removeRedirectUri, { id, redirect_uri }))
        },
      ],
      [{ ...service, scope: defined.key }, async () => good(await ana.call(scopes.removeScope, defined))],
    ]
    for (const [metadata, change] of kinds) {
      const { client_id, registration_access_token: token } = await registered(metadata)
      await change(client_id)
      const before = await ownApp(client_id)
      const url = `/register-client/${client_id}`
      const { body } = await send('GET', url, token)
      expect(await send('PUT', url, token, body)).toMatchObject({ status: 200, body })
      expect(await ownApp(client_id)).toEqual(before)
    }
  })

  test('changes the origins of a single-page app with its redirect URIs, and not those that members add', async () => {
    const { client_id, registration_access_token: token } = await registered(SINGLE_PAGE)
    good(await ana.call(clients.addOrigin, { id: client_id, origin: 'https://www.jadrolet.example' }))
    const redirect_uris = ['https://jadrolet.example/callback', 'https://jadrolet.example/other']
    const changed = { ...SINGLE_PAGE, client_id, redirect_uris }
    expect((await send('PUT', `/register-client/${client_id}`, token, changed)).status).toBe(200)
    const { origins = [] } = (await ownApp(client_id)) ?? {}
    expect(origins.toSorted()).toEqual(['https://jadrolet.example', 'https://www.jadrolet.example'])
  })

  test('gives a single-page app a secret, with which it authenticates from then on', async () => {
    const { client_id, registration_access_token: token } = await registered(SINGLE_PAGE)
    const changed = { ...SINGLE_PAGE, client_id, token_endpoint_auth_method: 'client_secret_basic' }
    const { status, body } = await send('PUT', `/register-client/${client_id}`, token, changed)
    expect([status, body]).toMatchObject([200, { client_secret: expect.stringMatching(/^vrts_/) }])
    expect(await ownApp(client_id)).toMatchObject({ type: 'spa', require_client_secret: true, require_pkce: true })
  })

  test('cannot enable a client that a moderator has disabled', async () => {
    const { client_id, registration_access_token: token } = await registered()
    await ana.call(clients.updateClientInfo, { id: client_id, enabled: false })
    expect((await send('PUT', `/register-client/${client_id}`, token, { ...METADATA, client_id })).status).toBe(200)
    expect(await ownApp(client_id)).toMatchObject({ enabled: false })
  })

  test('is not stored in plain', async () => {
    const initial = await tokenFor()
    const { body } = await register(initial)
    const rows = JSON.stringify(await server.store.read.selectFrom('registration_tokens').selectAll().execute())
    for (const token of [initial, body.registration_access_token]) expect(rows).not.toContain(token)
  })
})

test.each(['%00', 'vrt_%00', 'vrt_nothing'])('a program is not told anything about the client %s', async (id) => {
  const { registration_access_token } = await registered()
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const metadata = method === 'PUT' ? METADATA : undefined
    const answer = await send(method, `/register-client/${id}`, registration_access_token, metadata)
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token'])
  }
})
