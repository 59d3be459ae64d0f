import { account, activity, auth, security } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, newcomer } from '../../../test/newcomer.ts'
import { good, phone, withSecondFactor } from '../../../test/second-factor.ts'

// Passwords are hashed here, on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const wrongCode = { http: 400, problem: { code: 'invalid_otp' } }
const notFresh = { http: 403, problem: { code: 'reauthentication_required' } }

describe('api §3 turning two-factor authentication on', () => {
  test('shows a secret as text, address and picture, and is on only once a code of it is confirmed', async () => {
    const ana = await newcomer(house)
    const { secret, otpauth_url, qr_code } = good(await ana.call(security.enableOtp))
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(otpauth_url)
    expect(url.host).toBe('totp')
    expect(decodeURIComponent(url.pathname)).toBe(`/Vrata:${ana.email}`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret, issuer: 'Vrata', digits: '6', period: '30' })
    expect(Buffer.from(qr_code.replace('data:image/svg+xml;base64,', ''), 'base64').toString()).toMatch(
      /^<svg .*<\/svg>$/,
    )
    expect(good(await ana.call(account.getAccount))).toMatchObject({ otp_enabled: false, recovery_codes_left: 0 })
    expect(await house.visitor().call(auth.login, { username: ana.email, password: ana.password })).toMatchObject({
      data: { next: 'done' },
    })

    const now = house.clock.now().toISOString()
    const { recovery_codes } = good(
      await ana.call(security.confirmOtp, { otp_token: phone(house, secret).codeAt(0).replace(/(...)/, '$1 ') }),
    )
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
    expect(good(await ana.call(account.getAccount))).toMatchObject({
      otp_enabled: true,
      otp_enabled_at: now,
      recovery_codes_left: 10,
    })
  })

  test('security 6.5 keeps neither the secret nor a recovery code in plain, nor in the log', async () => {
    const ana = await newcomer(house)
    const { phone: app, codes } = await withSecondFactor(house, ana)
    const rows = [
      await house.store.read.selectFrom('otp_seeds').selectAll().execute(),
      await house.store.read.selectFrom('recovery_codes').selectAll().execute(),
      await house.store.read.selectFrom('jobs').selectAll().execute(),
    ]
    for (const secret of [app.secret, ...codes]) {
      expect(JSON.stringify(rows)).not.toContain(secret)
      expect(house.logged()).not.toContain(secret)
    }
  })

  test('ends every other session, tells by mail, and is an activity', async () => {
    const ana = await newcomer(house)
    const laptop = await elsewhere(house, ana)
    await withSecondFactor(house, ana)
    expect(await laptop.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect((await lettersTo(house, ana.email)).at(-1)?.subject).toBe('Two-step sign-in is on')
    const data = good(await ana.call(activity.listActivity, { type: 'ENABLED_OTP' }))
    expect(data).toHaveLength(1)
  })

  test('a wrong code turns nothing on; a second secret voids the first', async () => {
    const ana = await newcomer(house)
    const first = phone(house, good(await ana.call(security.enableOtp)).secret)
    const second = phone(house, good(await ana.call(security.enableOtp)).secret)
    expect(await ana.call(security.confirmOtp, { otp_token: first.codeAt(0) })).toMatchObject(wrongCode)
    expect(good(await ana.call(account.getAccount)).otp_enabled).toBe(false)
    expect(await ana.call(security.confirmOtp, { otp_token: second.codeAt(0) })).toMatchObject({ ok: true })
    expect(await ana.call(security.enableOtp)).toMatchObject({ http: 409, problem: { code: 'otp_already_on' } })
    expect(await ana.call(security.confirmOtp, { otp_token: second.code() })).toMatchObject({ http: 409 })
  })

  test('needs a fresh sign-in from beginning to end, and half an hour at most', async () => {
    const ana = await newcomer(house)
    const app = phone(house, good(await ana.call(security.enableOtp)).secret)
    house.clock.advance(11 * 60)
    await ana.call(auth.refresh, {})
    expect(await ana.call(security.confirmOtp, { otp_token: app.codeAt(0) })).toMatchObject(notFresh)
    expect(await ana.call(security.enableOtp)).toMatchObject(notFresh)
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject(notFresh)
    house.clock.advance(20 * 60)
    await ana.call(auth.refresh, {})
    await ana.call(auth.reauthenticate, { password: ana.password })
    expect(await ana.call(security.confirmOtp, { otp_token: app.codeAt(0) })).toMatchObject({
      http: 409,
      problem: { code: 'otp_setup_expired' },
    })
  })

  test.each(['12345', '1234567', 'abcdef', '', '12 3456'])('refuses what is no code: %j', async (otp_token) => {
    const ana = await newcomer(house)
    expect(await ana.call(security.confirmOtp, { otp_token })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { otp_token: 'invalid' } },
    })
  })
})

describe('api §3 turning it off', () => {
  test('takes a code or a recovery code, in place of a fresh sign-in', async () => {
    for (const proof of ['otp_token', 'recovery_code'] as const) {
      const ana = await newcomer(house)
      const { phone: app, codes } = await withSecondFactor(house, ana)
      house.clock.advance(11 * 60)
      await ana.call(auth.refresh, {})
      const value = proof === 'otp_token' ? app.code() : (codes[0] ?? '')
      expect(await ana.call(security.disableOtp, { [proof]: value })).toMatchObject({ ok: true })
      expect(good(await ana.call(account.getAccount))).toMatchObject({
        otp_enabled: false,
        otp_enabled_at: null,
        recovery_codes_left: 0,
      })
      expect((await lettersTo(house, ana.email)).at(-1)?.subject).toBe('Two-step sign-in is off')
      expect(good(await ana.call(activity.listActivity, { type: 'DISABLED_OTP' }))).toHaveLength(1)
      expect(await house.visitor().call(auth.login, { username: ana.email, password: ana.password })).toMatchObject({
        data: { next: 'done' },
      })
    }
  })

  test('with a wrong code, none or two changes nothing', async () => {
    const ana = await newcomer(house)
    const { phone: app, codes } = await withSecondFactor(house, ana)
    const both = { otp_token: app.code(), recovery_code: codes[0] }
    expect(await ana.call(security.disableOtp, {})).toMatchObject({ problem: { fields: { otp_token: 'required' } } })
    expect(await ana.call(security.disableOtp, both)).toMatchObject({
      problem: { fields: { recovery_code: 'unknown' } },
    })
    expect(await ana.call(security.disableOtp, { otp_token: app.codeAt(5) })).toMatchObject(wrongCode)
    expect(await ana.call(security.disableOtp, { recovery_code: 'aaaa-bbbb-cccc-dddd' })).toMatchObject(wrongCode)
    expect(good(await ana.call(account.getAccount))).toMatchObject({ otp_enabled: true, recovery_codes_left: 10 })
    const bor = await newcomer(house)
    expect(await bor.call(security.disableOtp, { otp_token: app.code() })).toMatchObject({
      http: 409,
      problem: { code: 'otp_not_on' },
    })
  })

  test('security 6.5 a stolen session guesses ten times an hour, and right ones wait as well', async () => {
    const ana = await newcomer(house)
    const { phone: app } = await withSecondFactor(house, ana)
    house.clock.advance(30)
    for (let i = 0; i < 10; i += 1) {
      expect(await ana.call(security.disableOtp, { otp_token: app.codeAt(9 + i) })).toMatchObject(wrongCode)
    }
    expect(await ana.call(security.disableOtp, { otp_token: app.codeAt(0) })).toMatchObject({
      http: 429,
      retry_after: 3600,
    })
    expect(await ana.call(auth.reauthenticate, { otp_token: app.codeAt(0) })).toMatchObject({ http: 429 })
    house.clock.advance(3600)
    await ana.call(auth.refresh, {})
    expect(await ana.call(security.disableOtp, { otp_token: app.code() })).toMatchObject({ ok: true })
  })
})

describe('api §3 recovery codes', () => {
  test('new ones void the old ones', async () => {
    const ana = await newcomer(house)
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject({ http: 409, problem: { code: 'otp_not_on' } })
    const { codes } = await withSecondFactor(house, ana)
    const { recovery_codes } = good(await ana.call(security.renewRecoveryCodes))
    expect(recovery_codes).toHaveLength(10)
    expect(await ana.call(security.disableOtp, { recovery_code: codes[0] })).toMatchObject(wrongCode)
    expect((await lettersTo(house, ana.email)).at(-1)?.subject).toBe('New backup codes for your account')
    expect(await ana.call(security.disableOtp, { recovery_code: recovery_codes[0] })).toMatchObject({ ok: true })
  })

  test('are read however they were written down, and only by their own account', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    await withSecondFactor(house, bor)
    const { codes } = await withSecondFactor(house, ana)
    const written = (codes[3] ?? '').toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    expect(await bor.call(security.disableOtp, { recovery_code: written })).toMatchObject(wrongCode)
    expect(await ana.call(security.disableOtp, { recovery_code: written })).toMatchObject({ ok: true })
  })
})
