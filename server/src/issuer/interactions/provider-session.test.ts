import { sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorizeUrl, follow, here, type ThirdParty } from '../../../test/third-party.ts'

/** oidc-provider may not create, extend or revive a session (protocol §3.3, decision 0033). */
let server: TestServer
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
})
afterAll(() => server.close())

const rows = () => server.store.read.selectFrom('sessions').selectAll().orderBy('id').execute()
const sessionCookies = (answer: { cookies: { name: string }[] }) =>
  answer.cookies.filter(({ name }) => !name.includes('request')).map(({ name }) => name)

test('an authorization changes no session row and sets no session cookie', async () => {
  const before = await rows()
  const answer = await ana.request({ url: authorizeUrl(app) })
  expect(answer.headers.location).toContain('code=')
  expect(sessionCookies(answer)).toEqual([])
  expect(await rows()).toEqual(before)
})

test('resuming an interaction does neither, though oidc-provider renews its session there', async () => {
  const interaction = here(await follow(ana, authorizeUrl(app, { prompt: 'login' })))
  server.clock.advance(1)
  await ana.call(signIn.login, { username: people.ana.email, password: people.ana.password })
  const before = await rows()
  const cookie = ana.cookies.get('vrata_sid')
  const answer = await ana.request({ url: interaction })
  expect(answer.headers.location).toContain('code=')
  expect(sessionCookies(answer)).toEqual([])
  expect(ana.cookies.get('vrata_sid')).toBe(cookie)
  expect(await rows()).toEqual(before)
})

test('an anonymous user gets no session, with or without an unknown cookie', async () => {
  const before = await rows()
  for (const cookie of [undefined, 'x'.repeat(43)]) {
    const answer = await server.app.inject({
      url: authorizeUrl(app),
      headers: cookie ? { cookie: `vrata_sid=${cookie}` } : {},
    })
    expect(sessionCookies(answer)).toEqual([])
  }
  expect(await rows()).toEqual(before)
})

test('a session that has ended stays ended while requests are in progress', async () => {
  const person = await server.as(people.ana)
  const copy = { cookie: `vrata_sid=${person.cookies.get('vrata_sid')}` }
  const racing = Array.from({ length: 20 }, () => server.app.inject({ url: authorizeUrl(app), headers: copy }))
  const [answers] = await Promise.all([Promise.all(racing), person.call(sessions.logout, {})])
  expect(answers.every(({ statusCode }) => statusCode === 303)).toBe(true)
  const after = await server.app.inject({ url: authorizeUrl(app, { prompt: 'none' }), headers: copy })
  expect(after.headers.location).toContain('error=login_required')
  const ended = (await rows()).filter(({ ended_at }) => ended_at !== null)
  const left = await server.store.read
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

test('tabs with the cookie before the last rotation stay signed in', async () => {
  const person = await server.as(people.ana)
  const before = person.cookies.get('vrata_sid')
  await person.call(sessions.refresh, {})
  expect(person.cookies.get('vrata_sid')).not.toBe(before)
  const answer = await server.app.inject({ url: authorizeUrl(app), headers: { cookie: `vrata_sid=${before}` } })
  expect(answer.headers.location).toContain('code=')
})
