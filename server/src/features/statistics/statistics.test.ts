import { connections, sessions, statistics } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, codeFor, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import { pruneAll } from '../../prune.ts'
import { countWeekSignIns } from './public.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let organization: Organization
let app: ThirdParty
let other: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())
beforeEach(async () => {
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  cvetka = await server.as(people.cvetka)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  other = await organization.app({ name: 'Burja' })
  for (const person of [bor, cvetka]) for (const one of [app, other]) await allow(person, one)
})

/** Advances the clock and keeps the sessions alive. */
async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds)
  for (const person of [ana, bor, cvetka]) await person.call(sessions.refresh, {})
}

/** Returns days with events as `[sign-ins, active users]`, oldest first. */
async function days(of?: ThirdParty, days = 30): Promise<[number, number][]> {
  const answer = of
    ? await ana.call(statistics.getClientStatistics, { id: of.client_id, days })
    : await ana.call(statistics.getDeveloperStatistics, { days })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.filter((day) => day.active_users > 0).map((day) => [day.sign_ins, day.active_users])
}

test('counts each sign-in, and each user once a day', async () => {
  expect(await days(app)).toEqual([])
  await signInTo(server, bor, app)
  await signInTo(server, bor, app)
  await signInTo(server, cvetka, app)
  expect(await days(app)).toEqual([[3, 2]])
  expect(await days(other)).toEqual([])
})

test('eight sign-ins in a row are counted in eight rows of their day, so that none waits for another', async () => {
  for (let i = 0; i < 8; i += 1) await signInTo(server, bor, app)
  const rows = server.store.read.selectFrom('client_days').select('sign_ins').where('client_id', '=', app.client_id)
  expect((await rows.execute()).map((row) => row.sign_ins)).toEqual(Array(8).fill(1))
})

test('counts a user of two clients once for the developer account', async () => {
  await signInTo(server, bor, app)
  await signInTo(server, bor, other)
  await signInTo(server, cvetka, other)
  expect([await days(app), await days(other), await days()]).toEqual([[[1, 1]], [[2, 2]], [[3, 2]]])
})

test('counts a user who opens several clients at once, once for the developer account', async () => {
  const third = await organization.app({ name: 'Cimos' })
  await allow(bor, third)
  const clients = [app, other, third]
  await Promise.all(clients.map((one) => signInTo(server, bor, one)))
  await pass(24 * 60 * 60)
  await Promise.all(clients.map((one) => authorize(bor, one, { prompt: 'none' })))
  expect(await days()).toEqual([
    [3, 1],
    [0, 1],
  ])
  expect(server.deadlocks()).toEqual([])
})

test('counts no silent authentication as sign-in, and refreshes as active users', async () => {
  await authorize(bor, app, { prompt: 'none' })
  expect(await days(app)).toEqual([[0, 1]])
  const { refresh_token } = await signInTo(server, cvetka, app, { scope: 'openid offline_access' })
  await pass(24 * 60 * 60)
  await refresh(server, app, refresh_token)
  expect(await days(app)).toEqual([
    [1, 2],
    [0, 1],
  ])
})

test('ends a day at midnight UTC, also within the minute of one recorded use', async () => {
  const today = new Date(server.clock.now())
  const midnight = Math.ceil(today.getTime() / 86_400_000) * 86_400_000
  await pass((midnight - today.getTime()) / 1000 - 10)
  await signInTo(server, bor, app)
  await pass(20)
  await signInTo(server, bor, app)
  expect(await days(app)).toEqual([
    [1, 1],
    [1, 1],
  ])
})

test('returns every requested day, today last', async () => {
  await signInTo(server, bor, app)
  await pass(6 * 24 * 60 * 60)
  const answer = await ana.call(statistics.getClientStatistics, { id: app.client_id, days: 7 })
  if (!answer.ok) throw new Error(answer.problem.code)
  expect(answer.data.map(({ sign_ins }) => sign_ins)).toEqual([1, 0, 0, 0, 0, 0, 0])
  expect(answer.data.at(-1)?.day).toBe(server.clock.now().toISOString().slice(0, 10))
  for (const days of [0, 367, 1.5]) {
    expect(await ana.call(statistics.getDeveloperStatistics, { days })).toMatchObject({ http: 400 })
  }
})

test('counts the sign-ins of a week by client', async () => {
  await signInTo(server, bor, app)
  const week = (at: Date) => countWeekSignIns(server.store.read, [app.client_id, other.client_id], at)
  const now = server.clock.now()
  expect(await week(now)).toEqual(new Map([[app.client_id, 1]]))
  expect(await week(new Date(now.getTime() + 7 * 86_400_000))).toEqual(new Map())
})

test('does not count failed sign-ins', async () => {
  const { form } = await codeFor(bor, app)
  expect(await days(app)).toEqual([[1, 1]])
  await bor.call(connections.removeConnection, { client: app.client_id })
  expect(form.code).toBeTruthy()
  await authorize(bor, app, { prompt: 'none' })
  expect(await days(app)).toEqual([[1, 1]])
})

test('prunes days that can no longer be requested', async () => {
  await signInTo(server, bor, app)
  const kept = async () => (await server.store.read.selectFrom('client_days').selectAll().execute()).length
  await pruneAll(server.deps)
  expect(await kept()).toBeGreaterThan(0)
  server.clock.advance(367 * 24 * 60 * 60)
  await pruneAll(server.deps)
  expect(await kept()).toBe(0)
})
