import { clients, connections, users } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addTokens, createLargeOrganization } from '../../../../test/many-users.ts'
import type { Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { good } from '../../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allow, authorize, refresh, signInTo, type ThirdParty, type Tokens } from '../../../../test/third-party.ts'
import { pruneAll } from '../../../prune.ts'

/** More connections than one transaction deletes. */
const MANY = 520

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let organization: Organization
let app: ThirdParty
let other: ThirdParty
let tokens: Tokens
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  cvetka = await server.as(people.cvetka)
})
afterAll(() => server.close())
beforeEach(async () => {
  ;({ organization, app, other, tokens } = await createLargeOrganization(server, {
    owner: ana,
    user: bor,
    count: MANY,
  }))
  await allow(cvetka, app)
  await allow(cvetka, other)
})

const remove = async () => good(await ana.call(clients.deleteClient, { id: app.client_id }))

async function rows(): Promise<number[]> {
  const { db } = server.store
  const lists = [
    db.selectFrom('connections').select('id').where('client_id', '=', app.client_id),
    db.selectFrom('developer_users').select('user_id as id').where('developer_id', '=', organization.developer_id),
    db.selectFrom('clients').select('client_id as id').where('client_id', '=', app.client_id),
  ]
  return await Promise.all(lists.map(async (list) => (await list.execute()).length))
}

test('an app with many users disappears at once, and its rows are deleted later', async () => {
  await remove()
  expect((await rows())[0]).toBe(MANY + 2)
  const listed = good(await ana.call(clients.listClients, {})).map(({ client_id }) => client_id)
  expect(listed).toEqual([other.client_id])
  expect(await ana.call(clients.getClientInfo, { id: app.client_id })).toMatchObject({ http: 404 })
  expect(await ana.call(clients.deleteClient, { id: app.client_id })).toMatchObject({ http: 404 })
  expect(good(await bor.call(connections.listConnections))).toEqual([])
  expect(await bor.call(connections.submitConsent, { client: app.client_id, scopes: ['openid'] })).toMatchObject({
    http: 404,
  })
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_client' })
  expect((await authorize(bor, app)).pathname).toBe('/oauth')

  await server.outbox()
  expect(await rows()).toEqual([0, 1, 0])
  expect(good(await ana.call(users.listUsers, {})).map(({ id }) => id)).toEqual([cvetka.user.id])
})

test('the rows of an app are deleted also when the job is lost', async () => {
  await remove()
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'delete_client').execute()
  await pruneAll(server.deps)
  expect(await rows()).toEqual([0, 1, 0])
})

test('an app with few users and many tokens disappears at once, and its rows are deleted later', async () => {
  await allow(bor, other)
  await signInTo(server, bor, other)
  await addTokens(server, { app: other, like: bor, count: MANY })
  good(await ana.call(clients.deleteClient, { id: other.client_id }))
  const tokensOfOther = server.store.read.selectFrom('tokens').select('kind').where('client_id', '=', other.client_id)
  expect((await tokensOfOther.execute()).length).toBeGreaterThan(500)
  expect(good(await ana.call(clients.listClients, {})).map(({ client_id }) => client_id)).toEqual([app.client_id])
  await server.outbox()
  expect(await tokensOfOther.execute()).toEqual([])
  const left = server.store.read.selectFrom('clients').select('name').where('client_id', '=', other.client_id)
  expect(await left.execute()).toEqual([])
})
