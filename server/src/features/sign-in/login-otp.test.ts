import { setTimeout } from 'node:timers/promises'
import { account, security, sessions, signIn } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mailedToken,
  mailsTo,
  type RegisteredUser,
  registerConfirmedUser,
  signInAgain,
} from '../../../test/registered-user.ts'
import { good, type Phone, withSecondFactor } from '../../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { amrOf } from '../../issuer/interactions/provider-session.ts'
import { findUserForUpdate } from '../account/public.ts'
import { prune } from './public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const wrongCode = { http: 400, problem: { code: 'invalid_otp' } }
const expired = { http: 400, problem: { code: 'sign_in_expired' } }
const replaced = { http: 409, problem: { code: 'sign_in_replaced' } }
const signedOut = { http: 401 }

type Protected = RegisteredUser & { phone: Phone; codes: string[] }

/** A user with two-factor authentication. */
async function protectedPerson(): Promise<Protected> {
  const person = await registerConfirmedUser(server)
  return { ...person, ...(await withSecondFactor(server, person)) }
}

let networks = 0
/** An unknown browser after the correct password. */
async function halfway(person: RegisteredUser, caller?: Caller): Promise<Caller> {
  networks += 1
  const browser = caller ?? server.browser({ ip: `10.60.${networks}.1` })
  const answer = await browser.call(signIn.login, { username: person.email, password: person.password })
  expect(answer).toMatchObject({ ok: true, data: { next: 'otp' } })
  return browser
}

describe('sign-in with two factors (api §2.2)', () => {
  test('turns on, signs in with a code and a recovery code, turns off', async () => {
    const ana = await protectedPerson()
    await ana.call(sessions.logout)
    await halfway(ana, ana)
    expect(await ana.call(account.getAccount)).toMatchObject(signedOut)
    expect(await ana.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({
      data: { next: 'done', user: { id: ana.user.id, recovery_codes_left: 10 } },
    })
    expect(good(await ana.call(sessions.listSessions))[0]?.methods).toEqual(['pwd', 'otp'])

    await ana.call(sessions.logout)
    await halfway(ana, ana)
    const answer = await ana.call(signIn.loginOtp, { recovery_code: ana.codes[7] })
    expect(answer).toMatchObject({ data: { next: 'done', user: { recovery_codes_left: 9 } } })
    expect(await ana.call(security.disableOtp, { recovery_code: ana.codes[7] })).toMatchObject(wrongCode)

    expect(await ana.call(security.disableOtp, { otp_token: ana.phone.code() })).toMatchObject({ ok: true })
    await ana.call(sessions.logout)
    expect(await ana.call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject({
      data: { next: 'done' },
    })
  })

  test('rejects every call and refresh before the second factor (security §6.3.3)', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    for (const [name, route] of ROUTES) {
      if (route.needs === 'nobody' || route.needs === 'anywhere') continue
      const url = `/v1${route.path.replace(/:[a-z_]+/g, 'x')}`
      const { statusCode } = await browser.request({ method: route.method, url, payload: {} })
      expect(statusCode, name).toBe(401)
    }
    expect(await browser.call(sessions.refresh, {})).toMatchObject(signedOut)
    // The pending cookie is not accepted as another cookie.
    const pending = browser.cookies.get('vrata_pending') ?? ''
    for (const name of ['vrata_sid', 'vrata_access']) browser.cookies.set(name, pending)
    expect(await browser.call(sessions.refresh, {})).toMatchObject(signedOut)
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
  })

  test('does not reveal the second factor after a wrong password', async () => {
    const ana = await protectedPerson()
    const answer = await server.browser().call(signIn.login, { username: ana.email, password: 'napacno geslo' })
    expect(answer).toMatchObject({ problem: { code: 'invalid_credentials' } })
  })

  test('expires after five minutes', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    server.clock.advance(5 * 60)
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(0) })).toMatchObject(expired)
    expect(await server.browser().call(signIn.loginOtp, { otp_token: '123456' })).toMatchObject(expired)
    server.clock.advance(1)
    while ((await prune({ db: server.store.db, clock: server.clock }, 2)) > 0);
    expect(await server.store.read.selectFrom('pending_sign_ins').select('user_id').execute()).toEqual([])
  })

  test('rejects a pending sign-in in another browser', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const thief = server.browser()
    await thief.call(signIn.passkeyLoginOptions)
    thief.cookies.set('vrata_pending', browser.cookies.get('vrata_pending') ?? '')
    expect(await thief.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject(expired)
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(0) })).toMatchObject({ ok: true })
  })

  test('rejects the code of a page whose sign-in another tab has replaced by that of another user', async () => {
    const [ana, bor] = [await protectedPerson(), await protectedPerson()]
    const browser = server.browser()
    const begin = async ({ email: username, password }: RegisteredUser) => {
      const answer = good(await browser.call(signIn.login, { username, password }))
      return { sign_in: answer.next === 'otp' ? answer.sign_in : '' }
    }
    const [older, newer] = [await begin(ana), await begin(bor)]
    // More often than a sign-in has attempts: none is counted.
    for (let i = 0; i < 6; i += 1) {
      expect(await browser.call(signIn.loginOtp, { ...older, recovery_code: bor.codes[0] })).toMatchObject(replaced)
    }
    expect(await browser.call(signIn.loginOtp, { ...older, otp_token: ana.phone.code() })).toMatchObject(replaced)
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
    const tries = server.store.read.selectFrom('otp_tries').select('key').where('key', 'like', `${bor.user.id}%`)
    expect(await tries.execute()).toEqual([])
    expect(await browser.call(signIn.loginOtp, { ...newer, recovery_code: bor.codes[0] })).toMatchObject({
      data: { user: { id: bor.user.id, recovery_codes_left: 9 } },
    })
    expect(await browser.call(signIn.loginOtp, { ...older, otp_token: ana.phone.code() })).toMatchObject(expired)
  })

  test('accepts the code of a page whose sign-in another tab has begun again for the same user', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const answer = good(await browser.call(signIn.login, { username: ana.email, password: ana.password }))
    const sign_in = answer.next === 'otp' ? answer.sign_in : ''
    await halfway(ana, browser)
    expect(await browser.call(signIn.loginOtp, { sign_in, otp_token: ana.phone.code() })).toMatchObject({ ok: true })
  })

  test('says that a sign-in has expired, not that another user replaced it, when it is no longer known', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const deleted = { sign_in: 'a-sign-in-that-was-deleted', otp_token: ana.phone.code() }
    expect(await browser.call(signIn.loginOtp, deleted)).toMatchObject(expired)
  })

  test('ends when the password or the second factor changes', async () => {
    const ana = await protectedPerson()
    const one = await halfway(ana)
    const new_password = 'drugacna-gora-17'
    expect(await ana.call(security.changePassword, { current_password: ana.password, new_password })).toMatchObject({
      ok: true,
    })
    expect(await one.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject(expired)
    const two = await halfway({ ...ana, password: new_password })
    await ana.call(security.disableOtp, { otp_token: ana.phone.codeAt(0) })
    expect(await two.call(signIn.loginOtp, { recovery_code: ana.codes[0] })).toMatchObject(expired)
  })

  test('waits for a change of the account that ends it, which does not wait for it', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const locked = Promise.withResolvers<void>()
    const answer = locked.promise.then(() => browser.call(signIn.loginOtp, { recovery_code: ana.codes[0] ?? '' }))
    await server.deps.transaction(async (deps) => {
      await findUserForUpdate(deps.db, ana.user.id)
      locked.resolve()
      await setTimeout(300)
      await deps.revoke('signed_out_everywhere', { user_id: ana.user.id, keep: null })
    })
    expect(await answer).toMatchObject(expired)
    expect(server.deadlocks()).toEqual([])
  })

  test('rejects a disabled account', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const disabled_at = server.clock.now().toISOString()
    await server.store.db.updateTable('users').set({ disabled_at }).where('id', '=', ana.user.id).execute()
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({
      problem: { code: 'account_disabled' },
    })
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
  })

  test('ends the session of another user in the same browser', async () => {
    const ana = await protectedPerson()
    const bor = await registerConfirmedUser(server)
    const before = new Map(bor.cookies)
    await halfway(ana, bor)
    expect(good(await bor.call(account.getAccount)).id).toBe(bor.user.id)
    await bor.call(signIn.loginOtp, { otp_token: ana.phone.code() })
    expect(good(await bor.call(account.getAccount)).id).toBe(ana.user.id)
    const tab = server.browser()
    for (const [name, value] of before) tab.cookies.set(name, value)
    expect(await tab.call(account.getAccount)).toMatchObject(signedOut)
  })

  test('translates methods into amr values (RFC 8176)', () => {
    const amr = (methods: string[]) => amrOf({ methods: JSON.stringify(methods) })
    expect(amr(['pwd'])).toEqual(['pwd'])
    expect(amr(['pwd', 'otp'])).toEqual(['pwd', 'otp', 'mfa'])
    expect(amr(['passkey'])).toEqual(['pop', 'user', 'mfa'])
  })
})

describe('codes (RFC 6238)', () => {
  test.each([-1, 0, 1])('accepts codes of a clock that is %i steps away', async (steps) => {
    const ana = await protectedPerson()
    server.clock.advance(120)
    const browser = await halfway(ana)
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(steps) })).toMatchObject({ ok: true })
  })

  test.each([-2, 2])('rejects codes of a clock that is %i steps away', async (steps) => {
    const ana = await protectedPerson()
    server.clock.advance(120)
    const browser = await halfway(ana)
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(steps) })).toMatchObject(wrongCode)
  })

  test('accepts a code once in any call, and no earlier one', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    // The code that turned it on.
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(0) })).toMatchObject(wrongCode)
    const otp_token = ana.phone.code()
    expect(await ana.call(sessions.reauthenticate, { otp_token })).toMatchObject({ ok: true })
    expect(await browser.call(signIn.loginOtp, { otp_token })).toMatchObject(wrongCode)
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(-1) })).toMatchObject(wrongCode)
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(1) })).toMatchObject({ ok: true })
  })
})

describe('guessing codes (security §6.5)', () => {
  test('allows five attempts per sign-in and mails the user', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    const before = (await mailsTo(server, ana.email)).length
    for (let i = 0; i < 5; i += 1) {
      expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.codeAt(9 + i) })).toMatchObject(wrongCode)
    }
    expect(await browser.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject(expired)
    const letters = (await mailsTo(server, ana.email)).slice(before)
    expect(letters.map(({ subject }) => subject)).toEqual(['Failed sign-in attempts on your account'])
    expect(letters[0]?.link).toBe('http://localhost:3000/security/change-password')
  })

  test('allows ten attempts an hour, except in a known browser', async () => {
    const ana = await protectedPerson()
    await ana.call(sessions.logout)
    for (let i = 0; i < 10; i += 1) {
      const browser = await halfway(ana)
      expect(await browser.call(signIn.loginOtp, { recovery_code: `aaaa-${i}` })).toMatchObject(wrongCode)
    }
    const stranger = await halfway(ana)
    const otp_token = ana.phone.code()
    expect(await stranger.call(signIn.loginOtp, { otp_token })).toMatchObject({ http: 429, retry_after: 3570 })
    await halfway(ana, ana)
    expect(await ana.call(signIn.loginOtp, { otp_token })).toMatchObject({ ok: true })
    server.clock.advance(3600)
    const later = await halfway(ana)
    expect(await later.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({ ok: true })
  })

  test('requires a new password after a hundred consecutive attempts', async () => {
    const ana = await protectedPerson()
    const browser = await halfway(ana)
    await browser.call(signIn.loginOtp, { recovery_code: 'aaaa' })
    await server.store.db
      .updateTable('otp_tries')
      .set({ in_a_row: 100 })
      .where('key', '=', `${ana.user.id}/account`)
      .execute()
    server.clock.advance(24 * 3600)
    expect(await (await halfway(ana)).call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({
      http: 429,
    })
    const new_password = 'drugacna-gora-17'
    await server.browser().call(signIn.forgotPassword, { email: ana.email })
    const token = await mailedToken(server, ana.email)
    await server.browser().call(signIn.resetPassword, { token, new_password, recovery_code: ana.codes[0] })
    const again = await halfway({ ...ana, password: new_password })
    expect(await again.call(signIn.loginOtp, { otp_token: ana.phone.code() })).toMatchObject({ ok: true })
  })
})

describe('50 concurrent requests (security §2.3.1)', () => {
  const fifty = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 50 }, (_, i) => work(i)))

  /** Browsers after the password. The rows are copied to avoid hashing fifty passwords. */
  async function manyHalfway(person: RegisteredUser): Promise<Caller[]> {
    const browser = await halfway(person)
    return await fifty(async (i) => {
      const tab = server.browser({ ip: `10.70.${i}.1` })
      for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
      return tab
    })
  }

  test('accept a pending sign-in once', async () => {
    const ana = await protectedPerson()
    const tabs = await manyHalfway(ana)
    const answers = await fifty((i) => (tabs[i] as Caller).call(signIn.loginOtp, { recovery_code: ana.codes[i % 10] }))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'sign_in_expired')).toHaveLength(49)
    expect(good(await ana.call(account.getAccount)).recovery_codes_left).toBe(9)
  })

  test.each(['otp_token', 'recovery_code'] as const)('accept an %s once', async (kind) => {
    const ana = await protectedPerson()
    const value = kind === 'otp_token' ? ana.phone.code() : ana.codes[0]
    const concurrent = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const browser = await halfway(ana)
        return () => browser.call(signIn.loginOtp, { [kind]: value })
      }),
    )
    const uses = [
      ...concurrent,
      ...Array.from({ length: 45 }, () => () => ana.call(security.disableOtp, { [kind]: value })),
    ]
    const answers = await Promise.all(uses.map((use) => use()))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('verify ten guesses of a code', async () => {
    const ana = await protectedPerson()
    const answers = await fifty((i) => ana.call(security.disableOtp, { recovery_code: `aaaa-${i}` }))
    expect(answers.filter((one) => !one.ok && one.problem.code === 'invalid_otp')).toHaveLength(10)
    expect(answers.filter(({ http }) => http === 429)).toHaveLength(40)
  })
})

describe('forgotten password (security §6.4.3)', () => {
  async function link(person: RegisteredUser): Promise<string> {
    await server.browser().call(signIn.forgotPassword, { email: person.email })
    return await mailedToken(server, person.email)
  }
  const new_password = 'drugacna-gora-17'

  test('requires the second factor, keeps it on and does not sign in', async () => {
    const ana = await protectedPerson()
    const token = await link(ana)
    const browser = server.browser()
    expect(await browser.call(signIn.checkPasswordLink, { token })).toMatchObject({ data: { otp_required: true } })
    expect(await browser.call(signIn.resetPassword, { token, new_password })).toMatchObject({
      http: 400,
      problem: { code: 'otp_required' },
    })
    const otp_token = ana.phone.code()
    expect(
      await browser.call(signIn.resetPassword, { token, new_password, otp_token: ana.phone.codeAt(7) }),
    ).toMatchObject(wrongCode)
    expect(await browser.call(signIn.resetPassword, { token, new_password, otp_token })).toMatchObject({ ok: true })
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
    expect(await ana.call(account.getAccount)).toMatchObject(signedOut)
    await halfway({ ...ana, password: new_password })
  })

  test('voids the link after five wrong codes', async () => {
    const ana = await protectedPerson()
    const token = await link(ana)
    const browser = server.browser()
    for (let i = 0; i < 5; i += 1) {
      const otp_token = ana.phone.codeAt(9 + i)
      expect(await browser.call(signIn.resetPassword, { token, new_password, otp_token })).toMatchObject(wrongCode)
    }
    expect(
      await browser.call(signIn.resetPassword, { token, new_password, otp_token: ana.phone.code() }),
    ).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    await halfway(ana)
  })

  test('requires no code without a second factor', async () => {
    const ana = await registerConfirmedUser(server)
    const token = await link(ana)
    expect(await server.browser().call(signIn.checkPasswordLink, { token })).toMatchObject({
      data: { otp_required: false },
    })
    expect(await server.browser().call(signIn.resetPassword, { token, new_password })).toMatchObject({ ok: true })
    expect(await signInAgain(server, { ...ana, password: new_password })).toBeDefined()
  })
})

describe('forms without script', () => {
  const NATIVE = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'null',
    'sec-fetch-site': 'same-origin',
  }
  const send = (browser: Caller, url: string, fields: Record<string, string>) =>
    browser.request({ method: 'POST', url, headers: NATIVE, payload: new URLSearchParams(fields).toString() })

  test('asks for the second factor and redirects to the requested page', async () => {
    const ana = await protectedPerson()
    const browser = server.browser()
    const fields = { username: ana.email, password: ana.password }
    const first = await send(browser, '/login?redirect=%2Fsecurity', fields)
    expect(first.statusCode).toBe(303)
    const step = String(first.headers.location)
    expect(step).toMatch(/^\/login\?otp=true&sign_in=[\w-]+&redirect=%2Fsecurity$/)
    const wrong = await send(browser, step, { otp_token: ana.phone.codeAt(7) })
    expect(wrong.headers.location).toBe(`${step}&problem=invalid_otp`)
    const second = await send(browser, step, { otp_token: ana.phone.code() })
    expect([second.statusCode, second.headers.location]).toEqual([303, '/security'])
    expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
    const other = server.browser()
    await send(other, '/login', fields)
    // The page has both fields; only one is filled in.
    const recovered = await send(other, '/login?otp=true', { otp_token: '', recovery_code: ana.codes[0] ?? '' })
    expect(recovered.headers.location).toBe('/')
  })

  test('leads back to the first step when another tab has begun the sign-in of another user', async () => {
    const [ana, bor] = [await protectedPerson(), await protectedPerson()]
    const browser = server.browser()
    const begin = async ({ email: username, password }: RegisteredUser) =>
      String((await send(browser, '/login?redirect=%2Fsecurity', { username, password })).headers.location)
    const older = await begin(ana)
    await begin(bor)
    const answer = await send(browser, older, { recovery_code: bor.codes[0] ?? '' })
    expect(answer.headers.location).toBe('/login?redirect=%2Fsecurity&problem=sign_in_replaced')
    expect(await browser.call(account.getAccount)).toMatchObject(signedOut)
  })
})
