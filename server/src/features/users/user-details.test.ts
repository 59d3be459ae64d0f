import { account, connections, developers, users } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allPages } from '../../../../testing/all-pages.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import { pruneAll } from '../../prune.ts'
import { renewConnection } from '../connections/public.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let drago: SignedIn
let organization: Organization
let app: ThirdParty
let other: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  cvetka = await server.as(people.cvetka)
  drago = await server.as(people.drago)
})
afterAll(() => server?.close())
beforeEach(async () => {
  organization = await createOrganization(server, ana)
  app = await organization.app()
  other = await organization.app({ name: 'Burja' })
})

type Input = Parameters<typeof ana.call<typeof users.listUsers>>[1]

/** Ids of all pages. */
async function ids(input: Input): Promise<string[]> {
  const pages = await allPages((from) => ana.call(users.listUsers, { limit: 1, ...input, ...from }))
  return pages.flat().map(({ id }) => id)
}
const count = async (input: Parameters<typeof ana.call<typeof users.countUsers>>[1] = {}) =>
  good(await ana.call(users.countUsers, input))

describe('order and filters of users', () => {
  beforeEach(async () => {
    await allow(drago, app, 'openid profile')
    server.clock.advance(0.001)
    await allow(cvetka, app, 'openid')
    await allow(bor, other, 'openid profile')
    good(await ana.call(users.setUserBlocked, { id: drago.user.id, blocked: true }))
  })

  test('sorts by time and by the name that users share, those without one last', async () => {
    expect(await ids({})).toEqual([bor, cvetka, drago].map(({ user }) => user.id))
    expect(await ids({ sort: 'oldest' })).toEqual([drago, cvetka, bor].map(({ user }) => user.id))
    expect(await ids({ sort: 'name' })).toEqual([bor, drago, cvetka].map(({ user }) => user.id))
    expect(await ids({ sort: 'name', client_id: app.client_id })).toEqual([drago.user.id, cvetka.user.id])
    expect(await ids({ sort: 'oldest', client_id: app.client_id })).toEqual([drago.user.id, cvetka.user.id])
    // Accents do not matter, and a change of the name moves the user.
    await bor.call(account.updateAccount, { first_name: 'Žan' })
    expect(await ids({ sort: 'name' })).toEqual([drago, bor, cvetka].map(({ user }) => user.id))
    await bor.call(account.updateAccount, { first_name: people.bor.first_name })
    // A name that is no longer shared does not place the user.
    good(await bor.call(connections.revokeScope, { client: other.client_id, key: 'profile' }))
    expect((await ids({ sort: 'name' }))[0]).toBe(drago.user.id)
  })

  test('sorts the users of one app by their names as they change and come and go', async () => {
    const named = () => ids({ sort: 'name', client_id: app.client_id })
    await allow(bor, app, 'openid')
    // The name is shared with the other app of the organization.
    expect(await named()).toEqual([bor, drago, cvetka].map(({ user }) => user.id))
    await bor.call(account.updateAccount, { first_name: 'Žan' })
    expect(await named()).toEqual([drago, bor, cvetka].map(({ user }) => user.id))
    await bor.call(account.updateAccount, { first_name: people.bor.first_name })
    good(await bor.call(connections.removeConnection, { client: other.client_id }))
    expect(await named()).toEqual([drago.user.id, ...[bor, cvetka].map(({ user }) => user.id).sort()])
    good(await drago.call(connections.removeConnection, { client: app.client_id }))
    expect(await named()).not.toContain(drago.user.id)
  })

  test('sorts connections of a former version by name, before and after pruning has named them', async () => {
    const { db } = server.store
    const named = () => ids({ sort: 'name', client_id: app.client_id })
    await allow(bor, app, 'openid profile')
    await db.updateTable('connections').set({ sort_name: null }).where('user_id', '!=', cvetka.user.id).execute()
    const sorted = [bor, drago, cvetka].map(({ user }) => user.id)
    expect(await named()).toEqual(sorted)
    await pruneAll(server.deps)
    const unnamed = db.selectFrom('connections').select('id').where('sort_name', 'is', null)
    expect(await unnamed.execute()).toEqual([])
    expect(await named()).toEqual(sorted)
  })

  test('filters blocked users, also in a search and of one client', async () => {
    expect(await ids({ blocked: true })).toEqual([drago.user.id])
    expect(await ids({ blocked: false })).toEqual([bor.user.id, cvetka.user.id])
    expect(await ids({ blocked: true, sort: 'name', client_id: app.client_id })).toEqual([drago.user.id])
    expect(await ids({ blocked: true, client_id: other.client_id })).toEqual([])
    expect(await ids({ query: 'drago', blocked: true })).toEqual([drago.user.id])
    expect(await ids({ query: 'drago', blocked: false })).toEqual([])
    expect(await ids({ query: drago.user.id, blocked: false })).toEqual([])
  })

  test('counts what the list contains', async () => {
    expect(await count()).toEqual({ count: 3, more: false })
    expect(await count({ blocked: true })).toEqual({ count: 1, more: false })
    expect(await count({ client_id: app.client_id })).toEqual({ count: 2, more: false })
    expect(await count({ client_id: app.client_id, blocked: false })).toEqual({ count: 1, more: false })
    expect(await count({ query: 'drago' })).toEqual({ count: 1, more: false })
    expect(await count({ query: 'nobody' })).toEqual({ count: 0, more: false })
  })
})

describe('details of a user', () => {
  test('contain what was granted to each client, and sign-ins to clients of the organization only', async () => {
    await allow(cvetka, app, 'openid email')
    await signInTo(server, cvetka, app, { scope: 'openid email' })
    const elsewhere = await (await createOrganization(server, bor)).app({ name: 'Tuja' })
    await allow(cvetka, elsewhere)
    await signInTo(server, cvetka, elsewhere)
    ana.cookies.set('language', 'en-US')
    const details = good(await ana.call(users.getUser, { id: cvetka.user.id }))
    expect(details).toMatchObject({
      id: cvetka.user.id,
      email: people.cvetka.email,
      clients: [{ client_id: app.client_id, scopes: [{ key: 'openid', title: 'Recognize you' }, { key: 'email' }] }],
      sign_ins: [{ client_id: app.client_id, at: expect.any(String) }],
    })
    expect(details).not.toHaveProperty('name')
    expect(details.clients).toHaveLength(1)
    expect(details.sign_ins).toHaveLength(1)
  })

  test('list the client that was connected last first, also when an older connection has a new id', async () => {
    await allow(bor, app, 'openid')
    server.clock.advance(60)
    await allow(bor, other, 'openid')
    server.clock.advance(60)
    const connection = server.store.read.selectFrom('connections').select('id').where('user_id', '=', bor.user.id)
    const { id } = await connection.where('client_id', '=', app.client_id).executeTakeFirstOrThrow()
    await server.deps.transaction((deps) => renewConnection(deps, id))
    const details = good(await ana.call(users.getUser, { id: bor.user.id }))
    expect(details.clients.map(({ name }) => name)).toEqual(['Burja', 'Jadrolet'])
  })

  test('are not found for users of other organizations', async () => {
    const missing = { http: 404, problem: { code: 'not_found' } }
    expect(await ana.call(users.getUser, { id: cvetka.user.id })).toMatchObject(missing)
    expect(await ana.call(users.exportUser, { id: cvetka.user.id })).toMatchObject(missing)
  })

  test('are exported, and the export is recorded', async () => {
    await allow(cvetka, app)
    expect(good(await ana.call(users.exportUser, { id: cvetka.user.id }))).toMatchObject({
      id: cvetka.user.id,
      email: people.cvetka.email,
      clients: [{ client_id: app.client_id }],
    })
    const [entry] = good(await ana.call(developers.listDeveloperActivity, { type: 'EXPORTED_USERS' }))
    expect(entry).toMatchObject({ type: 'EXPORTED_USERS' })
  })
})
