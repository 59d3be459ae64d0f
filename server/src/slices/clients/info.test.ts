import { clients, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house?.close())

describe('§6 registering an app', () => {
  test('gives it an id, a secret that is shown once, and sound settings', async () => {
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
      data: { redirect_uris: ['https://jadrolet.example/cb'] },
    })
  })

  test('keeps the secret out of the database and the log', async () => {
    const { client_id, client_secret } = await organisation.app()
    const row = await house.store.read
      .selectFrom('clients')
      .selectAll()
      .where('client_id', '=', client_id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(client_secret?.slice(5))
    expect(house.logged()).not.toContain(client_secret)
  })

  test.each([
    ['web', true, 'client_secret_basic'],
    ['service', true, 'client_secret_basic'],
    ['spa', false, 'none'],
    ['native', false, 'none'],
  ] as const)('of type %s: secret %s, method %s, PKCE always', async (type, secret, method) => {
    const { client_id, client_secret } = await organisation.app({ type })
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
  ])('refuses %j and makes nothing', async (input, fields) => {
    const before = await ana.call(clients.listClients)
    const refused = await ana.call(clients.createClient, input as never)
    expect(refused).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(await ana.call(clients.listClients)).toEqual(before)
  })
})

describe('§3 editing an app', () => {
  test('changes only what is said; null empties a field', async () => {
    const { client_id: id } = await organisation.app()
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

  test('lets it ask only for scopes that exist, each once', async () => {
    const { client_id: id } = await organisation.app()
    const changed = await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'phone', 'openid'] })
    expect(changed).toMatchObject({ data: { scopes: ['openid', 'phone'] } })
    const refused = await ana.call(clients.updateClientInfo, { id, name: 'X', scopes: ['openid', 'notes.read'] })
    expect(refused).toMatchObject({
      http: 400,
      problem: { code: 'unknown_scope', fields: { scopes: 'unknown' }, params: { scope: 'notes.read' } },
    })
    expect(await ana.call(clients.getClient, { id })).toEqual({ ...changed, http: 200 })
  })

  test('lets it ask for a scope that another app defines', async () => {
    const { client_id: id } = await organisation.app()
    await ana.call(scopes.putScope, { id, key: 'tides.read', title: { 'en-US': 'Read the tides' } })
    const other = await organisation.app()
    const changed = await ana.call(clients.updateClientInfo, { id: other.client_id, scopes: ['tides.read'] })
    expect(changed).toMatchObject({ data: { scopes: ['tides.read'] } })
  })

  test('switching it off and on is for moderators; a form that repeats the state is not a switch', async () => {
    const { client_id: id } = await organisation.app()
    await organisation.join(bor, 'developer')
    expect(await bor.call(clients.updateClientInfo, { id, enabled: false, name: 'Burja' })).toMatchObject({
      http: 403,
      problem: { code: 'insufficient_level', params: { needed: 'moderator' } },
    })
    expect(await bor.call(clients.updateClientInfo, { id, enabled: true, name: 'Burja' })).toMatchObject({
      data: { enabled: true, name: 'Burja' },
    })
    await organisation.join(bor, 'moderator')
    expect(await bor.call(clients.updateClientInfo, { id, enabled: false })).toMatchObject({ data: { enabled: false } })
    expect(await ana.call(clients.getClient, { id })).toMatchObject({ data: { enabled: false, name: 'Burja' } })
    expect(await bor.call(clients.updateClientInfo, { id, enabled: true })).toMatchObject({ data: { enabled: true } })
  })

  test('reaches every node once it is committed, and no node when it is refused', async () => {
    const { client_id: id } = await organisation.app()
    const heard: unknown[] = []
    const stop = house.store.signals.on('client', (payload) => heard.push(payload))
    await ana.call(clients.updateClientInfo, { id, name: 'X', scopes: ['nothing.such'] })
    expect(heard).toEqual([])
    await ana.call(clients.updateClientInfo, { id, name: 'Y' })
    await expect.poll(() => heard).toEqual([id])
    stop()
  })

  test('of an id that cannot be is refused, and one that is not there is not found', async () => {
    expect(await ana.call(clients.getClient, { id: 'vrt_nothing' })).toMatchObject({ http: 404 })
    expect(await ana.call(clients.getClient, { id: 'a\u0000b' })).toMatchObject({ http: 400 })
    expect(await ana.call(clients.getClient, { id: 'x'.repeat(65) })).toMatchObject({ http: 400 })
  })
})

describe('§4 deleting an app', () => {
  test('is for good and takes everything of it along', async () => {
    const { client_id: id } = await organisation.app()
    await ana.call(clients.addOrigin, { id, origin: 'https://jadrolet.example' })
    expect(await ana.call(clients.deleteClient, { id })).toMatchObject({ ok: true })
    expect(await ana.call(clients.getClient, { id })).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    expect(await ana.call(clients.deleteClient, { id })).toMatchObject({ http: 404 })
    for (const table of ['redirect_uris', 'origins'] as const) {
      expect(await house.store.read.selectFrom(table).selectAll().where('client_id', '=', id).execute(), table).toEqual(
        [],
      )
    }
  })

  test('of twenty who delete it, one does', async () => {
    const { client_id: id } = await organisation.app()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ana.call(clients.deleteClient, { id })))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, ...Array(19).fill(404)])
  })
})
