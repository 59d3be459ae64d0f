import { account, connections, developers, users } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allPages } from '../../../../testing/all-pages.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorize,
  authorizeUrl,
  codeFor,
  follow,
  here,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'
import { renewConnection } from '../connections/public.ts'
import { countUsersOfClient, countUsersOfDeveloper } from './store.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let drago: SignedIn
let organization: Organization
let app: ThirdParty
let other: ThirdParty
beforeAll(async () => {
  // All tests use the same browsers.
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
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

async function list(
  input: Parameters<typeof ana.call<typeof users.listUsers>>[1] = {},
): Promise<users.DeveloperUser[]> {
  return (await allPages((from) => ana.call(users.listUsers, { ...input, ...from }))).flat()
}
const ids = async (input: Parameters<typeof list>[0] = {}) => (await list(input)).map(({ id }) => id)

describe('the list of users', () => {
  test('shows only what each user has granted', async () => {
    expect(await list()).toEqual([])
    await allow(bor, app, 'openid')
    await allow(cvetka, app, 'openid email')
    await allow(drago, app, 'openid profile email')
    const named = { client_id: app.client_id, name: 'Jadrolet', icon: null, last_used_at: null }
    const clients = [{ ...named, connected_at: server.clock.now().toISOString() }]
    expect(await list()).toEqual([
      {
        id: drago.user.id,
        name: 'Drago Tujec',
        profile_picture: null,
        email: people.drago.email,
        clients,
        blocked: false,
      },
      { id: cvetka.user.id, email: people.cvetka.email, clients, blocked: false },
      { id: bor.user.id, clients, blocked: false },
    ])
  })

  test('has the users of a client once and in order, also when many tokens of one end meanwhile', async () => {
    const everybody = [bor, cvetka, drago]
    for (const person of everybody) {
      await allow(person, app)
      server.clock.advance(1)
    }
    const { client_id } = app
    const renew = async (user_id: string) => {
      const connection = server.store.read.selectFrom('connections').select('id').where('user_id', '=', user_id)
      const { id } = await connection.where('client_id', '=', client_id).executeTakeFirstOrThrow()
      await server.deps.transaction((deps) => renewConnection(deps, id))
    }
    const oldestFirst = everybody.map(({ user }) => user.id)
    for (const [sort, order] of [
      ['newest', oldestFirst.toReversed()],
      ['oldest', oldestFirst],
    ] as const) {
      const found: string[] = []
      let cursor: string | null | undefined
      do {
        const page = await ana.call(users.listUsers, { client_id, sort, limit: 1, ...(cursor ? { cursor } : {}) })
        if (!page.ok) throw new Error(page.problem.code)
        found.push(...page.data.map(({ id }) => id))
        cursor = page.next_cursor
        // A row of the oldest user, who comes last or has just been listed.
        if (found.length === 1) await renew(bor.user.id)
      } while (cursor)
      expect([sort, found]).toEqual([sort, order])
    }
    await ana.call(users.setUserBlocked, { id: drago.user.id, blocked: true })
    expect(await ids({ client_id, blocked: false })).toEqual([cvetka.user.id, bor.user.id])
    expect(await ids({ client_id, blocked: true })).toEqual([drago.user.id])
  })

  test('shows for one client only what was granted to it', async () => {
    await allow(bor, app, 'openid profile')
    await allow(bor, other, 'openid')
    expect(await list()).toMatchObject([{ name: 'Bor Horvat', clients: [{ name: 'Burja' }, { name: 'Jadrolet' }] }])
    const [of] = await list({ client_id: other.client_id })
    expect(of).toMatchObject({ id: bor.user.id, clients: [{ name: 'Burja' }] })
    expect(of).not.toHaveProperty('name')
    expect(await ids({ client_id: other.client_id, query: 'horvat' })).toEqual([])
    expect(await ids({ client_id: app.client_id, query: 'horvat' })).toEqual([bor.user.id])
  })

  test('neither shows nor finds by scopes that the client no longer requests', async () => {
    await allow(bor, app)
    await server.store.db
      .updateTable('clients')
      .set({ scopes: '["openid"]' })
      .where('client_id', '=', app.client_id)
      .execute()
    expect(await list()).toMatchObject([{ id: bor.user.id }])
    expect((await list())[0]).not.toHaveProperty('email')
    expect(await ids({ query: 'bor' })).toEqual([])
  })

  test('contains the `sub` of tokens as id', async () => {
    await allow(bor, app)
    const { access_token } = await signInTo(server, bor, app)
    expect((await userinfo(server, access_token)).json().sub).toBe((await list())[0]?.id)
  })

  test('contains users until they have disconnected all clients', async () => {
    await allow(bor, app)
    await allow(bor, other)
    await bor.call(connections.removeConnection, { client: app.client_id })
    expect(await list()).toMatchObject([{ clients: [{ name: 'Burja' }] }])
    await bor.call(connections.removeConnection, { client: other.client_id })
    expect(await list()).toEqual([])
    expect(await ids({ query: 'bor' })).toEqual([])
  })

  test('drops users whose only client is deleted, and never shows users of other developer accounts', async () => {
    await allow(bor, app)
    await allow(cvetka, app)
    await allow(cvetka, other)
    await server.deps.transaction((deps) => deps.emit('client_deleted', { client_id: app.client_id }))
    await server.store.db.deleteFrom('clients').where('client_id', '=', app.client_id).execute()
    expect(await ids()).toEqual([cvetka.user.id])
    await createOrganization(server, ana, 'Drugi studio')
    expect(await ids()).toEqual([])
    expect(await ana.call(users.listUsers, { client_id: other.client_id })).toMatchObject({ http: 404 })
  })
})

test('users are counted up to a number, so that a count of a million does not take long', async () => {
  for (const person of [bor, cvetka, drago]) await allow(person, app)
  const developer_id = organization.developer_id
  const { read } = server.store
  expect(await ana.call(users.countUsers, {})).toMatchObject({ data: { count: 3, more: false } })
  expect(await countUsersOfDeveloper(read, { developer_id, blocked: undefined }, 2)).toBe(2)
  expect(await countUsersOfClient(read, app.client_id, undefined, 2)).toBe(2)
  expect(await countUsersOfClient(read, app.client_id, true, 2)).toBe(0)
})

describe('search', () => {
  beforeEach(async () => {
    for (const person of [bor, cvetka, drago]) await allow(person, app)
  })

  test.each([
    ['Horvat', ['bor']],
    ['horv', ['bor']],
    ['cvet zaj', ['cvetka']],
    ['zajc cvetka', ['cvetka']],
    ['DRAGO.TUJEC@', ['drago']],
    ['orvat', []],
    ['bor zajc', []],
    ['%', []],
  ] as const)('"%s" finds %j', async (query, names) => {
    const found = names.map((name) => ({ bor, cvetka, drago })[name].user.id)
    expect(await ids({ query })).toEqual(found)
  })

  test('lists users who match several terms once, over several pages', async () => {
    const hit = await ids({ query: 'c', limit: 1 })
    expect(hit).toEqual([cvetka.user.id])
    await bor.call(account.updateAccount, { first_name: 'Čedomir', last_name: 'Črt' })
    await drago.call(account.updateAccount, { first_name: 'Cene' })
    const found = await ids({ query: 'c', limit: 1 })
    expect(found.toSorted()).toEqual([bor, cvetka, drago].map(({ user }) => user.id).toSorted())
    await bor.call(account.updateAccount, { first_name: 'Bor', last_name: 'Horvat' })
    await drago.call(account.updateAccount, { first_name: 'Drago' })
  })

  test('finds a new name and not the old one', async () => {
    await bor.call(account.updateAccount, { last_name: 'Šegedin-Oblak' })
    for (const query of ['seg', 'oblak', 'segedin-ob']) expect(await ids({ query })).toEqual([bor.user.id])
    expect(await ids({ query: 'Šeg' })).toEqual([bor.user.id])
    expect(await ids({ query: 'horvat' })).not.toContain(bor.user.id)
    await bor.call(account.updateAccount, { last_name: 'Horvat' })
  })

  test('does not find by revoked scopes', async () => {
    await bor.call(connections.revokeScope, { client: app.client_id, key: 'email' })
    expect(await ids({ query: 'bor.horvat@' })).toEqual([])
    expect(await ids({ query: 'horvat' })).toEqual([bor.user.id])
  })

  test('finds a user by id, whatever they have granted', async () => {
    expect(await ids({ query: bor.user.id })).toEqual([bor.user.id])
    expect(await ids({ query: ana.user.id })).toEqual([])
    expect(await ids({ query: bor.user.id, client_id: other.client_id })).toEqual([])
  })

  test('rejects a malformed cursor', async () => {
    expect(await ana.call(users.listUsers, { query: 'a', cursor: 'nonsense' })).toMatchObject({
      problem: { fields: { cursor: 'invalid' } },
    })
  })
})

describe('blocking', () => {
  const block = (blocked: boolean, person = bor) => ana.call(users.setUserBlocked, { id: person.user.id, blocked })
  let foreign: ThirdParty
  beforeEach(async () => {
    await allow(bor, app)
    await allow(bor, other)
    const theirs = await createOrganization(server, drago, 'Tuja hiša')
    foreign = await theirs.app({ name: 'Tuja' })
    await allow(bor, foreign)
  })

  test('revokes the tokens of all clients of the developer account at once, and of no others', async () => {
    const tokens = await signInTo(server, bor, app, { scope: 'openid offline_access' })
    const elsewhere = await signInTo(server, bor, foreign)
    const { form } = await codeFor(bor, other)
    expect(await block(true)).toMatchObject({ ok: true, data: { id: bor.user.id, blocked: true } })

    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
    const seen = await post(server, app, '/introspect', { token: tokens.access_token })
    expect(seen.json()).toEqual({ active: false })
    expect((await post(server, other, '/token', form)).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await userinfo(server, elsewhere.access_token)).statusCode).toBe(200)
    expect((await codeFor(bor, foreign)).code).toBeTruthy()
  })

  test('shows an error page, and returns an error to silent authentication requests', async () => {
    await block(true)
    for (const one of [app, other]) {
      const interaction = await follow(bor, authorizeUrl(one))
      expect(interaction.pathname).toMatch(/^\/authorize\//)
      const redirect = await follow(bor, here(interaction))
      expect([redirect.pathname, redirect.searchParams.get('error'), redirect.searchParams.get('client_id')]).toEqual([
        '/oauth',
        'user_blocked',
        one.client_id,
      ])
    }
    const silent = await authorize(bor, app, { prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('access_denied')
  })

  test('applies after disconnecting and to clients that are created later', async () => {
    await block(true)
    for (const one of [app, other]) await bor.call(connections.removeConnection, { client: one.client_id })
    expect(await list()).toEqual([{ id: bor.user.id, clients: [], blocked: true }])
    const fresh = await organization.app({ name: 'Ajda' })
    for (const one of [app, fresh]) {
      const answer = await bor.call(connections.submitConsent, { client: one.client_id, scopes: ['openid'] })
      expect(answer).toMatchObject({ http: 403, problem: { code: 'user_blocked' } })
      const redirect = await follow(bor, here(await follow(bor, authorizeUrl(one))))
      expect(redirect.searchParams.get('error')).toBe('user_blocked')
    }
  })

  test('ends with the place in the list when the user has disconnected all clients meanwhile', async () => {
    await block(true)
    for (const one of [app, other]) await bor.call(connections.removeConnection, { client: one.client_id })
    expect(await ids({ blocked: true })).toEqual([bor.user.id])
    expect(await block(false)).toMatchObject({ data: { id: bor.user.id, clients: [], blocked: false } })
    expect(await list()).toEqual([])
    expect(await block(true)).toMatchObject({ http: 404 })
  })

  test('keeps grants but not tokens until the user is unblocked', async () => {
    const tokens = await signInTo(server, bor, app)
    await block(true)
    expect(await block(false)).toMatchObject({ data: { blocked: false } })
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    expect((await codeFor(bor, app)).code).toBeTruthy()
  })

  test('is recorded once', async () => {
    for (const blocked of [true, true, false]) await block(blocked)
    const rows = await server.store.read
      .selectFrom('developer_activities')
      .selectAll()
      .where('developer_id', '=', organization.developer_id)
      .where('type', 'like', '%BLOCKED_USER')
      .orderBy('id')
      .execute()
    expect(rows.map(({ type, user_id, params }) => [type, user_id, JSON.parse(params)])).toEqual([
      ['BLOCKED_USER', ana.user.id, { user: bor.user.id }],
      ['UNBLOCKED_USER', ana.user.id, { user: bor.user.id }],
    ])
  })

  test('is listed with the name while the user lets the developer account see it', async () => {
    const named = async () => {
      const answer = await ana.call(developers.listDeveloperActivity, { type: 'BLOCKED_USER' })
      return answer.ok && answer.data.map(({ params }) => params)
    }
    await allow(cvetka, app, 'openid')
    await ana.call(users.setUserBlocked, { id: cvetka.user.id, blocked: true })
    expect(await named()).toEqual([{ user: cvetka.user.id }])
    await ana.call(users.setUserBlocked, { id: cvetka.user.id, blocked: false })
    await allow(cvetka, app, 'openid email')
    expect(await named()).toEqual([{ user: cvetka.user.id, name: people.cvetka.email }])
    await allow(cvetka, other, 'openid profile')
    expect(await named()).toEqual([{ user: cvetka.user.id, name: 'Cvetka Zajc' }])
    for (const one of [app, other]) await cvetka.call(connections.removeConnection, { client: one.client_id })
    expect(await named()).toEqual([{ user: cvetka.user.id }])
  })

  test('is rejected for members of the own level or above and for unknown users', async () => {
    await allow(cvetka, app)
    await allow(ana, app)
    await organization.join(bor, 'moderator')
    await organization.join(cvetka, 'moderator')
    const by = (person: SignedIn, whom: SignedIn) =>
      person.call(users.setUserBlocked, { id: whom.user.id, blocked: true })
    expect(await by(bor, cvetka)).toMatchObject({ http: 403, problem: { code: 'insufficient_level' } })
    expect(await by(bor, ana)).toMatchObject({ http: 403 })
    expect(await by(bor, bor)).toMatchObject({ http: 403 })
    expect(await by(bor, drago)).toMatchObject({ http: 404 })
    expect(await by(ana, cvetka)).toMatchObject({ ok: true })
  })
})

describe('CSV', () => {
  const download = async (filter: object = {}) => {
    const answer = await ana.request({
      method: 'POST',
      url: '/v1/developer/users/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(filter),
    })
    return { answer, lines: answer.body.replace('\u{feff}', '').split('\r\n').slice(0, -1) }
  }

  test('contains all users with what they have granted', async () => {
    await allow(bor, app, 'openid')
    await allow(cvetka, app)
    const { answer, lines } = await download()
    const now = server.clock.now().toISOString()
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="users-${now.slice(0, 10)}.csv"`,
      'cache-control': 'no-store',
    })
    expect(lines).toEqual([
      '"id","name","email","apps","connected_at","last_used_at","blocked"',
      `"${cvetka.user.id}","Cvetka Zajc","${people.cvetka.email}","Jadrolet","${now}","","false"`,
      `"${bor.user.id}","","","Jadrolet","${now}","","false"`,
    ])
    expect((await download({ query: 'cvet' })).lines).toHaveLength(2)
    expect((await download({ client_id: other.client_id })).lines).toHaveLength(1)
  })

  test.each([
    ['=1+1', `"'=1+1"`],
    ['+386', `"'+386"`],
    ['-2', `"'-2"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['＝1+1', `"'＝1+1"`],
    // Spreadsheets with decimal commas separate cells at semicolons, even within quotes.
    ['Ana;=1+1', `"Ana;'=1+1"`],
    ['Ana; @SUM(A1)', `"Ana;' @SUM(A1)"`],
    ['Ana|-2', `"Ana|'-2"`],
    ['Novak-Kovač', '"Novak-Kovač"'],
    ['Ana "Anči"', '"Ana ""Anči"""'],
  ])('escapes formulas: %s', async (first_name, cell) => {
    await bor.call(account.updateAccount, { first_name, last_name: '' })
    await allow(bor, app)
    const { lines } = await download()
    expect(lines[1]?.split(',').slice(1, 2)).toEqual([cell])
    await bor.call(account.updateAccount, { first_name: 'Bor', last_name: 'Horvat' })
  })

  test('records the export', async () => {
    await download()
    const row = await server.store.read
      .selectFrom('developer_activities')
      .selectAll()
      .where('developer_id', '=', organization.developer_id)
      .where('type', '=', 'EXPORTED_USERS')
      .executeTakeFirstOrThrow()
    expect(row.user_id).toBe(ana.user.id)
  })
})
