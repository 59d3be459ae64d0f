import { account, auth, security } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, mailedToken, type Newcomer, newcomer } from '../../../test/newcomer.ts'
import { good, type Phone, withSecondFactor } from '../../../test/second-factor.ts'
import { amrOf } from '../../issuer/engine-session.ts'
import { prune } from './door.ts'

// Many passwords are hashed here, one after the other on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const wrongCode = { http: 400, problem: { code: 'invalid_otp' } }
const expired = { http: 400, problem: { code: 'sign_in_expired' } }
const signedOut = { http: 401 }

type Protected = Newcomer & { phone: Phone; codes: string[] }

/** Somebody who has two-factor authentication on. */
async function protectedPerson(): Promise<Protected> {
  const person = await newcomer(house)
  return { ...person, ...(await withSecondFactor(house, person)) }
}

let networks = 0
/** A browser that nobody knows and that has given the right password. */
async function halfway(person: Newcomer, caller?: Caller): Promise<Caller> {
  networks += 1
  const browser = caller ?? house.visitor({ ip: `10.60.${networks}.1` })
  const answer = await browser.call(auth.login, { username: person.email, password: person.password })
  expect(answer).toMatchObject({ ok: true, data: { next: 'otp' } })
  return browser
}

describe('api §2 signing in with two factors', () => {
  test('the whole story: on, out, in with a code, in with a recovery code, off', async () => {
    const ana = await protectedPerson()
    await ana.call(auth.logout)
    await halfway(ana, ana)
    expect(await ana.call(account.getAccount)).toMatchObject(signedOut)
    expect(await ana.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({
      data: { next: 'done', user: { id: ana.user.id, recovery_codes_left: 10 } },
    })
    expect(good(await ana.call(auth.listSessions))[0]?.methods).toEqual(['pwd', 'otp'])

    await ana.call(auth.logout)
    await halfway(ana, ana)
    const answer = await ana.call(auth.loginOtp, { recovery_code: ana.codes[7] })
    expect(answer).toMatchObject({ data: { next: 'done', user: { recovery_codes_left: 9 } } })
    expect(await ana.call(security.disableOtp, { recovery_code: ana.codes[7] })).toMatchObject(wrongCode)

    expect(await ana.call(security.disableOtp, { otp_token: ana.phone.code() })).toMatchObject({ ok: true })
    await ana.call(auth.logout)
    expect(await ana.call(auth.login, { username: ana.email, password: ana.password })).toMatchObject({
      data: { next: 'done' },
    })
  })

  test('security 6.3.3 between the two steps no call of the house opens, and refreshing does not help', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    for (const [name, route] of ROUTES) {
      if (route.needs === 'nobody' || route.needs === 'anywhere') continue
      const url = `/v1${route.path.replace(/:[a-z_]+/g, 'x')}`
      const { statusCode } = await browser.request({ method: route.method, url, payload: {} })
      expect(statusCode, name).toBe(401)
    }
    expect(await browser.call(auth.refresh, {})).toMatchObject(signedOut)
    // Nor does what was handed out serve as another cookie.
    const pending = browser.cookies.get('vrata_pending') ?? ''
    for (const name of ['vrata_sid', 'vrata_access']) browser.cookies.set(name, pending)
    expect(await browser.call(auth.refresh, {})).toMatchObject(signedOut)
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
  })

  test('a wrong password does not tell that there is a second factor', async () => {
    const ana = await protectedPerson()
    const answer = await house.visitor().call(auth.login, { username: ana.email, password: 'napacno geslo' })
    expect(answer).toMatchObject({ problem: { code: 'invalid_credentials' } })
  })

  test('lasts five minutes', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    house.clock.advance(5 * 60)
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(0) })).toMatchObject(expired)
    expect(await house.visitor().call(auth.loginOtp, { otp_token: '123456' })).toMatchObject(expired)
    house.clock.advance(1)
    while ((await prune({ db: house.store.db, clock: house.clock }, 2)) > 0);
    expect(await house.store.read.selectFrom('pending_sign_ins').select('user_id').execute()).toEqual([])
  })

  test('belongs to the browser in which it began', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const thief = house.visitor()
    await thief.call(auth.passkeyLoginOptions)
    thief.cookies.set('vrata_pending', browser.cookies.get('vrata_pending') ?? '')
    expect(await thief.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject(expired)
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(0) })).toMatchObject({ ok: true })
  })

  test('ends with a new password, and with the second factor itself', async () => {
    const ana = await protectedPerson()
    const one = await halfway(ana)
    const new_password = 'drugacna-gora-17'
    expect(await ana.call(account.setPassword, { current_password: ana.password, new_password })).toMatchObject({
      ok: true,
    })
    expect(await one.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject(expired)
    const two = await halfway({ ...ana, password: new_password })
    await ana.call(security.disableOtp, { otp_token: ana.phone.codeAt(0) })
    expect(await two.call(auth.loginOtp, { recovery_code: ana.codes[0] })).toMatchObject(expired)
  })

  test('a disabled account stays closed', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const disabled_at = house.clock.now().toISOString()
    await house.store.db.updateTable('users').set({ disabled_at }).where('id', '=', ana.user.id).execute()
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({
      problem: { code: 'account_disabled' },
    })
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
  })

  test('somebody else who signs in here ends the session that was here', async () => {
    const ana = await protectedPerson()
    const bor = await newcomer(house)
    const before = new Map(bor.cookies)
    await halfway(ana, bor)
    expect(good(await bor.call(account.getAccount)).id).toBe(bor.user.id)
    await bor.call(auth.loginOtp, { otp_token: ana.phone.code() })
    expect(good(await bor.call(account.getAccount)).id).toBe(ana.user.id)
    const tab = house.visitor()
    for (const [name, value] of before) tab.cookies.set(name, value)
    expect(await tab.call(account.getAccount)).toMatchObject(signedOut)
  })

  test('apps hear how it was done, in the words of RFC 8176', () => {
    const amr = (methods: string[]) => amrOf({ methods: JSON.stringify(methods) })
    expect(amr(['pwd'])).toEqual(['pwd'])
    expect(amr(['pwd', 'otp'])).toEqual(['pwd', 'otp', 'mfa'])
    expect(amr(['passkey'])).toEqual(['pop', 'user', 'mfa'])
  })
})

describe('RFC 6238 codes', () => {
  test.each([-1, 0, 1])('of a clock that is %i steps away are taken', async (steps) => {
    const ana = await protectedPerson()
    house.clock.advance(120)
    const browser = await halfway(ana)
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(steps) })).toMatchObject({ ok: true })
  })

  test.each([-2, 2])('of a clock that is %i steps away are not', async (steps) => {
    const ana = await protectedPerson()
    house.clock.advance(120)
    const browser = await halfway(ana)
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(steps) })).toMatchObject(wrongCode)
  })

  test('are taken once, by whichever call, and none from before', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    // The one that turned it on.
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(0) })).toMatchObject(wrongCode)
    const otp_token = ana.phone.code()
    expect(await ana.call(auth.reauthenticate, { otp_token })).toMatchObject({ ok: true })
    expect(await browser.call(auth.loginOtp, { otp_token })).toMatchObject(wrongCode)
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(-1) })).toMatchObject(wrongCode)
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(1) })).toMatchObject({ ok: true })
  })
})

describe('security 6.5 guessing codes', () => {
  test('five tries for a sign-in, then it begins anew; the owner is told', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const before = (await lettersTo(house, ana.email)).length
    for (let i = 0; i < 5; i += 1) {
      expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.codeAt(9 + i) })).toMatchObject(wrongCode)
    }
    expect(await browser.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject(expired)
    const letters = (await lettersTo(house, ana.email)).slice(before)
    expect(letters.map(({ subject }) => subject)).toEqual(['Wrong codes at the sign-in to your account'])
    expect(letters[0]?.link).toBe('http://localhost:3000/security/change-password')
  })

  test('ten an hour from wherever; the right one waits, too, but not in a browser that is known', async () => {
    const ana = await protectedPerson()
    await ana.call(auth.logout)
    for (let i = 0; i < 10; i += 1) {
      const browser = await halfway(ana)
      expect(await browser.call(auth.loginOtp, { recovery_code: `aaaa-${i}` })).toMatchObject(wrongCode)
    }
    const stranger = await halfway(ana)
    const otp_token = ana.phone.code()
    expect(await stranger.call(auth.loginOtp, { otp_token })).toMatchObject({ http: 429, retry_after: 3570 })
    await halfway(ana, ana)
    expect(await ana.call(auth.loginOtp, { otp_token })).toMatchObject({ ok: true })
    house.clock.advance(3600)
    const later = await halfway(ana)
    expect(await later.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({ ok: true })
  })

  test('after a hundred in a row only a new password helps', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    await browser.call(auth.loginOtp, { recovery_code: 'aaaa' })
    await house.store.db
      .updateTable('otp_tries')
      .set({ in_a_row: 100 })
      .where('key', '=', `${ana.user.id}/account`)
      .execute()
    house.clock.advance(24 * 3600)
    expect(await (await halfway(ana)).call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({ http: 429 })
    const new_password = 'drugacna-gora-17'
    await house.visitor().call(auth.forgotPassword, { email: ana.email })
    const token = await mailedToken(house, ana.email)
    await house.visitor().call(auth.resetPassword, { token, new_password, recovery_code: ana.codes[0] })
    const again = await halfway({ ...ana, password: new_password })
    expect(await again.call(auth.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({ ok: true })
  })
})

describe('security 2.3.1 of 50 at the same time', () => {
  const fifty = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 50 }, (_, i) => work(i)))

  /** Browsers that have all given the password; the rows are copied, since hashing fifty passwords proves nothing. */
  async function manyHalfway(person: Newcomer): Promise<Caller[]> {
    const browser = await halfway(person)
    return await fifty(async (i) => {
      const tab = house.visitor({ ip: `10.70.${i}.1` })
      for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
      return tab
    })
  }

  test('one use of a sign-in that waits counts', async () => {
    const ana = await protectedPerson()
    const tabs = await manyHalfway(ana)
    const answers = await fifty((i) => (tabs[i] as Caller).call(auth.loginOtp, { recovery_code: ana.codes[i % 10] }))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'sign_in_expired')).toHaveLength(49)
    expect(good(await ana.call(account.getAccount)).recovery_codes_left).toBe(9)
  })

  test.each(['otp_token', 'recovery_code'] as const)('one use of an %s counts', async (kind) => {
    const ana = await protectedPerson()
    const value = kind === 'otp_token' ? ana.phone.code() : ana.codes[0]
    const sessions = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const browser = await halfway(ana)
        return () => browser.call(auth.loginOtp, { [kind]: value })
      }),
    )
    const uses = [
      ...sessions,
      ...Array.from({ length: 45 }, () => () => ana.call(security.disableOtp, { [kind]: value })),
    ]
    const answers = await Promise.all(uses.map((use) => use()))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('ten guesses of a code are looked at', async () => {
    const ana = await protectedPerson()
    const answers = await fifty((i) => ana.call(security.disableOtp, { recovery_code: `aaaa-${i}` }))
    expect(answers.filter((one) => !one.ok && one.problem.code === 'invalid_otp')).toHaveLength(10)
    expect(answers.filter(({ http }) => http === 429)).toHaveLength(40)
  })
})

describe('security 6.4.3 a forgotten password', () => {
  async function link(person: Newcomer): Promise<string> {
    await house.visitor().call(auth.forgotPassword, { email: person.email })
    return await mailedToken(house, person.email)
  }
  const new_password = 'drugacna-gora-17'

  test('asks for the second factor, which stays on, and signs nobody in', async () => {
    const ana = await protectedPerson()
    const token = await link(ana)
    const browser = house.visitor()
    expect(await browser.call(auth.checkPasswordLink, { token })).toMatchObject({ data: { otp_required: true } })
    expect(await browser.call(auth.resetPassword, { token, new_password })).toMatchObject({
      http: 400,
      problem: { code: 'otp_required' },
    })
    const otp_token = ana.phone.code()
    expect(
      await browser.call(auth.resetPassword, { token, new_password, otp_token: ana.phone.codeAt(7) }),
    ).toMatchObject(wrongCode)
    expect(await browser.call(auth.resetPassword, { token, new_password, otp_token })).toMatchObject({ ok: true })
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
    expect(await ana.call(account.getAccount)).toMatchObject(signedOut)
    await halfway({ ...ana, password: new_password })
  })

  test('its link is void after five wrong codes', async () => {
    const ana = await protectedPerson()
    const token = await link(ana)
    const browser = house.visitor()
    for (let i = 0; i < 5; i += 1) {
      const otp_token = ana.phone.codeAt(9 + i)
      expect(await browser.call(auth.resetPassword, { token, new_password, otp_token })).toMatchObject(wrongCode)
    }
    expect(await browser.call(auth.resetPassword, { token, new_password, otp_token: ana.phone.code() })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    await halfway(ana)
  })

  test('nobody without a second factor is asked for one', async () => {
    const ana = await newcomer(house)
    const token = await link(ana)
    expect(await house.visitor().call(auth.checkPasswordLink, { token })).toMatchObject({
      data: { otp_required: false },
    })
    expect(await house.visitor().call(auth.resetPassword, { token, new_password })).toMatchObject({ ok: true })
    expect(await elsewhere(house, { ...ana, password: new_password })).toBeDefined()
  })
})

describe('frontend §5.5 without script', () => {
  const NATIVE = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'null',
    'sec-fetch-site': 'same-origin',
  }
  const send = (browser: Caller, url: string, fields: Record<string, string>) =>
    browser.request({ method: 'POST', url, headers: NATIVE, payload: new URLSearchParams(fields).toString() })

  test('the login page asks for the second step, and goes on where it was asked to', async () => {
    const ana = await protectedPerson()
    const browser = house.visitor()
    const fields = { username: ana.email, password: ana.password }
    const first = await send(browser, '/login?redirect=%2Fsecurity', fields)
    expect([first.statusCode, first.headers.location]).toEqual([303, '/login?otp=true&redirect=%2Fsecurity'])
    const wrong = await send(browser, '/login?otp=true&redirect=%2Fsecurity', { otp_token: ana.phone.codeAt(7) })
    expect(wrong.headers.location).toBe('/login?otp=true&redirect=%2Fsecurity&problem=invalid_otp')
    const second = await send(browser, '/login?otp=true&redirect=%2Fsecurity', { otp_token: ana.phone.code() })
    expect([second.statusCode, second.headers.location]).toEqual([303, '/security'])
    expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
    const other = house.visitor()
    await send(other, '/login', fields)
    // Both fields stand on the page; only one is filled in.
    const recovered = await send(other, '/login?otp=true', { otp_token: '', recovery_code: ana.codes[0] ?? '' })
    expect(recovered.headers.location).toBe('/')
  })
})
