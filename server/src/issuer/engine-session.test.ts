import { auth } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, authorizeUrl, follow, here, type ThirdParty } from '../../test/third-party.ts'

/** The engine may neither make, move, extend nor revive a session (oidc.md §2, hazard 3; decision 0061). */
let house: House
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
})
afterAll(() => house.close())

const rows = () => house.store.read.selectFrom('sessions').selectAll().orderBy('id').execute()
const sessionCookies = (answer: { cookies: { name: string }[] }) =>
  answer.cookies.filter(({ name }) => !name.includes('request')).map(({ name }) => name)

test('authorizing changes no session row and sets no cookie of ours', async () => {
  const before = await rows()
  const answer = await ana.request({ url: authorizeUrl(app) })
  expect(answer.headers.location).toContain('code=')
  expect(sessionCookies(answer)).toEqual([])
  expect(await rows()).toEqual(before)
})

test('coming back from a page does neither, though the engine renews its session there', async () => {
  const waiting = here(await follow(ana, authorizeUrl(app, { prompt: 'login' })))
  house.clock.advance(1)
  await ana.call(auth.login, { username: people.ana.email, password: people.ana.password })
  const before = await rows()
  const cookie = ana.cookies.get('vrata_sid')
  const answer = await ana.request({ url: waiting })
  expect(answer.headers.location).toContain('code=')
  expect(sessionCookies(answer)).toEqual([])
  expect(ana.cookies.get('vrata_sid')).toBe(cookie)
  expect(await rows()).toEqual(before)
})

test('a stranger gets no session, with or without a cookie that names none', async () => {
  const before = await rows()
  for (const cookie of [undefined, 'x'.repeat(43)]) {
    const answer = await house.app.inject({
      url: authorizeUrl(app),
      headers: cookie ? { cookie: `vrata_sid=${cookie}` } : {},
    })
    expect(sessionCookies(answer)).toEqual([])
  }
  expect(await rows()).toEqual(before)
})

test('a session that has ended stays ended, whatever is under way in it', async () => {
  const person = await house.as(people.ana)
  const copy = { cookie: `vrata_sid=${person.cookies.get('vrata_sid')}` }
  const racing = Array.from({ length: 20 }, () => house.app.inject({ url: authorizeUrl(app), headers: copy }))
  const [answers] = await Promise.all([Promise.all(racing), person.call(auth.logout, {})])
  expect(answers.every(({ statusCode }) => statusCode === 303)).toBe(true)
  const after = await house.app.inject({ url: authorizeUrl(app, { prompt: 'none' }), headers: copy })
  expect(after.headers.location).toContain('error=login_required')
  const ended = (await rows()).filter(({ ended_at }) => ended_at !== null)
  const left = await house.store.read
    .selectFrom('tokens')
    .select('token_hash')
    .where(
      'session_id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute()
  expect(left).toEqual([])
})

test('racing tabs that hold the cookie before the last rotation are still known', async () => {
  const person = await house.as(people.ana)
  const before = person.cookies.get('vrata_sid')
  await person.call(auth.refresh, {})
  expect(person.cookies.get('vrata_sid')).not.toBe(before)
  const answer = await house.app.inject({ url: authorizeUrl(app), headers: { cookie: `vrata_sid=${before}` } })
  expect(answer.headers.location).toContain('code=')
})
