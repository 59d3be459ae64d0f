import { account, sessions, signIn } from '@vrata/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { dataOf } from '../../../../testing/api-client.ts'
import { mailsTo, type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import type { Db } from '../../db/open.ts'
import { networkOf } from '../../http/guards/rate-limit.ts'

/** A plain sign-in is one transaction of guarded writes (decision 0097). */
let server: TestServer
let ana: RegisteredUser
const outcomes: boolean[] = []
/** Changes that others commit after the password was verified, and before the sign-in is written. */
let meanwhile: ((db: Db) => Promise<unknown>) | undefined

beforeAll(async () => {
  server = await startTestServer()
  const { together } = server.deps
  server.deps.together = async (guarded, events) => {
    await meanwhile?.(server.store.db)
    const written = await together(guarded, events)
    outcomes.push(written)
    return written
  }
})
afterAll(() => server.close())
beforeEach(async () => {
  ana = await registerConfirmedUser(server)
  outcomes.length = 0
})
afterEach(() => {
  meanwhile = undefined
})

const IP = '10.9.8.7'
const login = (browser = server.browser({ ip: IP })) =>
  browser.call(signIn.login, { username: ana.email, password: ana.password })
const now = () => server.clock.now().toISOString()
const later = () => new Date(server.clock.now().getTime() + 60_000).toISOString()
const block = (key: string) => async (db: Db) => {
  const values = { key, failures: 99, blocked_until: later(), updated_at: now() }
  await db.insertInto('throttles').values(values).execute()
}
const count = async (db: Db) => {
  const values = { key: `user:${ana.user.id}`, failures: 3, blocked_until: null, updated_at: now() }
  await db.insertInto('throttles').values(values).execute()
}
const counters = () => server.store.read.selectFrom('throttles').selectAll().execute()
const change =
  (columns: object) =>
  async (db: Db): Promise<unknown> =>
    await db.updateTable('users').set(columns).where('id', '=', ana.user.id).execute()

test('opens a session in a new browser, mails about it, and records the browser for the next time', async () => {
  const browser = server.browser()
  expect(await login(browser)).toMatchObject({ data: { next: 'done', user: { id: ana.user.id, next_step: null } } })
  expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
  const [current] = dataOf(await browser.call(sessions.listSessions))
  expect(current).toMatchObject({ current: true, unknown: true, methods: ['pwd'], browser: 'Firefox' })
  const mails = await mailsTo(server, ana.email)
  // The first confirms the address.
  expect(mails).toHaveLength(2)

  await browser.call(sessions.logout)
  expect(await login(browser)).toMatchObject({ data: { next: 'done' } })
  const [again] = dataOf(await browser.call(sessions.listSessions))
  // The user has not confirmed this browser yet.
  expect(again).toMatchObject({ current: true, unknown: true })
  expect(await mailsTo(server, ana.email)).toHaveLength(2)
  expect(outcomes).toEqual([true, true])
})

test('keeps the twenty browsers that were used last', async () => {
  let browser = server.browser()
  for (let i = 0; i < 21; i += 1) {
    browser = server.browser()
    server.clock.advance(1)
    await login(browser)
  }
  const kept = server.store.read.selectFrom('known_devices').select('token_hash').where('user_id', '=', ana.user.id)
  expect(await kept.execute()).toHaveLength(20)
  const mails = await mailsTo(server, ana.email)
  await browser.call(sessions.logout)
  await login(browser)
  expect(await mailsTo(server, ana.email)).toHaveLength(mails.length)
})

test.each<[string, () => (db: Db) => Promise<unknown>, object]>([
  [
    'the password was changed',
    () => change({ password_hash: 'another', password_updated_at: later() }),
    { problem: { code: 'invalid_credentials' } },
  ],
  ['the account was disabled', () => change({ disabled_at: now() }), { problem: { code: 'account_disabled' } }],
  ['the account waits after wrong passwords', () => block(`user:${ana.user.id}`), { http: 429 }],
  ['the network waits after wrong passwords', () => block(`network:${networkOf(IP)}`), { http: 429 }],
])('opens no session when meanwhile %s', async (_, others, answer) => {
  const before = await sessionsOfAna()
  meanwhile = others()
  const browser = server.browser({ ip: IP })
  expect(await login(browser)).toMatchObject(answer)
  expect(outcomes).toEqual([false])
  expect(browser.cookies.size).toBe(0)
  expect(await sessionsOfAna()).toBe(before)
  await server.store.db.deleteFrom('throttles').execute()
})

test.each<[string, () => (db: Db) => Promise<unknown>, string]>([
  ['everything else was ended', () => change({ token_generation: 7 }), 'done'],
  ['all sessions were ended together', () => change({ session_generation: 'next' }), 'done'],
  ['a wrong password was counted', () => count, 'done'],
  ['a deletion was scheduled, which it cancels', () => scheduled, 'done'],
  ['two-factor authentication was turned on', () => secondFactor, 'otp'],
])('continues step by step when meanwhile %s', async (_, others, next) => {
  meanwhile = others()
  expect(await login()).toMatchObject({ data: { next } })
  expect(outcomes).toEqual([false])
  const deletions = server.store.read
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', ana.user.id)
  expect(await deletions.execute()).toEqual([])
  expect(await counters()).toEqual([])
  const current = server.store.read.selectFrom('users').select('session_generation').where('id', '=', ana.user.id)
  const opened = server.store.read
    .selectFrom('sessions')
    .select('generation')
    .where('user_id', '=', ana.user.id)
    .orderBy('id')
  const { session_generation } = await current.executeTakeFirstOrThrow()
  if (next === 'done') expect((await opened.execute()).at(-1)).toEqual({ generation: session_generation })
})

test('forgets wrong passwords', async () => {
  await count(server.store.db)
  expect(await login()).toMatchObject({ data: { next: 'done' } })
  expect(outcomes).toEqual([true])
  expect(await counters()).toEqual([])
})

test('opens a session of the current generation', async () => {
  await change({ session_generation: 'current' })(server.store.db)
  const browser = server.browser()
  expect(await login(browser)).toMatchObject({ data: { next: 'done' } })
  expect(outcomes).toEqual([true])
  expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
})

test('a known browser that was forgotten meanwhile is a new one', async () => {
  const browser = server.browser()
  await login(browser)
  await browser.call(sessions.logout)
  const mails = await mailsTo(server, ana.email)
  // A new address was confirmed in another browser.
  meanwhile = () =>
    server.deps.transaction(({ revoke }) => revoke('address_changed', { user_id: ana.user.id, keep: null }))
  expect(await login(browser)).toMatchObject({ data: { next: 'done' } })
  expect(outcomes).toEqual([true, false])
  const [current] = dataOf(await browser.call(sessions.listSessions))
  expect(current).toMatchObject({ current: true, unknown: true })
  expect(await mailsTo(server, ana.email)).toHaveLength(mails.length + 1)
})

test('the mail about a new browser goes to the address that the account has at that time', async () => {
  const email = `new-${ana.email}`
  meanwhile = change({ email })
  expect(await login()).toMatchObject({ data: { next: 'done' } })
  expect(outcomes).toEqual([false])
  expect(await mailsTo(server, email)).toHaveLength(1)
})

test('takes the browser of another person step by step, and one with a session', async () => {
  const browser = server.browser()
  await login(browser)
  await login(browser)
  const bor = await registerConfirmedUser(server)
  await browser.call(sessions.logout)
  outcomes.length = 0
  const input = { username: bor.email, password: bor.password }
  expect(await browser.call(signIn.login, input)).toMatchObject({ data: { next: 'done', user: { id: bor.user.id } } })
  expect(outcomes).toEqual([])
})

const scheduled = (db: Db) =>
  db.insertInto('account_deletions').values({ user_id: ana.user.id, requested_at: now(), due_at: later() }).execute()

const secondFactor = (db: Db) =>
  db
    .insertInto('otp_seeds')
    .values({ user_id: ana.user.id, sealed_seed: 'sealed', created_at: now(), enabled_at: now(), last_step: 0 })
    .execute()

async function sessionsOfAna(): Promise<number> {
  const rows = await server.store.read.selectFrom('sessions').select('id').where('user_id', '=', ana.user.id).execute()
  return rows.length
}
