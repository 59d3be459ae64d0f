import { sessions } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'

/** Most people use an app less than once a minute, so each of their token requests writes a last use (decision 0097). */
let server: TestServer
let ana: SignedIn
let app: ThirdParty
let refresh_token: string
/** Transactions that are not guarded writes, since `beforeEach`. */
let transactions: number

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  const { transaction } = server.deps
  server.deps.transaction = (...args) => {
    transactions += 1
    return transaction(...args)
  }
})
afterAll(() => server.close())
beforeEach(async () => {
  refresh_token = (await signInTo(server, ana, app)).refresh_token
  transactions = 0
})

const read = () => server.store.read
const connection = () =>
  read()
    .selectFrom('connections')
    .select(['id', 'last_used_at'])
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
const secret = () =>
  read()
    .selectFrom('clients')
    .select('secret_last_used_at')
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()

test('a refresh writes the last use of connection and secret at most once a minute, in guarded writes', async () => {
  const uses: unknown[] = []
  const start = server.clock.now().getTime()
  const seconds = (time: string | null) => time && (Date.parse(time) - start) / 1000
  for (const wait of [61, 59, 1, 1]) {
    server.clock.advance(wait)
    const answer = await refresh(server, app, refresh_token)
    expect(answer.statusCode).toBe(200)
    refresh_token = answer.json().refresh_token
    uses.push([seconds((await connection()).last_used_at), seconds((await secret()).secret_last_used_at)])
  }
  expect(uses).toEqual([
    [61, 61],
    [61, 61],
    // Exactly a minute later: as before, the secret's is written then, and the connection's a moment later.
    [61, 121],
    [122, 121],
  ])
  expect(transactions).toBe(0)
})

test('a sign-in to an app and its code exchange do, too', async () => {
  server.clock.advance(61)
  const { form } = await codeFor(ana, app)
  expect((await post(server, app, '/token', form)).statusCode).toBe(200)
  const now = server.clock.now().toISOString()
  expect([await connection(), await secret()]).toMatchObject([{ last_used_at: now }, { secret_last_used_at: now }])
  expect(transactions).toBe(0)
})

test('a last use that another request has written meanwhile is kept', async () => {
  server.clock.advance(61)
  const { id } = await connection()
  const later = new Date(server.clock.now().getTime() + 5000).toISOString()
  const { together } = server.deps
  server.deps.together = async (...guarded) => {
    server.deps.together = together
    await server.store.db.updateTable('connections').set({ last_used_at: later }).where('id', '=', id).execute()
    return await together(...guarded)
  }
  expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
  expect(await connection()).toMatchObject({ last_used_at: later })
})

test('a refresh that is refused writes no last use of the connection', async () => {
  server.clock.advance(61)
  const before = await connection()
  const { together } = server.deps
  server.deps.together = async (...guarded) => {
    server.deps.together = together
    expect(await ana.call(sessions.logout)).toMatchObject({ ok: true })
    return await together(...guarded)
  }
  expect((await refresh(server, app, refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  expect(await connection()).toEqual(before)
  ana = await server.as(people.ana)
})

test('the first use of a day is counted in the statistics', async () => {
  server.clock.advance(24 * 60 * 60)
  const day = server.clock.now().toISOString().slice(0, 10)
  const counted = async () => {
    const rows = await read()
      .selectFrom('client_days')
      .select('active_users')
      .where('client_id', '=', app.client_id)
      .where('day', '=', day)
      .execute()
    return rows.reduce((sum, { active_users }) => sum + active_users, 0)
  }
  for (let uses = 0; uses < 2; uses += 1) {
    const answer = await refresh(server, app, refresh_token)
    refresh_token = answer.json().refresh_token
    expect([answer.statusCode, await counted()]).toEqual([200, 1])
    server.clock.advance(61)
  }
})
