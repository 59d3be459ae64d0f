import { activity, clients, connections, developers } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { findConnection, recordConnectionUse } from './public.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
let client: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
})
beforeEach(async () => {
  await server.store.db.deleteFrom('connections').execute()
  organization = await createOrganization(server, ana)
  client = (await organization.app()).client_id
  await bor.call(connections.submitConsent, { client, scopes: ['openid', 'email'] })
})
afterAll(() => server?.close())

describe('connected clients', () => {
  test('are listed newest first with their granted scopes', async () => {
    const connected_at = server.clock.now().toISOString()
    server.clock.advance(60)
    const second = (await organization.app({ name: 'Burja' })).client_id
    await bor.call(connections.submitConsent, { client: second, scopes: ['profile'] })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [
        { client: { name: 'Burja' }, scopes: [{ key: 'profile', title: 'Uvid u vaš profil' }] },
        {
          client: { client_id: client, name: 'Jadrolet', developer: { name: 'Kraški studio' } },
          scopes: [{ key: 'openid' }, { key: 'email' }],
          connected_at,
          last_used_at: null,
          disabled: false,
        },
      ],
    })
  })

  test('can be opened where the app starts a sign-in (OpenID Connect Core §4)', async () => {
    const opened = async () => {
      const answer = await bor.call(connections.listConnections)
      const url = answer.ok ? answer.data[0]?.open_url : undefined
      return url && [url.split('?')[0], Object.fromEntries(new URL(url).searchParams)]
    }
    expect(await opened()).toBeNull()
    const start = 'https://jadrolet.example/login'
    await ana.call(clients.updateAdvanced, { id: client, initiate_login_uri: `${start}?by=vrata` })
    const iss = server.config.url
    expect(await opened()).toEqual([start, { by: 'vrata', iss, target_link_uri: 'https://jadrolet.example' }])
    // An app that redirects to any given address would be an open redirector.
    await ana.call(clients.updateClientInfo, { id: client, home_page_url: 'https://other.example/' })
    expect(await opened()).toEqual([start, { by: 'vrata', iss }])
    await ana.call(clients.updateClientInfo, { id: client, enabled: false })
    expect(await opened()).toBeNull()
  })

  test('are those of the signed-in user only', async () => {
    expect(await ana.call(connections.listConnections)).toMatchObject({ data: [] })
    expect(await ana.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [{ client: { client_id: client } }] })
  })

  test('stay with their grants when the client is disabled', async () => {
    await ana.call(clients.updateClientInfo, { id: client, enabled: false })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [{ disabled: true, scopes: [{ key: 'openid' }, { key: 'email' }] }],
    })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ ok: true })
  })

  test('are deleted with the client and with its developer account', async () => {
    const second = (await organization.app()).client_id
    await bor.call(connections.submitConsent, { client: second, scopes: ['openid'] })
    await ana.call(clients.deleteClient, { id: client })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [{ client: { client_id: second } }] })
    await ana.call(developers.deleteDeveloper, { name: 'Kraški studio' })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [] })
  })
})

test('grants or does not find a client that is deleted during consent', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { client_id } = await organization.app()
    const [allowed, deleted] = await Promise.all([
      bor.call(connections.submitConsent, { client: client_id, scopes: ['openid'] }),
      ana.call(clients.deleteClient, { id: client_id }),
    ])
    expect(deleted).toMatchObject({ ok: true })
    expect([200, 404]).toContain(allowed.http)
    expect(await findConnection(server.store.read, bor.user.id, client_id)).toBeUndefined()
  }
})

describe('disconnecting a client', () => {
  test('deletes the connection and records the revoked scopes', async () => {
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ ok: true, data: {} })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [] })
    expect(await findConnection(server.store.read, bor.user.id, client)).toBeUndefined()
    expect(await bor.call(activity.listActivity, { type: 'REVOKED_SCOPES_FROM_APP', limit: 1 })).toMatchObject({
      data: [{ app: { client_id: client }, scopes: ['openid', 'email'] }],
    })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
  })

  test('succeeds and is recorded once under twenty concurrent requests', async () => {
    const press = () => bor.call(connections.removeConnection, { client })
    const answers = await Promise.all(Array.from({ length: 20 }, press))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, ...Array(19).fill(404)])
    const seen = await bor.call(activity.listActivity, { type: 'REVOKED_SCOPES_FROM_APP' })
    expect(seen.ok && seen.data.filter(({ app }) => app?.client_id === client)).toHaveLength(1)
  })
})

test('records a use at most once a minute', async () => {
  const row = await server.store.read
    .selectFrom('clients')
    .selectAll()
    .where('client_id', '=', client)
    .executeTakeFirstOrThrow()
  const start = server.clock.now().getTime()
  const usedAt = async (seconds: number) => {
    const at = new Date(start + seconds * 1000)
    const connection = await findConnection(server.store.read, bor.user.id, client)
    if (!connection) throw new Error('He allows the app')
    await server.deps.transaction(({ db }) =>
      recordConnectionUse(db, { connection, client: row, user_id: bor.user.id, at, signed_in: false }),
    )
    const list = await bor.call(connections.listConnections)
    return list.ok && (Date.parse(list.data[0]?.last_used_at ?? '') - start) / 1000
  }
  expect([await usedAt(0), await usedAt(59), await usedAt(60), await usedAt(61), await usedAt(120.001)]).toEqual([
    0, 0, 0, 61, 61,
  ])
})
