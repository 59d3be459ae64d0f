import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, newcomer, tabOf } from '../../../test/newcomer.ts'
import * as door from './door.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
const refused = { http: 401, problem: { code: 'unauthenticated' } }

describe('api §2 my sessions', () => {
  test('lists devices with what a person knows them by, this one first', async () => {
    const ana = await newcomer(house)
    house.clock.advance(60)
    await elsewhere(house, ana, { user_agent: IPHONE, ip: '10.9.9.9' })
    expect(await ana.call(auth.listSessions)).toMatchObject({
      data: [
        {
          id: ana.user.session_id,
          os: 'Linux',
          browser: 'Firefox',
          current: true,
          methods: ['pwd'],
          app: null,
          unknown: false,
        },
        { os: 'iOS', browser: 'Safari', ip: '10.9.9.9', current: false, last_seen: house.clock.now().toISOString() },
      ],
    })
  })

  test('one in a new browser is asked about until another one says that it is known', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    const id = await sessionId(phone)
    const unknown = async () => {
      const answer = await ana.call(auth.listSessions)
      return answer.ok && answer.data.filter((session) => session.unknown).map((session) => session.id)
    }
    expect(await unknown()).toEqual([id])
    // Whoever came in there must not be the one who says so, and neither is anybody else.
    expect(await phone.call(auth.knowSession, { id })).toMatchObject({ http: 404 })
    expect(await (await newcomer(house)).call(auth.knowSession, { id })).toMatchObject({ http: 404 })
    expect(await unknown()).toEqual([id])
    expect(await ana.call(auth.knowSession, { id })).toMatchObject({ ok: true })
    expect(await unknown()).toEqual([])
    // The next sign-in there is one in a browser that is known.
    await phone.call(auth.logout)
    await phone.call(auth.login, { username: ana.email, password: ana.password })
    expect(await unknown()).toEqual([])
  })

  test('one that is ended is refused at the next request, with either cookie', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    const id = await sessionId(phone)
    expect(await ana.call(auth.logoutSession, { id })).toMatchObject({ ok: true })
    expect(await phone.call(account.getAccount)).toMatchObject(refused)
    expect(await phone.call(auth.refresh)).toMatchObject(refused)
    expect(await ana.call(auth.listSessions)).toMatchObject({ data: [{ current: true }] })
    expect(await ana.call(auth.logoutSession, { id })).toMatchObject({ http: 404, problem: { code: 'not_found' } })
  })

  test('somebody else’s is not found, and lives on', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const answer = await ana.call(auth.logoutSession, { id: bor.user.session_id })
    expect(answer).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    expect(await bor.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('all but this one end, or all', async () => {
    const ana = await newcomer(house)
    const others = [await elsewhere(house, ana), await elsewhere(house, ana)]
    await ana.call(auth.logoutAll)
    for (const other of others) expect(await other.call(account.getAccount)).toMatchObject(refused)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    await ana.call(auth.logoutAll, { include_current: true })
    expect(await ana.call(account.getAccount)).toMatchObject(refused)
    expect([...ana.cookies.keys()]).toEqual(['vrata_device'])
  })
})

describe('api §2 logging out', () => {
  test('ends the session and takes its cookies; the browser forgets the pages', async () => {
    const ana = await newcomer(house)
    const tab = tabOf(house, ana)
    const answer = await ana.request({ method: 'POST', url: '/v1/auth/logout' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['clear-site-data']).toBe('"cache"')
    expect([...ana.cookies.keys()]).toEqual(['vrata_device'])
    expect(await tab.call(account.getAccount)).toMatchObject(refused)
    expect(await tab.call(auth.refresh)).toMatchObject(refused)
  })

  test('works with either cookie, with an old one, and without any', async () => {
    for (const missing of ['vrata_sid', 'vrata_access']) {
      const ana = await newcomer(house)
      const tab = tabOf(house, ana)
      ana.cookies.delete(missing)
      await ana.call(auth.logout)
      expect(await tab.call(account.getAccount)).toMatchObject(refused)
    }
    const bor = await newcomer(house)
    const old = tabOf(house, bor)
    await bor.call(auth.refresh)
    house.clock.advance(31)
    old.cookies.delete('vrata_access')
    await old.call(auth.logout)
    expect(await bor.call(account.getAccount)).toMatchObject(refused)
    expect(await house.visitor().call(auth.logout)).toMatchObject({ ok: true })
  })
})

describe('api §2 reauthentication', () => {
  test('makes the sign-in fresh again, under new cookies', async () => {
    const ana = await newcomer(house)
    house.clock.advance(601)
    await ana.call(auth.refresh)
    const thief = tabOf(house, ana)
    expect(await ana.call(auth.reauthenticate, { password: ana.password })).toMatchObject({ ok: true })
    expect(await ana.call(account.updateAccount, { email: `new-${ana.email}` })).toMatchObject({ ok: true })
    expect(await thief.call(account.getAccount)).toMatchObject(refused)
    expect(await thief.call(auth.refresh)).toMatchObject(refused)
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { session_id: ana.user.session_id } })
  })

  test('with a wrong password changes nothing, and is bounded', async () => {
    const ana = await newcomer(house)
    house.clock.advance(301)
    await ana.call(auth.refresh)
    house.clock.advance(301)
    const wrong = () => ana.call(auth.reauthenticate, { password: 'napacno geslo' })
    for (let i = 0; i < 10; i += 1)
      expect(await wrong()).toMatchObject({ http: 400, problem: { code: 'invalid_password' } })
    expect(await wrong()).toMatchObject({ http: 429 })
    expect(await ana.call(account.updateAccount, { email: `new-${ana.email}` })).toMatchObject({
      problem: { code: 'reauthentication_required' },
    })
  })
})

describe('the door, for the engine', () => {
  test('a change that comes late never revives a session', async () => {
    const ana = await newcomer(house)
    const { db } = house.store
    const { session_id } = ana.user
    await ana.call(auth.logout)
    expect(await door.setDeveloper(db, session_id, null)).toBe(false)
    expect(await door.sessionById(db, session_id, house.clock.now())).toBeUndefined()
  })

  test('oidc §4.4 a session is known by its cookie, and for 30 seconds by the one before', async () => {
    const ana = await newcomer(house)
    const old = ana.cookies.get('vrata_sid') ?? ''
    await ana.call(auth.refresh)
    const find = (token = '') => door.sessionByToken(house.store.read, token, house.clock.now())
    expect(await find(ana.cookies.get('vrata_sid'))).toMatchObject({ id: ana.user.session_id })
    expect(await find(old)).toMatchObject({ id: ana.user.session_id })
    house.clock.advance(30)
    expect(await find(old)).toBeUndefined()
    // Looking does not end it: only a refresh with the old cookie does.
    expect(await find(ana.cookies.get('vrata_sid'))).toBeDefined()
  })

  test('security 14.2.7 sessions are deleted a day after they have run out, no earlier, in steps', async () => {
    const ana = await newcomer(house)
    await elsewhere(house, ana)
    const deps = { db: house.store.db, clock: house.clock }
    const DAY = 24 * 60 * 60
    house.clock.advance(30 * DAY)
    await door.prune(deps, 1000)
    expect(await rowsOf(ana.user.id)).toBe(2)
    house.clock.advance(DAY + 1)
    expect(await door.prune(deps, 1)).toBe(1)
    while ((await door.prune(deps, 1)) > 0);
    expect(await rowsOf(ana.user.id)).toBe(0)
  })
})

async function rowsOf(user_id: string): Promise<number> {
  return (await house.store.read.selectFrom('sessions').select('id').where('user_id', '=', user_id).execute()).length
}

async function sessionId(browser: Awaited<ReturnType<typeof elsewhere>>): Promise<string> {
  const answer = await browser.call(account.getAccount)
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.session_id
}
