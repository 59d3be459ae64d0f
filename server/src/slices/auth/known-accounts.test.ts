import { account, activity, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, newcomer } from '../../../test/newcomer.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

async function cards(browser: Caller) {
  const answer = await browser.call(auth.listKnownAccounts)
  return answer.ok ? answer.data : undefined
}

describe('§3 details on login', () => {
  test('the card of an account stands on the login screen of its own browser, after signing out, too', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { first_name: 'Ana', last_name: 'Kovač' })
    await ana.call(auth.logout)
    expect(await cards(ana)).toEqual([
      { id: ana.user.id, first_name: 'Ana', last_name: 'Kovač', profile_picture: null, username_or_email: ana.email },
    ])
  })

  test('another browser sees nothing, whatever it says', async () => {
    const ana = await newcomer(house)
    const stranger = house.visitor()
    expect(await cards(stranger)).toEqual([])
    stranger.cookies.set('vrata_device', 'a guess')
    expect(await cards(stranger)).toEqual([])
    await stranger.call(auth.forgetKnownAccount, { id: ana.user.id })
    expect(await cards(ana)).toHaveLength(1)
  })

  test('who switched it off is not shown', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { allow_details_on_login: false })
    expect(await cards(ana)).toEqual([])
  })

  test('an account is forgotten on this browser only, and twice is no mistake', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    expect(await ana.call(auth.forgetKnownAccount, { id: ana.user.id })).toMatchObject({ ok: true })
    expect(await ana.call(auth.forgetKnownAccount, { id: ana.user.id })).toMatchObject({ ok: true })
    expect(await cards(ana)).toEqual([])
    expect(await cards(phone)).toHaveLength(1)
  })
})

describe('security 6.3.5 a sign-in from a browser that the account does not know', () => {
  test('is told by mail, once; the first one and a known one are not', async () => {
    const ana = await newcomer(house)
    const told = async () =>
      (await lettersTo(house, ana.email)).filter(({ subject }) => subject === 'A new device signed in')
    house.clock.advance(1)
    await ana.call(auth.logout)
    await ana.call(auth.login, { username: ana.email, password: ana.password })
    expect(await told()).toEqual([])
    await elsewhere(house, ana)
    expect(await told()).toMatchObject([
      { link: 'http://localhost:3000/devices', text: expect.stringContaining('Firefox, Linux') },
    ])
  })
})

describe('§3 "this was not me"', () => {
  test('each row says in which session it was done, and whether that goes on', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    const sessions = await phone.call(auth.listSessions)
    const session_id = sessions.ok ? sessions.data[0]?.id : undefined
    const own = await ana.call(activity.listActivity, { session_id: session_id ?? '' })
    expect(own).toMatchObject({ data: [{ type: 'LOGGED_IN', session_id, session: 'open' }] })
    await ana.call(auth.logoutSession, { id: session_id ?? '' })
    expect(await ana.call(activity.listActivity)).toMatchObject({
      data: [
        { type: 'LOGGED_OUT_DEVICE', session: 'current' },
        { type: 'LOGGED_IN', session: 'ended' },
        { type: 'CREATED_ACCOUNT', session: 'current' },
      ],
    })
  })
})
