import { account, auth, developers } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { newcomer, tabOf } from '../../../test/newcomer.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const refused = { http: 401, problem: { code: 'unauthenticated' } }

describe('api §2 refreshing', () => {
  test('gives both cookies anew when the access cookie has run out after 10 minutes', async () => {
    const ana = await newcomer(house)
    const before = new Map(ana.cookies)
    house.clock.advance(10 * MINUTE)
    expect(await ana.call(account.getAccount)).toMatchObject(refused)
    expect(await ana.call(auth.refresh)).toMatchObject({ ok: true, data: { id: ana.user.id, email: ana.email } })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    for (const name of ['vrata_sid', 'vrata_access']) expect(ana.cookies.get(name)).not.toBe(before.get(name))
  })

  test('needs the session cookie alone, and nothing less', async () => {
    const ana = await newcomer(house)
    const access = ana.cookies.get('vrata_access') ?? ''
    ana.cookies.delete('vrata_access')
    expect(await ana.call(auth.refresh)).toMatchObject({ ok: true })
    ana.cookies.clear()
    expect(await ana.call(auth.refresh)).toMatchObject(refused)
    ana.cookies.set('vrata_sid', access)
    expect(await ana.call(auth.refresh)).toMatchObject(refused)
  })

  test('racing tabs get the same successor', async () => {
    const ana = await newcomer(house)
    const tabs = Array.from({ length: 8 }, () => tabOf(house, ana))
    const answers = await Promise.all(tabs.map((tab) => tab.call(auth.refresh)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(new Set(tabs.map(({ cookies }) => cookies.get('vrata_sid'))).size).toBe(1)
    expect(new Set(tabs.map(({ cookies }) => cookies.get('vrata_access'))).size).toBe(1)
    for (const tab of tabs) expect(await tab.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('a late tab gets it, too, for 30 seconds', async () => {
    const ana = await newcomer(house)
    const late = tabOf(house, ana)
    await ana.call(auth.refresh)
    house.clock.advance(29)
    expect(await late.call(auth.refresh)).toMatchObject({ ok: true })
    expect(late.cookies.get('vrata_sid')).toBe(ana.cookies.get('vrata_sid'))
  })

  test('a cookie that comes back later than that is a stolen one: the session ends for everybody', async () => {
    const ana = await newcomer(house)
    const thief = tabOf(house, ana)
    await ana.call(auth.refresh)
    house.clock.advance(31)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await thief.call(auth.refresh)).toMatchObject(refused)
    expect(await ana.call(account.getAccount)).toMatchObject(refused)
    expect(await ana.call(auth.refresh)).toMatchObject(refused)
    expect(house.logged()).toContain('replayed')
  })

  test('the same for one of any earlier generation, whoever of the two comes back', async () => {
    const ana = await newcomer(house)
    const thief = tabOf(house, ana)
    for (let i = 0; i < 3; i += 1) {
      await thief.call(auth.refresh)
      house.clock.advance(10 * MINUTE)
    }
    expect(await ana.call(auth.refresh)).toMatchObject(refused)
    expect(await thief.call(auth.refresh)).toMatchObject(refused)
  })

  test('two refreshes within the grace do not make a thief of a slow tab', async () => {
    const ana = await newcomer(house)
    const slow = tabOf(house, ana)
    await ana.call(auth.refresh)
    await ana.call(auth.refresh, { developer_id: null })
    expect(await slow.call(auth.refresh)).toMatchObject(refused)
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('a cookie that nobody made ends nothing, even with the id of a session in it', async () => {
    const ana = await newcomer(house)
    house.clock.advance(31)
    const forger = house.visitor()
    const [, , tag = ''] = (ana.cookies.get('vrata_sid') ?? '').split('.')
    for (const forged of ['x', `${'a'.repeat(43)}.${ana.user.session_id}.${[...tag].reverse().join('')}`, 'a.b.c']) {
      forger.cookies.set('vrata_sid', forged)
      expect(await forger.call(auth.refresh)).toMatchObject(refused)
    }
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('keeps a session alive for 30 days after its last use, and 90 at most', async () => {
    const ana = await newcomer(house)
    house.clock.advance(29 * DAY)
    expect(await ana.call(auth.refresh)).toMatchObject({ ok: true })
    house.clock.advance(29 * DAY)
    expect(await ana.call(auth.refresh)).toMatchObject({ ok: true })
    house.clock.advance(29 * DAY)
    expect(await ana.call(auth.refresh)).toMatchObject({ ok: true })
    house.clock.advance(3 * DAY)
    expect(await ana.call(auth.refresh)).toMatchObject(refused)

    const bor = await newcomer(house)
    house.clock.advance(30 * DAY)
    expect(await bor.call(auth.refresh)).toMatchObject(refused)
  })

  test('moves “last seen”; a request does not', async () => {
    const ana = await newcomer(house)
    const begun = house.clock.now().toISOString()
    house.clock.advance(MINUTE)
    expect(await ana.call(auth.listSessions)).toMatchObject({ data: [{ last_seen: begun }] })
    await ana.call(auth.refresh)
    expect(await ana.call(auth.listSessions)).toMatchObject({ data: [{ last_seen: house.clock.now().toISOString() }] })
  })
})

describe('§4 switching the developer', () => {
  test('to one’s own and back to the personal account; to a stranger’s is not found and changes nothing', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    for (const { user } of [ana, bor]) {
      const email_verified_at = house.clock.now().toISOString()
      await house.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', user.id).execute()
    }
    const mine = await ana.call(developers.createDeveloper, { name: 'Studio' })
    const theirs = await bor.call(developers.createDeveloper, { name: 'Tuji' })
    if (!mine.ok || !theirs.ok) throw new Error('no developer accounts')
    const { developer_id } = mine.data

    expect(await ana.call(auth.refresh, { developer_id: null })).toMatchObject({
      data: { developer_id: null, permission: null, developer_accounts: [{ developer_id, permission: 'owner' }] },
    })
    expect(await ana.call(auth.refresh, { developer_id })).toMatchObject({
      data: { developer_id, permission: 'owner' },
    })

    const cookies = new Map(ana.cookies)
    const answer = await ana.call(auth.refresh, { developer_id: theirs.data.developer_id })
    expect(answer).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    expect(ana.cookies).toEqual(cookies)
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { developer_id } })
    // An empty refresh keeps the one that is current.
    expect(await ana.call(auth.refresh)).toMatchObject({ data: { developer_id } })
  })
})
