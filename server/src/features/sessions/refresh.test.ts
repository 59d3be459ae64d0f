import { account, developers, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerUser, tabOf } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const rejected = { http: 401, problem: { code: 'unauthenticated' } }

describe('refreshing the cookies (api §2.3)', () => {
  test('replaces both cookies when the access cookie has expired after 10 minutes', async () => {
    const ana = await registerUser(server)
    const before = new Map(ana.cookies)
    server.clock.advance(10 * MINUTE)
    expect(await ana.call(account.getAccount)).toMatchObject(rejected)
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true, data: { id: ana.user.id, email: ana.email } })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    for (const name of ['vrata_sid', 'vrata_access']) expect(ana.cookies.get(name)).not.toBe(before.get(name))
  })

  test('requires the session cookie only', async () => {
    const ana = await registerUser(server)
    const access = ana.cookies.get('vrata_access') ?? ''
    ana.cookies.delete('vrata_access')
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true })
    ana.cookies.clear()
    expect(await ana.call(sessions.refresh)).toMatchObject(rejected)
    ana.cookies.set('vrata_sid', access)
    expect(await ana.call(sessions.refresh)).toMatchObject(rejected)
  })

  test('returns the same successor to concurrent tabs', async () => {
    const ana = await registerUser(server)
    const tabs = Array.from({ length: 8 }, () => tabOf(server, ana))
    const answers = await Promise.all(tabs.map((tab) => tab.call(sessions.refresh)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(new Set(tabs.map(({ cookies }) => cookies.get('vrata_sid'))).size).toBe(1)
    expect(new Set(tabs.map(({ cookies }) => cookies.get('vrata_access'))).size).toBe(1)
    for (const tab of tabs) expect(await tab.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('refuses a concurrent authentication step, whose cookie its late answer would replace', async () => {
    const ana = await registerUser(server)
    const tab = tabOf(server, ana)
    const { passwords } = server.deps
    const { verify } = passwords
    // The session is refreshed after the step has been admitted with the former cookies.
    passwords.verify = async (...input) => {
      passwords.verify = verify
      await tab.call(sessions.refresh)
      return await verify(...input)
    }
    const { password } = ana
    expect(await ana.call(sessions.reauthenticate, { password })).toMatchObject(rejected)
    // The answer to the refresh arrives last.
    for (const [name, value] of tab.cookies) ana.cookies.set(name, value)
    expect(await ana.call(sessions.reauthenticate, { password })).toMatchObject({ ok: true })
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true })
  })

  test('returns the same successor for 30 seconds', async () => {
    const ana = await registerUser(server)
    const late = tabOf(server, ana)
    await ana.call(sessions.refresh)
    server.clock.advance(29)
    expect(await late.call(sessions.refresh)).toMatchObject({ ok: true })
    expect(late.cookies.get('vrata_sid')).toBe(ana.cookies.get('vrata_sid'))
  })

  test('ends the session when a former cookie is presented after the grace period', async () => {
    const ana = await registerUser(server)
    const thief = tabOf(server, ana)
    await ana.call(sessions.refresh)
    server.clock.advance(31)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await thief.call(sessions.refresh)).toMatchObject(rejected)
    expect(await ana.call(account.getAccount)).toMatchObject(rejected)
    expect(await ana.call(sessions.refresh)).toMatchObject(rejected)
    expect(server.logged()).toContain('replayed')
  })

  test('ends the session when a cookie of any earlier generation is presented', async () => {
    const ana = await registerUser(server)
    const thief = tabOf(server, ana)
    for (let i = 0; i < 3; i += 1) {
      await thief.call(sessions.refresh)
      server.clock.advance(10 * MINUTE)
    }
    expect(await ana.call(sessions.refresh)).toMatchObject(rejected)
    expect(await thief.call(sessions.refresh)).toMatchObject(rejected)
  })

  test('accepts a slow tab after two refreshes within the grace period', async () => {
    const ana = await registerUser(server)
    const slow = tabOf(server, ana)
    await ana.call(sessions.refresh)
    await ana.call(sessions.refresh, { developer_id: null })
    expect(await slow.call(sessions.refresh)).toMatchObject(rejected)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('ends no session for a forged cookie with a valid session id', async () => {
    const ana = await registerUser(server)
    server.clock.advance(31)
    const forger = server.browser()
    const [, , tag = ''] = (ana.cookies.get('vrata_sid') ?? '').split('.')
    for (const forged of ['x', `${'a'.repeat(43)}.${ana.user.session_id}.${[...tag].reverse().join('')}`, 'a.b.c']) {
      forger.cookies.set('vrata_sid', forged)
      expect(await forger.call(sessions.refresh)).toMatchObject(rejected)
    }
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('expires a session 30 days after its last use and 90 days after it began', async () => {
    const ana = await registerUser(server)
    server.clock.advance(29 * DAY)
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true })
    server.clock.advance(29 * DAY)
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true })
    server.clock.advance(29 * DAY)
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true })
    server.clock.advance(3 * DAY)
    expect(await ana.call(sessions.refresh)).toMatchObject(rejected)

    const bor = await registerUser(server)
    server.clock.advance(30 * DAY)
    expect(await bor.call(sessions.refresh)).toMatchObject(rejected)
  })

  test('updates last_seen; other requests do not', async () => {
    const ana = await registerUser(server)
    const begun = server.clock.now().toISOString()
    server.clock.advance(MINUTE)
    expect(await ana.call(sessions.listSessions)).toMatchObject({ data: [{ last_seen: begun }] })
    await ana.call(sessions.refresh)
    expect(await ana.call(sessions.listSessions)).toMatchObject({
      data: [{ last_seen: server.clock.now().toISOString() }],
    })
  })
})

describe('switching the developer account (api §2.3)', () => {
  test('switches to an account of the user and back; rejects another one without a change', async () => {
    const ana = await registerUser(server)
    const bor = await registerUser(server)
    for (const { user } of [ana, bor]) {
      const email_verified_at = server.clock.now().toISOString()
      await server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', user.id).execute()
    }
    const mine = await ana.call(developers.createDeveloper, { name: 'Studio' })
    const theirs = await bor.call(developers.createDeveloper, { name: 'Tuji' })
    if (!mine.ok || !theirs.ok) throw new Error('no developer accounts')
    const { developer_id } = mine.data

    expect(await ana.call(sessions.refresh, { developer_id: null })).toMatchObject({
      data: { developer_id: null, permission: null, developer_accounts: [{ developer_id, permission: 'owner' }] },
    })
    expect(await ana.call(sessions.refresh, { developer_id })).toMatchObject({
      data: { developer_id, permission: 'owner' },
    })

    const cookies = new Map(ana.cookies)
    const answer = await ana.call(sessions.refresh, { developer_id: theirs.data.developer_id })
    expect(answer).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    expect(ana.cookies).toEqual(cookies)
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { developer_id } })
    // An empty refresh keeps the current developer account.
    expect(await ana.call(sessions.refresh)).toMatchObject({ data: { developer_id } })
  })
})
