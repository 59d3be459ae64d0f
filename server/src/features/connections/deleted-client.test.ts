import { clients, connections, users } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, refresh, signInTo, type ThirdParty, type Tokens } from '../../../test/third-party.ts'
import { newId } from '../../lib/ids.ts'
import { pruneAll } from '../../prune.ts'

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
  organization = await createOrganization(server, ana)
  app = await organization.app()
  other = await organization.app({ name: 'Burja' })
  await allow(bor, app, 'openid profile email')
  await allow(cvetka, app)
  await allow(cvetka, other)
  tokens = await signInTo(server, bor, app)
  await addUsers(MANY)
})

/** Copies of Bor under other addresses, connected to the app. */
async function addUsers(count: number): Promise<void> {
  const { db } = server.store
  const user = await db.selectFrom('users').selectAll().where('id', '=', bor.user.id).executeTakeFirstOrThrow()
  const connection = await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', bor.user.id)
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
  const { developer_id } = organization
  const ids = Array.from({ length: count }, () => newId(server.clock))
  const unique = { username: null, username_key: null }
  const copies = ids.map((id) => ({ ...user, ...unique, id, email: `${id}@example.com` }))
  for (let from = 0; from < count; from += 100) {
    await db
      .insertInto('users')
      .values(copies.slice(from, from + 100))
      .execute()
    const some = ids.slice(from, from + 100)
    const row = { developer_id, blocked_at: null, sort_name: 'bor horvat' }
    await db
      .insertInto('developer_users')
      .values(some.map((user_id) => ({ ...row, user_id, id: newId(server.clock) })))
      .execute()
    await db
      .insertInto('connections')
      .values(some.map((user_id) => ({ ...connection, user_id, id: newId(server.clock) })))
      .execute()
  }
}

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

test('an app with many users is gone at once for everybody, and its rows are deleted later', async () => {
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

test('they are deleted also when the job is lost', async () => {
  await remove()
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'delete_client').execute()
  await pruneAll(server.deps)
  expect(await rows()).toEqual([0, 1, 0])
})
