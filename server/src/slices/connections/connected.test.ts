import { activity, clients, connections, developers } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { connectionOf, useConnection } from './door.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let organisation: Organisation
let client: string
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
})
beforeEach(async () => {
  await house.store.db.deleteFrom('connections').execute()
  organisation = await openOrganisation(house, ana)
  client = (await organisation.app()).client_id
  await bor.call(connections.putConsent, { client, scopes: ['openid', 'email'] })
})
afterAll(() => house?.close())

describe('§2 connected apps', () => {
  test('are listed newest first, with what each was allowed', async () => {
    const connected_at = house.clock.now().toISOString()
    house.clock.advance(60)
    const second = (await organisation.app({ name: 'Burja' })).client_id
    await bor.call(connections.putConsent, { client: second, scopes: ['profile'] })
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

  test('are for the person alone', async () => {
    expect(await ana.call(connections.listConnections)).toMatchObject({ data: [] })
    expect(await ana.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [{ client: { client_id: client } }] })
  })

  test('§4 stay when the app is switched off, with what they were allowed', async () => {
    await ana.call(clients.updateClientInfo, { id: client, enabled: false })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [{ disabled: true, scopes: [{ key: 'openid' }, { key: 'email' }] }],
    })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ ok: true })
  })

  test('§4 go with the app, and with the organisation that makes it', async () => {
    const second = (await organisation.app()).client_id
    await bor.call(connections.putConsent, { client: second, scopes: ['openid'] })
    await ana.call(clients.deleteClient, { id: client })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [{ client: { client_id: second } }] })
    await ana.call(developers.deleteDeveloper, { name: 'Kraški studio' })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [] })
  })
})

test('an app that goes while people allow it is either allowed first or not found', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { client_id } = await organisation.app()
    const [allowed, deleted] = await Promise.all([
      bor.call(connections.putConsent, { client: client_id, scopes: ['openid'] }),
      ana.call(clients.deleteClient, { id: client_id }),
    ])
    expect(deleted).toMatchObject({ ok: true })
    expect([200, 404]).toContain(allowed.http)
    expect(await connectionOf(house.store.read, bor.user.id, client_id)).toBeUndefined()
  }
})

describe('§8 unlinking an app', () => {
  test('ends the connection, and writes down what is taken back', async () => {
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ ok: true, data: {} })
    expect(await bor.call(connections.listConnections)).toMatchObject({ data: [] })
    expect(await connectionOf(house.store.read, bor.user.id, client)).toBeUndefined()
    expect(await bor.call(activity.listActivity, { type: 'REVOKED_SCOPES_FROM_APP', limit: 1 })).toMatchObject({
      data: [{ app: { client_id: client }, scopes: ['openid', 'email'] }],
    })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
  })

  test('of twenty who press it, one does it, and it is written down once', async () => {
    const press = () => bor.call(connections.removeConnection, { client })
    const answers = await Promise.all(Array.from({ length: 20 }, press))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, ...Array(19).fill(404)])
    const seen = await bor.call(activity.listActivity, { type: 'REVOKED_SCOPES_FROM_APP' })
    expect(seen.ok && seen.data.filter(({ app }) => app?.client_id === client)).toHaveLength(1)
  })
})

test('a use is noted at most once a minute', async () => {
  const row = await house.store.read
    .selectFrom('clients')
    .selectAll()
    .where('client_id', '=', client)
    .executeTakeFirstOrThrow()
  const start = house.clock.now().getTime()
  const usedAt = async (seconds: number) => {
    const at = new Date(start + seconds * 1000)
    const connection = await connectionOf(house.store.read, bor.user.id, client)
    if (!connection) throw new Error('He allows the app')
    await house.deps.transaction(({ db }) => useConnection(db, { connection, client: row, at, signed_in: false }))
    const list = await bor.call(connections.listConnections)
    return list.ok && (Date.parse(list.data[0]?.last_used_at ?? '') - start) / 1000
  }
  expect([await usedAt(0), await usedAt(59), await usedAt(60), await usedAt(61), await usedAt(120.001)]).toEqual([
    0, 0, 0, 61, 61,
  ])
})
