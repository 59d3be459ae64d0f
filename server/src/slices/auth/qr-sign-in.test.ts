import { account, activity, auth, qr, security } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type House, openHouse } from '../../../test/house.ts'
import { lettersTo, type Newcomer, newcomer, tabOf } from '../../../test/newcomer.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { connectEar, knock } from '../../../test/sockets.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

/** A login screen that shows a code. */
async function screenWithCode() {
  const screen = house.visitor({ ip: `10.60.${Math.floor(Math.random() * 250)}.7` })
  return { screen, ...good(await screen.call(qr.drawQrCode)) }
}
const stateIn = async (browser: Caller, code: string) => good(await browser.call(qr.readQrCode, { code })).state
const approve = (phone: Caller, code: string, match: string) =>
  phone.call(qr.answerQrCode, { code, approve: true, match })
const expired = { http: 400, problem: { code: 'expired_code' } }
const unauthenticated = { http: 401, problem: { code: 'unauthenticated' } }
const other = (match: string) => (match === '42' ? '43' : '42')

describe('api §2 the whole story', () => {
  test('a phone sees who is asking, approves with the number, and the screen is signed in, once', async () => {
    const phone = await newcomer(house)
    const { screen, code, match, url, qr_code } = await screenWithCode()
    expect(url).toBe(`${house.config.url}/qr-code/${code}`)
    expect(qr_code).toMatch(/^data:image\/svg\+xml/)
    expect(match).toMatch(/^[1-9]\d$/)
    expect(await stateIn(screen, code)).toBe('pending')

    house.clock.advance(5)
    expect(good(await phone.call(qr.readQrCode, { code }))).toMatchObject({
      state: 'seen',
      requester: { os: 'Linux', browser: 'Firefox', ip: expect.stringMatching(/^10\.60\./) },
      created_at: new Date(house.clock.now().getTime() - 5000).toISOString(),
    })
    expect(await stateIn(screen, code)).toBe('seen')
    expect(good(await approve(phone, code, match))).toEqual({ state: 'approved' })

    const collected = good(await screen.call(qr.readQrCode, { code }))
    expect(collected).toMatchObject({ state: 'approved', user: { id: phone.user.id } })
    expect(good(await screen.call(account.getAccount)).email).toBe(phone.email)
    // Marked in devices, written down, and mailed.
    expect(good(await phone.call(auth.listSessions)).find(({ current }) => !current)).toMatchObject({ methods: ['qr'] })
    expect(await phone.call(activity.listActivity)).toMatchObject({ data: [{ type: 'LOGGED_IN' }, {}] })
    expect((await lettersTo(house, phone.email)).at(-1)?.subject).toBe('A device signed in with a QR code')
  })

  test('denied is told to the screen, and nothing comes of the code any more', async () => {
    const phone = await newcomer(house)
    const { screen, code, match } = await screenWithCode()
    await phone.call(qr.readQrCode, { code })
    expect(good(await phone.call(qr.answerQrCode, { code, approve: false }))).toEqual({ state: 'denied' })
    expect(await stateIn(screen, code)).toBe('denied')
    expect(await approve(phone, code, match)).toMatchObject(expired)
    expect(await screen.call(account.getAccount)).toMatchObject(unauthenticated)
  })

  test('after 120 seconds it has expired on both sides; approved, it is collected within 60', async () => {
    const phone = await newcomer(house)
    const first = await screenWithCode()
    house.clock.advance(121)
    expect(await stateIn(first.screen, first.code)).toBe('expired')
    expect(await stateIn(phone, first.code)).toBe('expired')
    expect(await approve(phone, first.code, first.match)).toMatchObject(expired)

    const second = await screenWithCode()
    good(await approve(phone, second.code, second.match))
    house.clock.advance(61)
    expect(await stateIn(second.screen, second.code)).toBe('expired')
    expect(await second.screen.call(account.getAccount)).toMatchObject(unauthenticated)
  })

  test('the screen hears of it at once, over a socket that exists only while it shows a code', async () => {
    const phone = await newcomer(house)
    const idle = house.visitor()
    await idle.call(auth.listKnownAccounts)
    expect((await knock(house, idle)).status).toBe(401)
    const { screen, code, match } = await screenWithCode()
    const neighbour = await screenWithCode()
    const [ear, others] = [await connectEar(house, screen), await connectEar(house, neighbour.screen)]
    await phone.call(qr.readQrCode, { code })
    await ear.hears('qr:changed')
    await approve(phone, code, match)
    await expect.poll(() => ear.heard).toEqual(['qr:changed', 'qr:changed'])
    expect(others.heard).toEqual([])
  })
})

describe('security §2 what must not work', () => {
  test('a forwarded code: without the number nobody is signed in, and the third wrong one ends it', async () => {
    const victim = await newcomer(house)
    const { screen, code, match } = await screenWithCode()
    for (let i = 0; i < 3; i += 1) {
      expect(await approve(victim, code, other(match))).toMatchObject({ http: 400, problem: { code: 'wrong_match' } })
    }
    expect(await approve(victim, code, match)).toMatchObject(expired)
    expect(await stateIn(screen, code)).toBe('denied')
  })

  test('an approved code is nothing to another browser, nor to one without a cookie', async () => {
    const phone = await newcomer(house)
    const { code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    const thief = (await screenWithCode()).screen
    expect(await thief.call(qr.readQrCode, { code })).toMatchObject(unauthenticated)
    expect(await house.visitor().call(qr.readQrCode, { code })).toMatchObject(unauthenticated)
  })

  test('a replay: approved twice, collected twice', async () => {
    const phone = await newcomer(house)
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    expect(await approve(phone, code, match)).toMatchObject(expired)
    const tabs = [tabOf(house, screen), tabOf(house, screen), screen]
    const answers = await Promise.all(tabs.map((tab) => tab.call(qr.readQrCode, { code })))
    expect(answers.filter((answer) => good(answer).user !== undefined)).toHaveLength(1)
    expect(good(await phone.call(auth.listSessions))).toHaveLength(2)
    expect(await stateIn(tabs[0] as Caller, code)).toBe('expired')
  })

  test('two approvers: whoever saw it first is the only one', async () => {
    const [ana, bor] = [await newcomer(house), await newcomer(house)]
    const { screen, code, match } = await screenWithCode()
    await ana.call(qr.readQrCode, { code })
    expect(await bor.call(qr.readQrCode, { code })).toMatchObject({ http: 404 })
    expect(await approve(bor, code, match)).toMatchObject(expired)
    good(await approve(ana, code, match))
    expect(good(await screen.call(qr.readQrCode, { code })).user?.id).toBe(ana.user.id)
  })

  test('two approvers at the same moment: one wins', async () => {
    const both = [await newcomer(house), await newcomer(house)]
    const { code, match } = await screenWithCode()
    const answers = await Promise.all(both.map((one) => approve(one, code, match)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('a code that was guessed is not found; a stranger learns nothing', async () => {
    const phone = await newcomer(house)
    const guess = 'AAAAAAAAAAAAAAAAAAAAAA'
    expect(await phone.call(qr.readQrCode, { code: guess })).toMatchObject({ http: 404 })
    expect(await approve(phone, guess, '10')).toMatchObject(expired)
    expect(await house.visitor().call(qr.readQrCode, { code: guess })).toMatchObject(unauthenticated)
  })

  test('the browser that shows the code cannot approve it itself', async () => {
    const ana = await newcomer(house)
    const { code, match } = good(await ana.call(qr.drawQrCode))
    expect(await approve(ana, code, match)).toMatchObject(expired)
  })

  test('approving needs a fresh sign-in on the phone, denying does not', async () => {
    const phone = await newcomer(house)
    house.clock.advance(11 * 60)
    await phone.call(auth.refresh)
    const { code, match } = await screenWithCode()
    const stale = { http: 403, problem: { code: 'reauthentication_required' } }
    expect(await approve(phone, code, match)).toMatchObject(stale)
    await phone.call(auth.reauthenticate, { password: phone.password })
    good(await approve(phone, code, match))
  })

  test('a session made by QR opens nothing that asks for a fresh sign-in, until it has proved itself', async () => {
    const phone = await newcomer(house)
    const screen = await signedInByQr(phone)
    const stale = { http: 403, problem: { code: 'reauthentication_required' } }
    expect(await screen.call(security.enableOtp)).toMatchObject(stale)
    expect(await screen.call(account.updateAccount, { email: 'elsewhere@example.com' })).toMatchObject(stale)
    // Nor does it vouch for the next one.
    const { code, match } = await screenWithCode()
    expect(await approve(screen, code, match)).toMatchObject(stale)
    await screen.call(auth.refresh)
    expect(await screen.call(security.enableOtp)).toMatchObject(stale)
    await screen.call(auth.reauthenticate, { password: phone.password })
    expect(await screen.call(security.enableOtp)).toMatchObject({ ok: true })
  })

  test.each<[string, (phone: Newcomer) => Promise<unknown>]>([
    ['signed out everywhere', (phone) => phone.call(auth.logoutAll, { include_current: true })],
    ['signed out everywhere else', (phone) => phone.call(auth.logoutAll, {})],
    [
      'changed the password',
      ({ call, password }) =>
        call(account.setPassword, { current_password: password, new_password: 'skrinja-na-skrinji-9' }),
    ],
    ['turned two-factor authentication on', (phone) => withSecondFactor(house, phone)],
  ])('what somebody else approved is worth nothing once its owner has %s', async (_, act) => {
    const phone = await newcomer(house)
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    await act(phone)
    expect(await stateIn(screen, code)).toBe('expired')
    expect(await screen.call(account.getAccount)).toMatchObject(unauthenticated)
  })

  test('codes of one address are bounded', async () => {
    const screen = house.visitor({ ip: '10.61.1.1' })
    const answers = []
    for (let i = 0; i < 125; i += 1) answers.push(await screen.call(qr.drawQrCode))
    expect(answers.at(-1)).toMatchObject({ http: 429 })
  })
})

describe('it can be switched off', () => {
  test('by the person: nothing is approved, and what was approved is not collected', async () => {
    const phone = await newcomer(house)
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    good(await phone.call(account.updateAccount, { allow_qr_sign_in: false }))
    expect(await stateIn(screen, code)).toBe('expired')
    const off = { http: 403, problem: { code: 'qr_sign_in_off' } }
    const next = await screenWithCode()
    expect(await phone.call(qr.readQrCode, { code: next.code })).toMatchObject(off)
    expect(await approve(phone, next.code, next.match)).toMatchObject(off)
    // On again is one more way in.
    house.clock.advance(11 * 60)
    await phone.call(auth.refresh)
    expect(await phone.call(account.updateAccount, { allow_qr_sign_in: true })).toMatchObject({
      problem: { code: 'reauthentication_required' },
    })
    await phone.call(auth.reauthenticate, { password: phone.password })
    expect(await phone.call(account.updateAccount, { allow_qr_sign_in: true })).toMatchObject({ ok: true })
  })

  test('by the operator: there is no code', async () => {
    const without = await openHouse({ VRATA_QR_SIGN_IN: 'off' })
    try {
      expect(await without.visitor().call(qr.drawQrCode)).toMatchObject({ http: 404 })
    } finally {
      await without.close()
    }
  })
})

async function signedInByQr(phone: Newcomer): Promise<Caller> {
  const { screen, code, match } = await screenWithCode()
  good(await approve(phone, code, match))
  good(await screen.call(qr.readQrCode, { code }))
  return screen
}
