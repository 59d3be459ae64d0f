import { auth, connections, statistics } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { allow, authorize, codeFor, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import { pruneAll } from '../../prune.ts'
import { weekSignIns } from './door.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let organisation: Organisation
let app: ThirdParty
let other: ThirdParty
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())
beforeEach(async () => {
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  cvetka = await house.as(people.cvetka)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  other = await organisation.app({ name: 'Burja' })
  for (const person of [bor, cvetka]) for (const one of [app, other]) await allow(person, one)
})

/** Time goes by, and the browsers are still open. */
async function pass(seconds: number): Promise<void> {
  house.clock.advance(seconds)
  for (const person of [ana, bor, cvetka]) await person.call(auth.refresh, {})
}

/** Days on which something happened: `[sign-ins, active users]`, oldest first. */
async function days(of?: ThirdParty, days = 30): Promise<[number, number][]> {
  const answer = of
    ? await ana.call(statistics.clientStatistics, { id: of.client_id, days })
    : await ana.call(statistics.developerStatistics, { days })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.filter((day) => day.active_users > 0).map((day) => [day.sign_ins, day.active_users])
}

test('§6 each sign-in counts, each person once a day', async () => {
  expect(await days(app)).toEqual([])
  await signInTo(house, bor, app)
  await signInTo(house, bor, app)
  await signInTo(house, cvetka, app)
  expect(await days(app)).toEqual([[3, 2]])
  expect(await days(other)).toEqual([])
})

test('somebody who uses two apps of an organisation counts once in it', async () => {
  await signInTo(house, bor, app)
  await signInTo(house, bor, other)
  await signInTo(house, cvetka, other)
  expect([await days(app), await days(other), await days()]).toEqual([[[1, 1]], [[2, 2]], [[3, 2]]])
})

test('silent checks are no sign-ins, renewed tokens make somebody active', async () => {
  await authorize(bor, app, { prompt: 'none' })
  expect(await days(app)).toEqual([[0, 1]])
  const { refresh_token } = await signInTo(house, cvetka, app, { scope: 'openid offline_access' })
  await pass(24 * 60 * 60)
  await refresh(house, app, refresh_token)
  expect(await days(app)).toEqual([
    [1, 2],
    [0, 1],
  ])
})

test('a day ends at midnight of UTC, even within the minute in which a use is noted only once', async () => {
  const today = new Date(house.clock.now())
  const midnight = Math.ceil(today.getTime() / 86_400_000) * 86_400_000
  await pass((midnight - today.getTime()) / 1000 - 10)
  await signInTo(house, bor, app)
  await pass(20)
  await signInTo(house, bor, app)
  expect(await days(app)).toEqual([
    [1, 1],
    [1, 1],
  ])
})

test('as many days as asked for, today last, those without anything among them', async () => {
  await signInTo(house, bor, app)
  await pass(6 * 24 * 60 * 60)
  const answer = await ana.call(statistics.clientStatistics, { id: app.client_id, days: 7 })
  if (!answer.ok) throw new Error(answer.problem.code)
  expect(answer.data.map(({ sign_ins }) => sign_ins)).toEqual([1, 0, 0, 0, 0, 0, 0])
  expect(answer.data.at(-1)?.day).toBe(house.clock.now().toISOString().slice(0, 10))
  for (const days of [0, 367, 1.5]) {
    expect(await ana.call(statistics.developerStatistics, { days })).toMatchObject({ http: 400 })
  }
})

test('the sign-ins of a week, by app', async () => {
  await signInTo(house, bor, app)
  const week = (at: Date) => weekSignIns(house.store.read, [app.client_id, other.client_id], at)
  const now = house.clock.now()
  expect(await week(now)).toEqual(new Map([[app.client_id, 1]]))
  expect(await week(new Date(now.getTime() + 7 * 86_400_000))).toEqual(new Map())
})

test('a sign-in that fails is not counted', async () => {
  const { form } = await codeFor(bor, app)
  expect(await days(app)).toEqual([[1, 1]])
  await bor.call(connections.removeConnection, { client: app.client_id })
  expect(form.code).toBeTruthy()
  await authorize(bor, app, { prompt: 'none' })
  expect(await days(app)).toEqual([[1, 1]])
})

test('days that nobody can ask for any more are forgotten', async () => {
  await signInTo(house, bor, app)
  const kept = async () => (await house.store.read.selectFrom('client_days').selectAll().execute()).length
  await pruneAll(house.deps)
  expect(await kept()).toBeGreaterThan(0)
  house.clock.advance(367 * 24 * 60 * 60)
  await pruneAll(house.deps)
  expect(await kept()).toBe(0)
})
