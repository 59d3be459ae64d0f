import { account, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { registerUser, signInAgain, tabOf } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow } from '../../../test/third-party.ts'
import * as sessionsFeature from './public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
const rejected = { http: 401, problem: { code: 'unauthenticated' } }

describe('sessions (api §2.4)', () => {
  test('lists sessions with their device, the current one first', async () => {
    const ana = await registerUser(server)
    server.clock.advance(60)
    await signInAgain(server, ana, { user_agent: IPHONE, ip: '10.9.9.9' })
    expect(await ana.call(sessions.listSessions)).toMatchObject({
      data: [
        {
          id: ana.user.session_id,
          os: 'Linux',
          browser: 'Firefox',
          current: true,
          methods: ['pwd'],
          app: null,
          unknown: false,
          age: 60,
        },
        {
          os: 'iOS',
          browser: 'Safari',
          ip: '10.9.9.9',
          current: false,
          age: 0,
          last_seen: server.clock.now().toISOString(),
        },
      ],
    })
  })

  test('marks a session in a new browser as unknown until another session recognizes it', async () => {
    const ana = await registerUser(server)
    const phone = await signInAgain(server, ana)
    const id = await sessionId(phone)
    const unknown = async () => {
      const answer = await ana.call(sessions.listSessions)
      return answer.ok && answer.data.filter((session) => session.unknown).map((session) => session.id)
    }
    expect(await unknown()).toEqual([id])
    // Neither the unknown session itself nor another user can confirm it.
    expect(await phone.call(sessions.recognizeSession, { id })).toMatchObject({ http: 404 })
    expect(await (await registerUser(server)).call(sessions.recognizeSession, { id })).toMatchObject({ http: 404 })
    expect(await unknown()).toEqual([id])
    expect(await ana.call(sessions.recognizeSession, { id })).toMatchObject({ ok: true })
    expect(await unknown()).toEqual([])
    // The next sign-in in that browser counts as known.
    await phone.call(sessions.logout)
    await phone.call(signIn.login, { username: ana.email, password: ana.password })
    expect(await unknown()).toEqual([])
  })

  test('lets nobody recognize a new browser from another new one, until that one is a week old', async () => {
    const ana = await registerUser(server)
    const thief = await signInAgain(server, ana)
    const accomplice = await signInAgain(server, ana)
    const recognized = async () => await thief.call(sessions.recognizeSession, { id: await sessionId(accomplice) })
    const refused = { http: 403, problem: { code: 'unrecognized_device' } }
    const unknown = async () => (await listed(ana)).filter((one) => one.unknown).length
    expect(await recognized()).toMatchObject(refused)
    // Signing out and in again does not circumvent it.
    for (const browser of [thief, accomplice]) {
      await browser.call(sessions.logout)
      await browser.call(signIn.login, { username: ana.email, password: ana.password })
    }
    expect(await unknown()).toBe(2)
    expect(await recognized()).toMatchObject(refused)
    server.clock.advance(7 * 24 * 60 * 60 - 1)
    for (const browser of [ana, thief, accomplice]) await browser.call(sessions.refresh)
    expect(await recognized()).toMatchObject(refused)
    server.clock.advance(1)
    expect(await recognized()).toMatchObject({ ok: true })
    expect(await unknown()).toBe(1)
    // The one that was recognized may now do it.
    expect(await accomplice.call(sessions.recognizeSession, { id: await sessionId(thief) })).toMatchObject({ ok: true })
    expect(await unknown()).toBe(0)
  })

  test('distinguishes browsers that look the same, and keeps the device of a browser over sign-ins', async () => {
    const ana = await registerUser(server)
    const laptop = await signInAgain(server, ana)
    const other = await signInAgain(server, ana)
    const devices = async () => new Map((await listed(ana)).map(({ id, device_id }) => [id, device_id]))
    const before = await devices()
    expect(new Set(before.values()).size).toBe(3)
    expect([...before.values()]).not.toContain(null)
    const device = before.get(await sessionId(laptop))
    await laptop.call(sessions.logout)
    await laptop.call(signIn.login, { username: ana.email, password: ana.password })
    expect((await devices()).get(await sessionId(laptop))).toBe(device)
    expect((await devices()).get(await sessionId(other))).toBe(before.get(await sessionId(other)))
    // Another user of the same browser has another id there.
    const bor = await registerUser(server)
    await laptop.call(sessions.logout)
    await laptop.call(signIn.login, { username: bor.email, password: bor.password })
    const [current] = await listed(laptop)
    expect(current?.device_id).not.toBe(device)
  })

  test('adds the device of a session from an earlier release when it is renewed', async () => {
    const ana = await registerUser(server)
    const { session_id } = ana.user
    await server.store.db.updateTable('sessions').set({ device_id: null }).where('id', '=', session_id).execute()
    expect((await listed(ana))[0]?.device_id).toBe(null)
    await ana.call(sessions.refresh, {})
    expect((await listed(ana))[0]?.device_id).toEqual(expect.any(String))
  })

  test('names a device until the name is removed, also over sign-ins', async () => {
    const ana = await registerUser(server)
    const laptop = await signInAgain(server, ana)
    const [, session] = await listed(ana)
    const id = session?.device_id ?? ''
    const names = async () => (await listed(ana)).map(({ device_name }) => device_name)
    expect(await ana.call(sessions.renameDevice, { id, name: 'Prenosnik' })).toMatchObject({ ok: true })
    expect(await names()).toEqual([null, 'Prenosnik'])
    await laptop.call(sessions.logout)
    expect(await ana.call(sessions.renameDevice, { id, name: 'Kuhinja' })).toMatchObject({ http: 404 })
    await laptop.call(signIn.login, { username: ana.email, password: ana.password })
    expect(await names()).toEqual([null, 'Prenosnik'])
    // Devices of others are not found.
    expect(await (await registerUser(server)).call(sessions.renameDevice, { id, name: 'Moj' })).toMatchObject({
      http: 404,
    })
    expect(await ana.call(sessions.renameDevice, { id, name: null })).toMatchObject({ ok: true })
    expect(await names()).toEqual([null, null])
    expect(await ana.call(sessions.renameDevice, { id, name: 'x'.repeat(61) })).toMatchObject({ http: 400 })
  })

  test('rejects both cookies of an ended session at the next request', async () => {
    const ana = await registerUser(server)
    const phone = await signInAgain(server, ana)
    const id = await sessionId(phone)
    expect(await ana.call(sessions.logoutSession, { id })).toMatchObject({ ok: true })
    expect(await phone.call(account.getAccount)).toMatchObject(rejected)
    expect(await phone.call(sessions.refresh)).toMatchObject(rejected)
    expect(await ana.call(sessions.listSessions)).toMatchObject({ data: [{ current: true }] })
    expect(await ana.call(sessions.logoutSession, { id })).toMatchObject({ http: 404, problem: { code: 'not_found' } })
  })

  test('does not find or end a session of another user', async () => {
    const ana = await registerUser(server)
    const bor = await registerUser(server)
    const answer = await ana.call(sessions.logoutSession, { id: bor.user.session_id })
    expect(answer).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    expect(await bor.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('ends all sessions but the current one, or all', async () => {
    const ana = await registerUser(server)
    const others = [await signInAgain(server, ana), await signInAgain(server, ana)]
    await ana.call(sessions.logoutAll)
    for (const other of others) expect(await other.call(account.getAccount)).toMatchObject(rejected)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    await ana.call(sessions.logoutAll, { include_current: true })
    expect(await ana.call(account.getAccount)).toMatchObject(rejected)
    expect([...ana.cookies.keys()]).toEqual(['vrata_device', 'language'])
  })
})

describe('logout (api §2.4)', () => {
  test('ends the session, clears its cookies and sends Clear-Site-Data', async () => {
    const ana = await registerUser(server)
    const tab = tabOf(server, ana)
    const answer = await ana.request({ method: 'POST', url: '/v1/auth/logout' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['clear-site-data']).toBe('"cache"')
    expect([...ana.cookies.keys()]).toEqual(['vrata_device', 'language'])
    expect(await tab.call(account.getAccount)).toMatchObject(rejected)
    expect(await tab.call(sessions.refresh)).toMatchObject(rejected)
  })

  test('accepts either cookie, a former cookie, or none', async () => {
    for (const missing of ['vrata_sid', 'vrata_access']) {
      const ana = await registerUser(server)
      const tab = tabOf(server, ana)
      ana.cookies.delete(missing)
      await ana.call(sessions.logout)
      expect(await tab.call(account.getAccount)).toMatchObject(rejected)
    }
    const bor = await registerUser(server)
    const old = tabOf(server, bor)
    await bor.call(sessions.refresh)
    server.clock.advance(31)
    old.cookies.delete('vrata_access')
    await old.call(sessions.logout)
    expect(await bor.call(account.getAccount)).toMatchObject(rejected)
    expect(await server.browser().call(sessions.logout)).toMatchObject({ ok: true })
  })
})

describe('reauthentication (api §2.7)', () => {
  test('makes the sign-in fresh and replaces the cookies', async () => {
    const ana = await registerUser(server)
    server.clock.advance(601)
    await ana.call(sessions.refresh)
    const thief = tabOf(server, ana)
    expect(await ana.call(sessions.reauthenticate, { password: ana.password })).toMatchObject({ ok: true })
    expect(await ana.call(account.updateAccount, { email: `new-${ana.email}` })).toMatchObject({ ok: true })
    expect(await thief.call(account.getAccount)).toMatchObject(rejected)
    expect(await thief.call(sessions.refresh)).toMatchObject(rejected)
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { session_id: ana.user.session_id } })
  })

  test('gives nothing to a copy of cookies that a new password has voided meanwhile', async () => {
    const ana = await registerUser(server)
    const thief = tabOf(server, ana)
    const { passwords } = server.deps
    const { verify } = passwords
    // The password is changed after the call of the thief has been admitted.
    passwords.verify = async (...input) => {
      passwords.verify = verify
      const changed = { current_password: ana.password, new_password: 'drugacna-gora-17' }
      expect(await ana.call(security.changePassword, changed)).toMatchObject({ ok: true })
      return await verify(...input)
    }
    expect(await thief.call(sessions.reauthenticate, { password: ana.password })).toMatchObject(rejected)
    expect(await thief.call(account.getAccount)).toMatchObject(rejected)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await ana.call(sessions.refresh)).toMatchObject({ ok: true })
  })

  test('rejects a wrong password and throttles', async () => {
    const ana = await registerUser(server)
    server.clock.advance(301)
    await ana.call(sessions.refresh)
    server.clock.advance(301)
    const wrong = () => ana.call(sessions.reauthenticate, { password: 'napacno geslo' })
    for (let i = 0; i < 10; i += 1)
      expect(await wrong()).toMatchObject({ http: 400, problem: { code: 'invalid_password' } })
    expect(await wrong()).toMatchObject({ http: 429 })
    expect(await ana.call(account.updateAccount, { email: `new-${ana.email}` })).toMatchObject({
      problem: { code: 'reauthentication_required' },
    })
  })
})

describe('public functions', () => {
  test('does not revive an ended session by a late update', async () => {
    const ana = await registerUser(server)
    const { db } = server.store
    const { session_id } = ana.user
    await ana.call(sessions.logout)
    expect(await sessionsFeature.updateSessionDeveloper(db, session_id, null)).toBe(false)
    expect(await sessionsFeature.findSession(db, session_id, server.clock.now())).toBeUndefined()
  })

  test('finds a session by its cookie, and by the former one for 30 seconds (protocol §3.3)', async () => {
    const ana = await registerUser(server)
    const old = ana.cookies.get('vrata_sid') ?? ''
    await ana.call(sessions.refresh)
    const find = (token = '') => sessionsFeature.findSessionByToken(server.store.read, token, server.clock.now())
    expect(await find(ana.cookies.get('vrata_sid'))).toMatchObject({ id: ana.user.session_id })
    expect(await find(old)).toMatchObject({ id: ana.user.session_id })
    server.clock.advance(30)
    expect(await find(old)).toBeUndefined()
    // Finding a session does not end it; only a refresh with the former cookie does.
    expect(await find(ana.cookies.get('vrata_sid'))).toBeDefined()
  })

  test('deletes sessions one day after they expired, in batches (security §14.2.7)', async () => {
    const ana = await registerUser(server)
    await signInAgain(server, ana)
    const DAY = 24 * 60 * 60
    server.clock.advance(30 * DAY)
    await sessionsFeature.prune(server.deps)
    expect(await rowsOf(ana.user.id)).toBe(2)
    server.clock.advance(DAY + 1)
    expect(await sessionsFeature.prune(server.deps)).toBeGreaterThanOrEqual(2)
    expect(await rowsOf(ana.user.id)).toBe(0)
  })

  test('keeps an expired session that was ended for a day after its end, with which JWTs end (decision 0055)', async () => {
    const ana = await registerUser(server)
    const DAY = 24 * 60 * 60
    server.clock.advance(32 * DAY)
    const { user_id, session_id } = { user_id: ana.user.id, session_id: ana.user.session_id }
    await server.deps.transaction((deps) => deps.revoke('signed_out', { user_id, session_ids: [session_id] }))
    await sessionsFeature.prune(server.deps)
    expect(await sessionsFeature.hasEnded(server.store.read, session_id)).toBe(true)
    server.clock.advance(DAY + 1)
    await sessionsFeature.prune(server.deps)
    expect(await rowsOf(ana.user.id)).toBe(0)
  })

  test('keeps an expired session while a token refers to it', async () => {
    const ana = await server.as(people.ana)
    const app = await (await createOrganization(server, ana)).app()
    await allow(ana, app, 'openid')
    const connection = await server.store.read
      .selectFrom('connections')
      .select('id')
      .where('user_id', '=', ana.user.id)
      .executeTakeFirstOrThrow()
    const token = {
      token_hash: 'hash',
      kind: 'RefreshToken',
      connection_id: connection.id,
      session_id: ana.user.session_id,
      client_id: app.client_id,
      user_id: ana.user.id,
      grant_id: null,
      payload: '{}',
      created_at: server.clock.now().toISOString(),
      expires_at: '9999',
      consumed_at: null,
    }
    await server.store.db.insertInto('tokens').values(token).execute()
    // More than one step has, of the same time, and all of the first ones stay.
    const session = await server.store.read
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', ana.user.session_id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 250 }, (_, n) => {
      const id = `${ana.user.session_id.slice(0, -4)}${String(n).padStart(4, '0')}`
      return { ...session, id, token_hash: id, access_hash: id }
    })
    await server.store.db.insertInto('sessions').values(copies).execute()
    const held = copies.slice(0, 120).map(({ id }) => ({ ...token, token_hash: id, session_id: id }))
    await server.store.db.insertInto('tokens').values(held).execute()
    server.clock.advance(32 * 24 * 60 * 60)
    expect(await sessionsFeature.prune(server.deps)).toBeGreaterThanOrEqual(130)
    expect(await rowsOf(ana.user.id)).toBe(121)
    await server.store.db.deleteFrom('tokens').where('connection_id', '=', connection.id).execute()
    await sessionsFeature.prune(server.deps)
    expect(await rowsOf(ana.user.id)).toBe(0)
  })
})

async function rowsOf(user_id: string): Promise<number> {
  return (await server.store.read.selectFrom('sessions').select('id').where('user_id', '=', user_id).execute()).length
}

async function listed(browser: Awaited<ReturnType<typeof signInAgain>>) {
  const answer = await browser.call(sessions.listSessions)
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data
}

async function sessionId(browser: Awaited<ReturnType<typeof signInAgain>>): Promise<string> {
  const answer = await browser.call(account.getAccount)
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.session_id
}
