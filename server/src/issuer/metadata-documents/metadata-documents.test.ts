import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { activity, clientDiagnostics, clients, connections, LIMITS, scopes } from '@vrata/contract'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DocumentHost, LOCALHOST_CERTIFICATE, startDocumentHost } from '../../../../testing/document-host.ts'
import { untilLockIsAwaited } from '../../../test/databases/until-lock-is-awaited.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  authorize,
  authorizeUrl,
  codeFor,
  follow,
  here,
  post,
  refresh,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'
import { findClientForShare, findIssuerClient, newClientRow } from '../../features/clients/public.ts'
import { newId } from '../../lib/ids.ts'
import { pruneAll } from '../../prune.ts'

/** An unregistered program identifies itself by the address of a document on another host. */
let server: TestServer
let host: DocumentHost
let ana: SignedIn
let published = 0

const certificates = getCACertificates('default')
beforeAll(async () => {
  setDefaultCACertificates([...certificates, readFileSync(LOCALHOST_CERTIFICATE, 'utf8')])
  host = await startDocumentHost()
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  ana = await server.as(people.ana)
})
afterAll(async () => {
  await server.close()
  host.close()
  setDefaultCACertificates(certificates)
})
beforeEach(() => void host.requests.splice(0))

const CALLBACK = 'http://127.0.0.1:4711/callback'

/** Publishes a document; resolves with the client that it describes. */
function publish(metadata: Record<string, unknown> = {}, headers: Record<string, string> = {}): ThirdParty {
  published += 1
  const path = `/client-${published}.json`
  const client_id = host.origin + path
  const document = { client_id, client_name: 'Notes for Agents', redirect_uris: [CALLBACK], ...metadata }
  host.publish(path, document, headers)
  return { client_id, client_secret: null, redirect_uri: CALLBACK }
}

const errorOf = (page: URL) => page.searchParams.get('error')
const askedFor = ({ client_id }: ThirdParty) => host.requests.filter((path) => host.origin + path === client_id).length
/** Sends an authorization request; resolves with the page that the browser comes to. */
const consentPage = async (app: ThirdParty, scope = 'openid profile') =>
  follow(ana, here(await authorize(ana, app, { scope })))
/** Sends an authorization request and allows it. */
async function signIn(app: ThirdParty, scope = 'openid profile') {
  const page = await consentPage(app, scope)
  const uid = page.searchParams.get('uid') as string
  const granted = await ana.call(connections.submitConsent, { client: app.client_id, uid, scopes: scope.split(' ') })
  return { page, uid, granted }
}

/** Parameters that authenticate the client with its key (RFC 7523 §2.2). */
async function assertionOf({ client_id }: ThirdParty, key: CryptoKey, alg: string) {
  const client_assertion = await new SignJWT({ jti: alg })
    .setProtectedHeader({ alg, kid: 'one' })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(server.config.url)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(key)
  return { client_assertion, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }
}

describe('a client that is identified by its metadata document', () => {
  test('signs a user in without registration, and asks for consent each time on loopback', async () => {
    const app = publish()
    const { page, uid, granted } = await signIn(app)
    expect(page.pathname).toBe('/oauth')
    expect(good(granted).redirect_to).toBe(`/authorize/${uid}`)
    const again = await consentPage(app)
    expect(again.pathname, 'anybody can use a loopback address (RFC 8252 §8.6)').toBe('/oauth')
  })

  test('gets tokens with PKCE, on any port of a loopback address', async () => {
    const app = {
      ...publish({ redirect_uris: ['https://agent.example/callback'] }),
      redirect_uri: 'https://agent.example/callback',
    }
    await signIn(app, 'openid profile')
    const { form } = await codeFor(ana, app, { scope: 'openid profile' })
    const answer = await post(server, app, '/token', form)
    expect(answer.json()).toMatchObject({ scope: 'openid profile', token_type: 'Bearer' })
    const { access_token, refresh_token } = answer.json()
    expect((await userinfo(server, access_token)).json()).toMatchObject({ sub: ana.user.id })
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
    const local = publish()
    const elsewhere = await consentPage({ ...local, redirect_uri: 'http://127.0.0.1:9999/callback' })
    expect(elsewhere.pathname).toBe('/oauth')
    const unknown = await authorize(ana, { ...local, redirect_uri: 'http://127.0.0.1:4711/other' })
    expect(errorOf(unknown)).toBe('invalid_redirect_uri')
  })

  test('must use PKCE', async () => {
    const back = await authorize(ana, publish(), { code_challenge: undefined, code_challenge_method: undefined })
    expect(back.searchParams.get('error_description')).toMatch(/PKCE/)
  })

  test('authenticates with a key that its document contains', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA')
    const redirect_uri = 'https://agent.example/callback'
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', use: 'sig' }] }
    const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks, redirect_uris: [redirect_uri] }
    const app = { ...publish(metadata), redirect_uri }
    await signIn(app)
    const { form } = await codeFor(ana, app, { scope: 'openid profile' })
    const answer = await post(server, app, '/token', { ...form, ...(await assertionOf(app, privateKey, 'EdDSA')) })
    expect(answer.statusCode).toBe(200)
  })

  test('authenticates with its key, at the origin of its document', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const keys = host.publish('/jwks.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', use: 'sig' }] })
    const redirect_uri = 'https://agent.example/callback'
    const app = {
      ...publish({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: keys, redirect_uris: [redirect_uri] }),
      redirect_uri,
    }
    await signIn(app)
    const { form } = await codeFor(ana, app, { scope: 'openid profile' })
    expect((await post(server, app, '/token', form)).statusCode, 'without its key').toBe(401)
    const answer = await post(server, app, '/token', { ...form, ...(await assertionOf(app, privateKey, 'ES256')) })
    expect(answer.statusCode).toBe(200)
    const foreign = publish({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://keys.example/jwks' })
    expect(errorOf(await authorize(ana, foreign))).toBe('invalid_client_metadata')
  })

  test('may ask for scopes that apps define, and only for those that its document names, if it names any', async () => {
    const organization = await createOrganization(server, ana)
    const notes = await organization.app({ name: 'Notes' })
    good(
      await ana.call(scopes.defineScope, { id: notes.client_id, key: 'notes.read', title: { 'en-US': 'Read notes' } }),
    )
    const { granted } = await signIn(publish(), 'openid notes.read')
    expect(good(granted).scopes).toEqual(['openid', 'notes.read'])
    const narrow = await authorize(ana, publish({ scope: 'openid' }), { scope: 'openid notes.read' })
    expect(narrow.searchParams.get('error')).toBe('invalid_scope')
  })

  test('is asked about without scopes that do not exist, or do not exist any more', async () => {
    const organization = await createOrganization(server, ana)
    const { client_id: id } = await organization.app({ name: 'Shoals' })
    const keys = ['shoals.read', 'shoals.write']
    for (const key of keys) good(await ana.call(scopes.defineScope, { id, key, title: { 'en-US': 'Shoals' } }))
    const resource = 'https://shoals.example/mcp'
    good(await ana.call(scopes.addResource, { id, identifier: resource, name: 'Shoals', scopes: keys }))
    const app = publish()
    const scope = 'shoals.read shoals.write shoals.unknown mcp:tools'
    const page = await follow(ana, here(await authorize(ana, app, { scope, resource })))
    expect(page.searchParams.get('scope')).toBe('shoals.read shoals.write')
    const uid = page.searchParams.get('uid') as string
    const asked = async (named: string) =>
      good(await ana.call(connections.getConsent, { client: app.client_id, uid, scopes: named })).scopes
    for (const named of ['', scope, 'shoals.read shoals.write'])
      expect((await asked(named)).map(({ key }) => key)).toEqual(keys)
    good(await ana.call(scopes.removeScope, { id, key: 'shoals.write' }))
    for (const named of ['', 'shoals.read shoals.write'])
      expect((await asked(named)).map(({ key }) => key)).toEqual(['shoals.read'])
    const decide = (chosen: string[]) =>
      ana.call(connections.submitConsent, { client: app.client_id, uid, scopes: chosen })
    expect(await decide(keys)).toMatchObject({ http: 400, problem: { code: 'unknown_scope' } })
    expect(good(await decide(['shoals.read'])).redirect_to).toBe(`/authorize/${uid}`)
    expect((await follow(ana, `/authorize/${uid}`)).searchParams.has('code')).toBe(true)
  })

  test('is named by its host, and never by the name alone that it gives itself', async () => {
    const app = publish({
      client_name: 'Your Bank',
      logo_uri: 'https://bank.example/logo.png',
      client_uri: `${host.origin}/about`,
      policy_uri: 'https://bank.example/privacy',
    })
    const { uid } = await signIn(app)
    const consent = good(await ana.call(connections.getConsent, { client: app.client_id, uid }))
    const { host: verified } = new URL(host.origin)
    expect(consent.client).toEqual({
      client_id: app.client_id,
      name: verified,
      icon: null,
      description: null,
      home_page_url: `${host.origin}/about`,
      privacy_policy_url: null,
      terms_of_service_url: null,
      verified: false,
      developer: { name: verified, logo: null, website: null },
      claimed_name: 'Your Bank',
    })
    expect(consent.redirect_host).toBe('127.0.0.1:4711')
    const found = good(await ana.call(scopes.exploreClients, { query: 'localhost' }))
    expect(found).toEqual([])
  })

  test('is listed among connected apps and in the activity, and loses access when the user removes it', async () => {
    const redirect_uri = 'https://agent.example/callback'
    const app = { ...publish({ redirect_uris: [redirect_uri] }), redirect_uri }
    await signIn(app)
    const { form } = await codeFor(ana, app, { scope: 'openid profile' })
    const { access_token, refresh_token } = (await post(server, app, '/token', form)).json()
    const { client_id } = app
    const listed = good(await ana.call(connections.listConnections))
    expect(listed.find(({ client }) => client.client_id === client_id)?.client.claimed_name).toBe('Notes for Agents')
    const entries = good(await ana.call(activity.listActivity, { client_id }))
    expect(entries.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['LOGGED_IN_TO_APP', 'GRANTED_SCOPES_TO_APP']),
    )
    expect(entries[0]?.app).toMatchObject({ client_id, name: new URL(host.origin).host })
    expect(good(await ana.call(connections.removeConnection, { client: client_id }))).toEqual({})
    expect((await userinfo(server, access_token)).statusCode).toBe(401)
    expect((await refresh(server, app, refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('gets no device codes', async () => {
    const app = publish({ grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] })
    await authorize(ana, app)
    const answer = await post(server, app, '/device_authorization', { scope: 'openid' })
    expect(answer.json()).toMatchObject({ error: 'unauthorized_client' })
  })

  test('of an unknown program is recorded for no developer', async () => {
    const app = publish()
    await signIn(app)
    const organization = await createOrganization(server, ana)
    expect(organization.developer_id).not.toBe('unregistered')
    const read = await ana.call(clients.getClient, { id: 'x'.repeat(10) })
    expect(read).toMatchObject({ http: 404 })
  })
})

test('a document of many redirect URIs is used without those that are not accepted', async () => {
  const redirect_uris = ['editor://auth/callback', 'com.editor.app:/callback', 'http://localhost/callback', CALLBACK]
  const app = publish({ redirect_uris })
  for (const redirect_uri of ['http://localhost:5123/callback', 'com.editor.app:/callback', CALLBACK]) {
    expect((await consentPage({ ...app, redirect_uri })).pathname, redirect_uri).toBe('/oauth')
  }
  expect(errorOf(await authorize(ana, { ...app, redirect_uri: 'editor://auth/callback' }))).toBe('invalid_redirect_uri')
})

test('rejected requests are shown to the developers of the API that they name', async () => {
  const organization = await createOrganization(server, ana)
  const { client_id: id } = await organization.app({ name: 'Tides' })
  good(await ana.call(scopes.defineScope, { id, key: 'tides.read', title: { 'en-US': 'Read tides' } }))
  const resource = 'https://tides.example/mcp'
  good(await ana.call(scopes.addResource, { id, identifier: resource, name: 'Tides', scopes: ['tides.read'] }))
  const [wrong, plain] = [publish({ client_secret: 'a secret' }), publish()]
  await authorize(ana, wrong, { resource, scope: 'tides.read' })
  await authorize(ana, plain, {
    resource,
    scope: 'tides.read',
    code_challenge: undefined,
    code_challenge_method: undefined,
  })
  const shown = good(await ana.call(clientDiagnostics.listClientErrors, { id }))
  expect(shown.map(({ reason, detail }) => `${reason}: ${detail}`).sort()).toEqual(
    [
      `unregistered_client: ${wrong.client_id} (must not contain client_secret or client_secret_expires_at)`,
      `unregistered_client: ${plain.client_id} (pkce_missing)`,
    ].sort(),
  )
})

describe('a document is rejected', () => {
  test.each<[string, Record<string, unknown>]>([
    ['that names another client_id', { client_id: 'https://other.example/client.json' }],
    ['with a secret', { client_secret: 'a secret' }],
    ['with authentication by a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['without redirect URIs', { redirect_uris: undefined }],
    ['with a redirect URI on plain http', { redirect_uris: ['http://agent.example/callback'] }],
    ['with a wildcard', { redirect_uris: ['https://*.agent.example/callback'] }],
    [
      'with a private key',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] },
      },
    ],
    ['with the implicit flow alone', { response_types: ['token'] }],
    ['with a client_uri on another scheme', { client_uri: 'javascript:alert(1)' }],
    ['that is too long', { padding: 'x'.repeat(6000) }],
  ])('%s', async (_, metadata) => {
    expect(errorOf(await authorize(ana, publish(metadata)))).toBe('invalid_client_metadata')
  })

  test.each<[string, string]>([
    ['a redirect', 'redirect'],
    ['not found', 'missing'],
    ['no JSON type', 'html'],
    ['a list', 'list'],
  ])('when the answer is %s', async (_, kind) => {
    const path = `/answer-${kind}.json`
    const app = { ...publish(), client_id: host.origin + path }
    host.answer(path, (_, response) => {
      if (kind === 'redirect') response.writeHead(302, { location: publish().client_id }).end()
      else if (kind === 'missing') response.writeHead(404).end()
      else if (kind === 'html')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(JSON.stringify({ client_id: app.client_id, redirect_uris: [CALLBACK] }))
      else response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    })
    expect(errorOf(await authorize(ana, app))).toBe('invalid_client_metadata')
    expect(server.logged()).toContain('unregistered client refused')
  })

  test.each(['https://localhost/a/../b', 'https://user@localhost/c', 'https://localhost/c#d'])(
    'at the address %s',
    async (client_id) => {
      const page = await authorize(ana, { ...publish(), client_id })
      expect(errorOf(page)).toBe('invalid_client_metadata')
    },
  )
})

describe('documents are requested', () => {
  test('once while they are fresh, and again afterwards', async () => {
    const app = publish({}, { 'cache-control': 'public, max-age=300' })
    await authorize(ana, app)
    await authorize(ana, app)
    expect(askedFor(app)).toBe(1)
    server.clock.advance(299)
    await authorize(ana, app)
    expect(askedFor(app)).toBe(1)
    server.clock.advance(2)
    await authorize(ana, app)
    expect(askedFor(app)).toBe(2)
  })

  test.each([
    ['no-store', 61],
    ['max-age=99999999', 86_401],
  ])('within our bounds, whatever the header says (%s)', async (header, after) => {
    const app = publish({}, { 'cache-control': header })
    await authorize(ana, app)
    server.clock.advance(after - 2)
    await authorize(await server.as(people.ana), app)
    expect(askedFor(app)).toBe(1)
    server.clock.advance(2)
    await authorize(await server.as(people.ana), app)
    expect(askedFor(app)).toBe(2)
  })

  test('once by requests at the same time', async () => {
    const app = publish()
    await Promise.all(Array.from({ length: 5 }, () => authorize(ana, app)))
    expect(askedFor(app)).toBe(1)
  })

  test('and followed when they change: a removed redirect URI is rejected', async () => {
    const app = publish()
    await signIn(app)
    const path = new URL(app.client_id).pathname
    host.publish(path, { client_id: app.client_id, redirect_uris: ['https://agent.example/new'] })
    server.clock.advance(601)
    expect(errorOf(await authorize(ana, app))).toBe('invalid_redirect_uri')
  })

  test('by two servers at the same time: the document requested later stays', async () => {
    const app = publish()
    const path = new URL(app.client_id).pathname
    const release = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const send = (response: ServerResponse, redirect_uri: string) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ client_id: app.client_id, redirect_uris: [redirect_uri] }))
    host.answer(path, async (_, response) => {
      host.answer(path, (_, response) => send(response, 'https://agent.example/new'))
      asked.resolve()
      await release.promise
      send(response, CALLBACK)
    })
    const other = await server.secondNode({ VRATA_LIMITS_FACTOR: '100' })
    const slow = authorize(ana, app)
    await asked.promise
    other.clock.advance((server.clock.now().getTime() - other.clock.now().getTime()) / 1000 + 1)
    await authorize(other.browser(), { ...app, redirect_uri: 'https://agent.example/new' })
    release.resolve()
    expect(errorOf(await slow)).toBe('invalid_redirect_uri')
    const { redirect_uris } = (await findIssuerClient(server.store.read, app.client_id)) ?? {}
    expect(redirect_uris).toEqual(['https://agent.example/new'])
    await other.close()
  })

  test('but not for an hour where the host does not answer', async () => {
    const app = publish()
    await authorize(ana, app)
    host.answer(new URL(app.client_id).pathname, (request) => request.socket.destroy())
    server.clock.advance(3600)
    expect(errorOf(await authorize(await server.as(people.ana), app))).toBeNull()
    server.clock.advance(601)
    expect(errorOf(await authorize(await server.as(people.ana), app))).toBe('invalid_client_metadata')
  })

  test.each([429, 500, 503])('and used for an hour while the host answers %i', async (status) => {
    ana = await server.as(people.ana)
    const redirect_uri = 'https://agent.example/callback'
    const app = { ...publish({ redirect_uris: [redirect_uri] }), redirect_uri }
    await signIn(app)
    const { form } = await codeFor(ana, app, { scope: 'openid profile' })
    const { refresh_token } = (await post(server, app, '/token', form)).json()
    host.answer(new URL(app.client_id).pathname, (_, response) => response.writeHead(status).end())
    server.clock.advance(3600)
    const renewed = await refresh(server, app, refresh_token)
    expect(renewed.statusCode).toBe(200)
    expect(askedFor(app)).toBe(2)
    server.clock.advance(601)
    expect((await refresh(server, app, renewed.json().refresh_token)).json().error).toBe('invalid_client')
    expect(errorOf(await authorize(await server.as(people.ana), app))).toBe('invalid_client_metadata')
  })

  test('at the beginning of a flow only, so that the token endpoint causes no requests', async () => {
    const app = publish()
    const answer = await post(server, app, '/token', {
      grant_type: 'authorization_code',
      code: 'x',
      client_id: app.client_id,
    })
    expect(answer.json()).toMatchObject({ error: 'invalid_client' })
    expect(askedFor(app)).toBe(0)
  })

  test('a limited number of times by one network and of one host', async () => {
    const limited = await server.secondNode({ VRATA_LIMITS_FACTOR: '1' })
    const browser = limited.browser()
    const apps = Array.from({ length: 25 }, () => publish())
    const pages = []
    for (const app of apps) pages.push(await follow(browser, authorizeUrl(app)))
    expect(pages.filter((page) => errorOf(page) === 'invalid_client_metadata').length).toBe(5)
    const other = await follow(limited.browser(), authorizeUrl(publish()))
    expect(errorOf(other), 'the limit of the host').toBe('invalid_client_metadata')
    const [known = publish()] = apps
    limited.clock.advance(601)
    expect(errorOf(await follow(browser, authorizeUrl(known)))).toBeNull()
    expect(askedFor(known), 'a known document is renewed').toBe(2)
    await limited.close()
  })
})

test('unused documents are deleted after a day, those of connected apps stay', async () => {
  ana = await server.as(people.ana)
  const [unused, used] = [publish(), publish()]
  await authorize(ana, unused)
  await signIn(used)
  server.clock.advance(86_401)
  await pruneAll(server.deps)
  const rows = await server.store.read.selectFrom('clients').select('client_id').execute()
  const ids = rows.map(({ client_id }) => client_id)
  expect(ids).not.toContain(unused.client_id)
  expect(ids).toContain(used.client_id)
})

test('a consent that commits while an unused document is being deleted stays', async () => {
  ana = await server.as(people.ana)
  const [app, other] = [publish(), publish()]
  await authorize(ana, app)
  await signIn(other)
  server.clock.advance(86_401)
  const written = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const consent = server.deps.transaction(async ({ db }) => {
    await findClientForShare(db, app.client_id)
    const existing = db.selectFrom('connections').selectAll().where('client_id', '=', other.client_id)
    const row = await existing.executeTakeFirstOrThrow()
    await db
      .insertInto('connections')
      .values({ ...row, id: 'consent', client_id: app.client_id })
      .execute()
    written.resolve()
    await release.promise
  })
  await written.promise
  const pruning = pruneAll(server.deps)
  await untilLockIsAwaited(server)
  release.resolve()
  await Promise.all([consent, pruning])
  const connected = server.store.read.selectFrom('connections').select('client_id').where('id', '=', 'consent')
  expect(await connected.execute()).toEqual([{ client_id: app.client_id }])
})

test('an operator can turn metadata documents off', async () => {
  const off = await server.secondNode({ VRATA_CLIENT_ID_METADATA: 'off' })
  const app = publish()
  expect(errorOf(await follow(off.browser(), authorizeUrl(app)))).toBe('invalid_client')
  expect(askedFor(app)).toBe(0)
  const discovery = async (node: TestServer) =>
    (await node.app.inject({ url: '/.well-known/oauth-authorization-server' })).json()
  expect(await discovery(off)).not.toHaveProperty('client_id_metadata_document_supported')
  expect((await discovery(server)).client_id_metadata_document_supported).toBe(true)
  await off.close()
})

test('only public addresses are requested, unless the server itself is on loopback', async () => {
  const remote = await startTestServer({
    VRATA_URL: 'https://accounts.example',
    VRATA_WEB_ORIGINS: 'http://localhost:3000',
  })
  const app = publish()
  expect(errorOf(await follow(remote.browser(), authorizeUrl(app)))).toBe('invalid_client_metadata')
  expect(askedFor(app)).toBe(0)
  await remote.close()
})

/** Stores clients, as their documents would describe them. */
async function storeClients(ids: readonly string[], fetched_at: string): Promise<void> {
  const { db } = server.store
  const none = { require_client_secret: 0, token_endpoint_auth_method: 'none' } as const
  const secret = { secret_hash: null, secret_hint: null, secret_created_at: null }
  const row = (client_id: string) =>
    newClientRow(
      { client_id, developer_id: 'unregistered', name: 'x', type: 'spa' },
      { ...none, ...secret },
      server.clock.now(),
    )
  // A row has many columns, and a statement only so many values.
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100)
    await db.insertInto('clients').values(some.map(row)).execute()
    const documents = some.map((client_id) => ({ client_id, fetched_at, fresh_until: fetched_at }))
    await db.insertInto('client_metadata_documents').values(documents).execute()
  }
}

async function storeConnections(user_id: string, ids: readonly string[], time: string): Promise<void> {
  const connection = {
    user_id,
    scopes: '["openid"]' as never,
    declined: '[]' as never,
    created_at: time,
    updated_at: time,
    last_used_at: null,
    blocked_at: null,
    access_lost_at: null,
    sort_name: null,
  }
  for (let from = 0; from < ids.length; from += 100) {
    const rows = ids.slice(from, from + 100).map((client_id) => ({ ...connection, client_id, id: newId(server.clock) }))
    await server.store.db.insertInto('connections').values(rows).execute()
  }
}

test('a person can connect a limited number of unregistered programs, and remove one to connect another', async () => {
  const cvetka = await server.as(people.cvetka)
  const time = server.clock.now().toISOString()
  const ids = Array.from(
    { length: LIMITS.unregistered_clients_per_person - 1 },
    (_, n) => `${host.origin}/of-${n}.json`,
  )
  await storeClients(ids, time)
  await storeConnections(cvetka.user.id, ids, time)
  const connect = async ({ client_id }: ThirdParty) =>
    await cvetka.call(connections.submitConsent, { client: client_id, scopes: ['openid'] })
  const [last, beyond] = [publish(), publish()]
  for (const app of [last, beyond]) await authorize(cvetka, app)
  const answers = await Promise.all([connect(last), connect(beyond)])
  expect(answers.map(({ http }) => http).sort()).toEqual([200, 409])
  const [connected, refused] = answers[0].ok ? [last, beyond] : [beyond, last]
  const limit = LIMITS.unregistered_clients_per_person
  expect(await connect(refused)).toMatchObject({ problem: { code: 'limit_reached', params: { limit } } })
  expect((await connect(connected)).ok).toBe(true)
  good(await cvetka.call(connections.removeConnection, { client: connected.client_id }))
  expect((await connect(refused)).ok).toBe(true)
})

test('documents without a connection are deleted for others where there are too many', async () => {
  const old = new Date(server.clock.now().getTime() - 2 * 3600 * 1000).toISOString()
  const [used, unused] = [publish(), publish()]
  await signIn(used)
  const stored = async () =>
    (await server.store.read.selectFrom('client_metadata_documents').select('client_id').execute()).length
  const missing = 10_000 - (await stored())
  await storeClients(
    Array.from({ length: missing }, (_, n) => `${host.origin}/other-${n}.json`),
    old,
  )
  expect(errorOf(await authorize(ana, unused))).toBeNull()
  expect(await findIssuerClient(server.store.read, used.client_id)).toBeDefined()
  expect(await stored()).toBeLessThan(10_000)
})

test('any number of connected documents prevents no new ones', async () => {
  const time = server.clock.now().toISOString()
  const ids = Array.from({ length: 10_000 }, (_, n) => `${host.origin}/connected-${n}.json`)
  await storeClients(ids, time)
  await storeConnections(ana.user.id, ids, time)
  expect(errorOf(await authorize(ana, publish()))).toBeNull()
  // Documents without a connection are counted; without an older one, none is deleted.
  await storeClients(
    Array.from({ length: 10_000 }, (_, n) => `${host.origin}/fresh-${n}.json`),
    time,
  )
  expect(errorOf(await authorize(ana, publish()))).not.toBeNull()
})
