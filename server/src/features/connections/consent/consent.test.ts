import { activity, clients, connections } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { people, studio } from '../../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
let client: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
})
beforeEach(async () => {
  client = (await organization.app()).client_id
})
afterAll(() => server?.close())

const ask = (scopes: string) => bor.call(connections.getConsent, { client, scopes })
const allow = (...scopes: string[]) => bor.call(connections.submitConsent, { client, scopes })

describe('the consent screen', () => {
  test('contains client, developer account and requested scopes in the language of the page', async () => {
    await ana.call(clients.updateClientInfo, { id: client, privacy_policy_url: 'https://jadrolet.example/privacy' })
    expect(await ask('openid email')).toMatchObject({
      data: {
        client: {
          client_id: client,
          name: 'Jadrolet',
          icon: null,
          description: null,
          home_page_url: 'https://jadrolet.example',
          privacy_policy_url: 'https://jadrolet.example/privacy',
          developer: { name: studio.name, logo: null, website: null },
        },
        connected: false,
        scopes: [
          { key: 'openid', title: 'Prepoznavanje vašeg računa', granted: false, required: true },
          { key: 'email', title: 'Uvid u vašu e-\u2060adresu', granted: false, required: false },
        ],
        redirect_host: null,
      },
    })
    bor.cookies.set('language', 'sl-SI')
    expect(await ask('email')).toMatchObject({ data: { scopes: [{ title: 'Vpogled v vaš e-\u2060naslov' }] } })
    bor.cookies.set('language', 'hr-HR')
  })

  test('contains no further fields of the client', async () => {
    const response = JSON.stringify(await ask('openid'))
    for (const secret of ['secret', 'developer_id', 'hash', organization.developer_id])
      expect(response).not.toContain(secret)
  })

  test('marks scopes that were granted before', async () => {
    await allow('openid')
    expect(await ask('openid profile')).toMatchObject({
      data: {
        connected: true,
        scopes: [
          { key: 'openid', granted: true },
          { key: 'profile', granted: false },
        ],
      },
    })
  })

  test('removes duplicate scopes and empty separators', async () => {
    const answer = await ask('  openid  email openid ')
    expect(answer.ok && answer.data.scopes.map(({ key }) => key)).toEqual(['openid', 'email'])
    expect(await ask('')).toMatchObject({ data: { scopes: [] } })
  })

  test.each(['notes.read', 'openid notes.read', 'phone', 'OPENID', 'x'.repeat(4000), '__proto__'])(
    'rejects the scopes %j',
    async (scopes) => {
      expect(await ask(scopes)).toMatchObject({ http: 400, problem: { code: 'unknown_scope' } })
    },
  )

  test('does not find unknown clients and rejects disabled ones', async () => {
    expect(await bor.call(connections.getConsent, { client: 'vrt_nothing', scopes: 'openid' })).toMatchObject({
      http: 404,
    })
    await ana.call(clients.updateClientInfo, { id: client, enabled: false })
    expect(await ask('openid')).toMatchObject({ http: 403, problem: { code: 'client_disabled' } })
    expect(await allow('openid')).toMatchObject({ http: 403, problem: { code: 'client_disabled' } })
  })

  test('requires a session', async () => {
    const visitor = server.browser()
    for (const call of [
      visitor.call(connections.getConsent, { client, scopes: 'openid' }),
      visitor.call(connections.submitConsent, { client, scopes: ['openid'] }),
      visitor.call(connections.listConnections),
      visitor.call(connections.removeConnection, { client }),
    ]) {
      expect(await call).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
    }
  })
})

describe('the decision', () => {
  test('adds to granted scopes and records new ones', async () => {
    expect(await allow('openid', 'email', 'email')).toMatchObject({ data: { scopes: ['openid', 'email'] } })
    server.clock.advance(1)
    expect(await allow('profile', 'openid')).toMatchObject({ data: { scopes: ['openid', 'email', 'profile'] } })
    server.clock.advance(1)
    expect(await allow('profile')).toMatchObject({ data: { scopes: ['openid', 'email', 'profile'] } })
    const seen = await bor.call(activity.listActivity, { type: 'GRANTED_SCOPES_TO_APP', limit: 2 })
    expect(seen).toMatchObject({
      data: [
        { app: { client_id: client, name: 'Jadrolet', icon: null }, scopes: ['profile'], browser: expect.any(String) },
        { app: { client_id: client }, scopes: ['openid', 'email'] },
      ],
    })
  })

  test.each([
    [['openid', 'phone'], 'unknown_scope'],
    [['openid', 'notes.read'], 'unknown_scope'],
    [['Openid'], 'invalid_request'],
    [[], 'invalid_request'],
    [Array(201).fill('openid'), 'invalid_request'],
  ])('is rejected for scopes that the client does not request: %j', async (scopes, code) => {
    expect(await allow(...scopes)).toMatchObject({ http: 400, problem: { code } })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
  })

  test('results in one connection with all scopes under concurrent requests', async () => {
    const each = ['openid', 'profile', 'email']
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => allow(each[n % 3] as string)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const mine = await bor.call(connections.listConnections)
    const found = mine.ok ? mine.data.filter((one) => one.client.client_id === client) : []
    expect(found).toHaveLength(1)
    expect(found[0]?.scopes.map(({ key }) => key).sort()).toEqual(['email', 'openid', 'profile'])
  })

  test('requires a confirmed email address', async () => {
    await server.store.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', bor.user.id).execute()
    expect(await allow('openid')).toMatchObject({ http: 403, problem: { code: 'email_not_verified' } })
    const email_verified_at = server.clock.now().toISOString()
    await server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', bor.user.id).execute()
    expect(await allow('openid')).toMatchObject({ ok: true })
  })

  test('changes nothing when denied', async () => {
    await allow('openid')
    expect(await bor.call(connections.submitConsent, { client, scopes: [], deny: true })).toMatchObject({
      data: { scopes: ['openid'] },
    })
    expect(await ask('openid')).toMatchObject({ data: { scopes: [{ granted: true }] } })
  })

  test('does not find interactions of other users', async () => {
    for (const deny of [true, false]) {
      const answer = await bor.call(connections.submitConsent, { client, scopes: ['openid'], uid: 'made-up', deny })
      expect(answer).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    }
    expect(await bor.call(connections.getConsent, { client, uid: 'made-up' })).toMatchObject({ http: 404 })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
  })
})
