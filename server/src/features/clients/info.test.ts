import { clients, scopes, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization, switchTo } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
})
afterAll(() => server?.close())

describe('creating a client', () => {
  test('returns an id, a secret that is shown once, and initial settings', async () => {
    const made = await ana.call(clients.createClient, { name: 'Jadrolet', redirect_uri: 'https://jadrolet.example/cb' })
    expect(made).toMatchObject({
      http: 201,
      data: {
        client_id: expect.stringMatching(/^vrt_[a-hj-km-np-z2-9]{16}$/),
        client_secret: expect.stringMatching(/^vrts_[\w-]{43}$/),
        name: 'Jadrolet',
        type: 'web',
        enabled: true,
        scopes: ['openid', 'profile', 'email'],
        icon: null,
      },
    })
    if (!made.ok) return
    const { client_secret, client_id: id, ...info } = made.data
    expect(info.secret_hint).toBe(client_secret?.slice(-4))
    const read = await ana.call(clients.getClient, { id })
    expect(read).toMatchObject({ data: { ...info, client_id: id } })
    expect(JSON.stringify(read)).not.toContain('secret_hash')
    expect(await ana.call(clients.getClientInfo, { id })).toEqual(read)
    expect(await ana.call(clients.listRedirectUris, { id })).toMatchObject({
      data: ['https://jadrolet.example/cb'],
    })
  })

  test('stores and logs no secret', async () => {
    const { client_id, client_secret } = await organization.app()
    const row = await server.store.read
      .selectFrom('clients')
      .selectAll()
      .where('client_id', '=', client_id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(client_secret?.slice(5))
    expect(server.logged()).not.toContain(client_secret)
  })

  test.each([
    ['web', true, 'client_secret_basic'],
    ['service', true, 'client_secret_basic'],
    ['spa', false, 'none'],
    ['native', false, 'none'],
  ] as const)('of type %s: secret %s, method %s, PKCE always', async (type, secret, method) => {
    const { client_id, client_secret } = await organization.app({ type })
    expect(typeof client_secret === 'string').toBe(secret)
    expect(await ana.call(clients.getAdvanced, { id: client_id })).toMatchObject({
      data: {
        require_client_secret: secret,
        require_pkce: true,
        allow_popup: false,
        token_endpoint_auth_method: method,
        access_token_ttl: 600,
        refresh_token_ttl: 30 * 24 * 60 * 60,
        post_logout_redirect_uris: [],
        id_token_signed_response_alg: 'RS256',
      },
    })
  })

  test.each([
    [{ name: '' }, { name: 'required' }],
    [{ name: 'App', type: 'fridge' }, { type: 'invalid' }],
    [{ name: 'App', redirect_uri: 'http://app.example/cb' }, { redirect_uri: 'https_required' }],
    [{ name: 'App', redirect_uri: 'com.example.app:/cb' }, { redirect_uri: 'private_scheme' }],
    [{ name: 'App', home_page_url: 'javascript:alert(1)' }, { home_page_url: 'invalid_url' }],
    [{ name: 'App', client_id: 'mine' }, { client_id: 'unknown' }],
  ])('rejects %j', async (input, fields) => {
    const before = await ana.call(clients.listClients)
    const rejected = await ana.call(clients.createClient, input as never)
    expect(rejected).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(await ana.call(clients.listClients)).toEqual(before)
  })
})

describe('updating a client', () => {
  test('updates only the given fields; null clears a field', async () => {
    const { client_id: id } = await organization.app()
    const first = await ana.call(clients.updateClientInfo, {
      id,
      description: 'Poleti čez Jadran.',
      privacy_policy_url: 'https://jadrolet.example/privacy',
    })
    expect(first).toMatchObject({ data: { name: 'Jadrolet', description: 'Poleti čez Jadran.' } })
    const second = await ana.call(clients.updateClientInfo, { id, description: null, name: 'Jadrolet 2' })
    expect(second).toMatchObject({
      data: { name: 'Jadrolet 2', description: null, privacy_policy_url: 'https://jadrolet.example/privacy' },
    })
    expect(await ana.call(clients.getClient, { id })).toEqual(second)
  })

  test('accepts only existing scopes and removes duplicates', async () => {
    const { client_id: id } = await organization.app()
    const changed = await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'phone', 'openid'] })
    expect(changed).toMatchObject({ data: { scopes: ['openid', 'phone'] } })
    const rejected = await ana.call(clients.updateClientInfo, { id, name: 'X', scopes: ['openid', 'notes.read'] })
    expect(rejected).toMatchObject({
      http: 400,
      problem: { code: 'unknown_scope', fields: { scopes: 'unknown' }, params: { scope: 'notes.read' } },
    })
    expect(await ana.call(clients.getClient, { id })).toEqual({ ...changed, http: 200 })
  })

  test('accepts scopes that another client defines', async () => {
    const { client_id: id } = await organization.app()
    await ana.call(scopes.defineScope, { id, key: 'tides.read', title: { 'en-US': 'Read the tides' } })
    const other = await organization.app()
    const changed = await ana.call(clients.updateClientInfo, { id: other.client_id, scopes: ['tides.read'] })
    expect(changed).toMatchObject({ data: { scopes: ['tides.read'] } })
  })

  test('requires moderator for a change of enabled, but not for the same value', async () => {
    const { client_id: id } = await organization.app()
    await organization.join(bor, 'developer')
    expect(await bor.call(clients.updateClientInfo, { id, enabled: false, name: 'Burja' })).toMatchObject({
      http: 403,
      problem: { code: 'insufficient_level', params: { needed: 'moderator' } },
    })
    expect(await bor.call(clients.updateClientInfo, { id, enabled: true, name: 'Burja' })).toMatchObject({
      data: { enabled: true, name: 'Burja' },
    })
    await organization.join(bor, 'moderator')
    expect(await bor.call(clients.updateClientInfo, { id, enabled: false })).toMatchObject({ data: { enabled: false } })
    expect(await ana.call(clients.getClient, { id })).toMatchObject({ data: { enabled: false, name: 'Burja' } })
    expect(await bor.call(clients.updateClientInfo, { id, enabled: true })).toMatchObject({ data: { enabled: true } })
  })

  test('signals other nodes after the commit, and not after a rejected call', async () => {
    const { client_id: id } = await organization.app()
    const received: unknown[] = []
    const stop = server.store.signals.on('client', (payload) => received.push(payload))
    await ana.call(clients.updateClientInfo, { id, name: 'X', scopes: ['nothing.such'] })
    expect(received).toEqual([])
    await ana.call(clients.updateClientInfo, { id, name: 'Y' })
    await expect.poll(() => received).toEqual([id])
    stop()
  })

  test('rejects malformed ids and does not find unknown ids', async () => {
    expect(await ana.call(clients.getClient, { id: 'vrt_nothing' })).toMatchObject({ http: 404 })
    expect(await ana.call(clients.getClient, { id: 'a\u0000b' })).toMatchObject({ http: 400 })
    expect(await ana.call(clients.getClient, { id: 'x'.repeat(65) })).toMatchObject({ http: 400 })
  })
})

describe('the name of a client', () => {
  test('is no web address', async () => {
    const { client_id: id } = await organization.app()
    const rejected = { http: 400, problem: { code: 'invalid_request', fields: { name: 'web_address' } } }
    expect(await ana.call(clients.createClient, { name: 'Odpri evil.example' })).toMatchObject(rejected)
    expect(await ana.call(clients.updateClientInfo, { id, name: 'https://evil.example' })).toMatchObject(rejected)
  })

  test('that was stored before the rule is still read, and other fields are edited', async () => {
    const { client_id: id } = await organization.app()
    const name = `kraski.example ${'a'.repeat(80)}`
    await server.store.db.updateTable('clients').set({ name }).where('client_id', '=', id).execute()
    expect(await ana.call(clients.updateClientInfo, { id, description: 'Letala' })).toMatchObject({
      data: { name, description: 'Letala' },
    })
    expect(await ana.call(clients.getClient, { id })).toMatchObject({ data: { name } })
  })
})

describe('deleting a client', () => {
  test('deletes everything that belongs to it', async () => {
    const { client_id: id } = await organization.app()
    await ana.call(clients.addOrigin, { id, origin: 'https://jadrolet.example' })
    expect(await ana.call(clients.deleteClient, { id })).toMatchObject({ ok: true })
    expect(await ana.call(clients.getClient, { id })).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    expect(await ana.call(clients.deleteClient, { id })).toMatchObject({ http: 404 })
    for (const table of ['redirect_uris', 'origins'] as const) {
      expect(
        await server.store.read.selectFrom(table).selectAll().where('client_id', '=', id).execute(),
        table,
      ).toEqual([])
    }
  })

  test('succeeds for one of twenty concurrent requests', async () => {
    const { client_id: id } = await organization.app()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ana.call(clients.deleteClient, { id })))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, ...Array(19).fill(404)])
  })

  test('requires a fresh sign-in (security §7.5.3)', async () => {
    const owner = await server.as(people.ana)
    const { developer_id } = organization
    await switchTo(owner, developer_id)
    const { client_id: id } = await organization.app()
    server.clock.advance(601)
    await switchTo(owner, developer_id)
    expect(await owner.call(clients.deleteClient, { id })).toMatchObject({
      http: 403,
      problem: { code: 'reauthentication_required' },
    })
    expect(await owner.call(clients.getClient, { id })).toMatchObject({ ok: true })
    expect(await owner.call(sessions.reauthenticate, { password: people.ana.password })).toMatchObject({ ok: true })
    expect(await owner.call(clients.deleteClient, { id })).toMatchObject({ ok: true })
  })
})
