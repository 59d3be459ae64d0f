import { account, activity, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailsTo, registerConfirmedUser, registerUser, signInAgain, tabOf } from '../../../../test/registered-user.ts'
import { good, type Phone, phone, withSecondFactor } from '../../../../test/second-factor.ts'
import { beforeTransaction, startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const wrongCode = { http: 400, problem: { code: 'invalid_otp' } }
const notFresh = { http: 403, problem: { code: 'reauthentication_required' } }
const unauthenticated = { http: 401, problem: { code: 'unauthenticated' } }

describe('turning two-factor authentication on (api §3.3)', () => {
  test('returns a secret as text, URL and QR code, and is on after a code confirms it', async () => {
    const ana = await registerConfirmedUser(server)
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
    expect(await server.browser().call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject({
      data: { next: 'done' },
    })

    const now = server.clock.now().toISOString()
    const { recovery_codes } = good(
      await ana.call(security.confirmOtp, { otp_token: phone(server, secret).codeAt(0).replace(/(...)/, '$1 ') }),
    )
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
    expect(good(await ana.call(account.getAccount))).toMatchObject({
      otp_enabled: true,
      otp_enabled_at: now,
      recovery_codes_left: 10,
    })
  })

  test('requires a confirmed address (security §6.4)', async () => {
    const unconfirmed = { http: 403, problem: { code: 'email_not_verified' } }
    const ana = await registerUser(server)
    expect(await ana.call(security.enableOtp)).toMatchObject(unconfirmed)
    expect(await ana.call(security.confirmOtp, { otp_token: '123456' })).toMatchObject(unconfirmed)
  })

  test('stores and logs neither secret nor recovery codes in plain text (security §6.5)', async () => {
    const ana = await registerConfirmedUser(server)
    const { phone: app, codes } = await withSecondFactor(server, ana)
    const rows = [
      await server.store.read.selectFrom('otp_seeds').selectAll().execute(),
      await server.store.read.selectFrom('recovery_codes').selectAll().execute(),
      await server.store.read.selectFrom('jobs').selectAll().execute(),
    ]
    for (const secret of [app.secret, ...codes]) {
      expect(JSON.stringify(rows)).not.toContain(secret)
      expect(server.logged()).not.toContain(secret)
    }
  })

  test('ends other sessions, mails the user, and records an activity', async () => {
    const ana = await registerConfirmedUser(server)
    const laptop = await signInAgain(server, ana)
    await withSecondFactor(server, ana)
    expect(await laptop.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect((await mailsTo(server, ana.email)).at(-1)?.subject).toBe('Two-step sign-in is on')
    const data = good(await ana.call(activity.listActivity, { type: 'ENABLED_OTP' }))
    expect(data).toHaveLength(1)
  })

  test('rejects a wrong code, and a second time', async () => {
    const ana = await registerConfirmedUser(server)
    const app = phone(server, good(await ana.call(security.enableOtp)).secret)
    expect(await ana.call(security.confirmOtp, { otp_token: app.codeAt(5) })).toMatchObject(wrongCode)
    expect(good(await ana.call(account.getAccount)).otp_enabled).toBe(false)
    expect(await ana.call(security.confirmOtp, { otp_token: app.codeAt(0) })).toMatchObject({ ok: true })
    expect(await ana.call(security.enableOtp)).toMatchObject({ http: 409, problem: { code: 'otp_already_on' } })
    expect(await ana.call(security.confirmOtp, { otp_token: app.code() })).toMatchObject({ http: 409 })
  })

  test('succeeds in each of two tabs with the secret that it shows; the app of the other one is of no use then', async () => {
    for (const chosen of [0, 1]) {
      const ana = await registerConfirmedUser(server)
      const tabs = [good(await ana.call(security.enableOtp)), good(await ana.call(security.enableOtp))]
      const apps = tabs.map(({ secret }) => phone(server, secret))
      const [app, other] = [apps[chosen] as Phone, apps[1 - chosen] as Phone]
      good(await ana.call(security.confirmOtp, { otp_token: app.codeAt(0) }))
      expect(await ana.call(sessions.reauthenticate, { otp_token: other.code() })).toMatchObject(wrongCode)
      expect(await ana.call(sessions.reauthenticate, { otp_token: app.code() })).toMatchObject({ ok: true })
    }
  })

  test('keeps the secrets of the last three tabs, for half an hour', async () => {
    const ana = await registerConfirmedUser(server)
    const enable = async () => phone(server, good(await ana.call(security.enableOtp)).secret)
    const first = await enable()
    const second = await enable()
    await enable()
    await enable()
    expect(await ana.call(security.confirmOtp, { otp_token: first.codeAt(0) })).toMatchObject(wrongCode)
    server.clock.advance(30 * 60 + 1)
    await ana.call(sessions.refresh, {})
    await ana.call(sessions.reauthenticate, { password: ana.password })
    await enable()
    expect(await ana.call(security.confirmOtp, { otp_token: second.codeAt(0) })).toMatchObject(wrongCode)
  })

  test('requires a fresh sign-in for both calls within half an hour', async () => {
    const ana = await registerConfirmedUser(server)
    const app = phone(server, good(await ana.call(security.enableOtp)).secret)
    server.clock.advance(11 * 60)
    await ana.call(sessions.refresh, {})
    expect(await ana.call(security.confirmOtp, { otp_token: app.codeAt(0) })).toMatchObject(notFresh)
    expect(await ana.call(security.enableOtp)).toMatchObject(notFresh)
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject(notFresh)
    server.clock.advance(20 * 60)
    await ana.call(sessions.refresh, {})
    await ana.call(sessions.reauthenticate, { password: ana.password })
    expect(await ana.call(security.confirmOtp, { otp_token: app.codeAt(0) })).toMatchObject({
      http: 409,
      problem: { code: 'otp_setup_expired' },
    })
  })

  test('leaves a browser signed in to which the answer does not come, and which can ask for new recovery codes', async () => {
    const ana = await registerConfirmedUser(server)
    const { secret } = good(await ana.call(security.enableOtp))
    const otp_token = phone(server, secret).code()
    good(await tabOf(server, ana).call(security.confirmOtp, { otp_token }))
    server.clock.advance(60)
    expect(await ana.call(security.confirmOtp, { otp_token })).toMatchObject({ problem: { code: 'otp_already_on' } })
    expect(good(await ana.call(security.renewRecoveryCodes)).recovery_codes).toHaveLength(10)
    good(await ana.call(sessions.refresh, {}))
  })

  test('turns nothing on when its user signs out everywhere meanwhile', async () => {
    const ana = await registerConfirmedUser(server)
    const { secret } = good(await ana.call(security.enableOtp))
    const otp_token = phone(server, secret).code()
    beforeTransaction(server, async () => good(await ana.call(sessions.logoutAll, { include_current: true })))
    expect(await tabOf(server, ana).call(security.confirmOtp, { otp_token })).toMatchObject(unauthenticated)
    const again = await server.browser().call(signIn.login, { username: ana.email, password: ana.password })
    expect(again).toMatchObject({ data: { next: 'done' } })
  })

  test('does not authenticate: calls that need a fresh sign-in ask for it ten minutes after the sign-in', async () => {
    const ana = await registerConfirmedUser(server)
    server.clock.advance(9 * 60)
    await withSecondFactor(server, ana)
    server.clock.advance(60)
    good(await ana.call(sessions.refresh, {}))
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject(notFresh)
  })

  test.each(['12345', '1234567', 'abcdef', '', '12 3456'])('rejects a malformed code: %j', async (otp_token) => {
    const ana = await registerConfirmedUser(server)
    expect(await ana.call(security.confirmOtp, { otp_token })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { otp_token: 'invalid' } },
    })
  })
})

describe('turning two-factor authentication off (api §3.3)', () => {
  test('accepts a code or a recovery code in place of a fresh sign-in', async () => {
    for (const proof of ['otp_token', 'recovery_code'] as const) {
      const ana = await registerConfirmedUser(server)
      const { phone: app, codes } = await withSecondFactor(server, ana)
      server.clock.advance(11 * 60)
      await ana.call(sessions.refresh, {})
      const value = proof === 'otp_token' ? app.code() : (codes[0] ?? '')
      expect(await ana.call(security.disableOtp, { [proof]: value })).toMatchObject({ ok: true })
      expect(good(await ana.call(account.getAccount))).toMatchObject({
        otp_enabled: false,
        otp_enabled_at: null,
        recovery_codes_left: 0,
      })
      expect((await mailsTo(server, ana.email)).at(-1)?.subject).toBe('Two-step sign-in is off')
      expect(good(await ana.call(activity.listActivity, { type: 'DISABLED_OTP' }))).toHaveLength(1)
      expect(await server.browser().call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject({
        data: { next: 'done' },
      })
    }
  })

  test('rejects a wrong code, none, or two', async () => {
    const ana = await registerConfirmedUser(server)
    const { phone: app, codes } = await withSecondFactor(server, ana)
    const both = { otp_token: app.code(), recovery_code: codes[0] }
    expect(await ana.call(security.disableOtp, {})).toMatchObject({ problem: { fields: { otp_token: 'required' } } })
    expect(await ana.call(security.disableOtp, both)).toMatchObject({
      problem: { fields: { recovery_code: 'unknown' } },
    })
    expect(await ana.call(security.disableOtp, { otp_token: app.codeAt(5) })).toMatchObject(wrongCode)
    expect(await ana.call(security.disableOtp, { recovery_code: 'aaaa-bbbb-cccc-dddd' })).toMatchObject(wrongCode)
    expect(good(await ana.call(account.getAccount))).toMatchObject({ otp_enabled: true, recovery_codes_left: 10 })
    const bor = await registerConfirmedUser(server)
    expect(await bor.call(security.disableOtp, { otp_token: app.code() })).toMatchObject({
      http: 409,
      problem: { code: 'otp_not_on' },
    })
  })

  test('limits attempts of a session to ten an hour, also correct ones (security §6.5)', async () => {
    const ana = await registerConfirmedUser(server)
    const { phone: app } = await withSecondFactor(server, ana)
    server.clock.advance(30)
    for (let i = 0; i < 10; i += 1) {
      expect(await ana.call(security.disableOtp, { otp_token: app.codeAt(9 + i) })).toMatchObject(wrongCode)
    }
    expect(await ana.call(security.disableOtp, { otp_token: app.codeAt(0) })).toMatchObject({
      http: 429,
      retry_after: 3600,
    })
    expect(await ana.call(sessions.reauthenticate, { otp_token: app.codeAt(0) })).toMatchObject({ http: 429 })
    server.clock.advance(3600)
    await ana.call(sessions.refresh, {})
    expect(await ana.call(security.disableOtp, { otp_token: app.code() })).toMatchObject({ ok: true })
  })
})

describe('recovery codes (api §3.3)', () => {
  test('are replaced by new ones', async () => {
    const ana = await registerConfirmedUser(server)
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject({ http: 409, problem: { code: 'otp_not_on' } })
    const { codes } = await withSecondFactor(server, ana)
    const { recovery_codes } = good(await ana.call(security.renewRecoveryCodes))
    expect(recovery_codes).toHaveLength(10)
    expect(await ana.call(security.disableOtp, { recovery_code: codes[0] })).toMatchObject(wrongCode)
    expect((await mailsTo(server, ana.email)).at(-1)?.subject).toBe('New backup codes for your account')
    expect(await ana.call(security.disableOtp, { recovery_code: recovery_codes[0] })).toMatchObject({ ok: true })
  })

  test('can be asked for again when the answer was lost', async () => {
    const ana = await registerConfirmedUser(server)
    const { codes } = await withSecondFactor(server, ana)
    // The browser does not get the answer.
    good(await tabOf(server, ana).call(security.renewRecoveryCodes))
    server.clock.advance(60)
    const { recovery_codes } = good(await ana.call(security.renewRecoveryCodes))
    good(await ana.call(sessions.refresh, {}))
    expect(await ana.call(security.disableOtp, { recovery_code: codes[0] })).toMatchObject(wrongCode)
    expect(await ana.call(security.disableOtp, { recovery_code: recovery_codes[0] })).toMatchObject({ ok: true })
  })

  test('stay when their user signs out everywhere before new ones replace them', async () => {
    const ana = await registerConfirmedUser(server)
    const { codes } = await withSecondFactor(server, ana)
    beforeTransaction(server, async () => good(await ana.call(sessions.logoutAll, { include_current: true })))
    expect(await tabOf(server, ana).call(security.renewRecoveryCodes)).toMatchObject(unauthenticated)
    const browser = server.browser()
    good(await browser.call(signIn.login, { username: ana.email, password: ana.password }))
    expect(await browser.call(signIn.loginOtp, { recovery_code: codes[0] ?? '' })).toMatchObject({ ok: true })
  })

  test('do not authenticate: after ten minutes they need a fresh sign-in, however often they were renewed (api §2.7)', async () => {
    const ana = await registerConfirmedUser(server)
    await withSecondFactor(server, ana)
    server.clock.advance(9 * 60)
    good(await ana.call(security.renewRecoveryCodes))
    server.clock.advance(60)
    good(await ana.call(sessions.refresh, {}))
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject(notFresh)
    await ana.call(sessions.reauthenticate, { password: ana.password })
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject({ ok: true })
  })

  test('are accepted in any notation, for their own account only', async () => {
    const ana = await registerConfirmedUser(server)
    const bor = await registerConfirmedUser(server)
    await withSecondFactor(server, bor)
    const { codes } = await withSecondFactor(server, ana)
    const written = (codes[3] ?? '').toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    expect(await bor.call(security.disableOtp, { recovery_code: written })).toMatchObject(wrongCode)
    expect(await ana.call(security.disableOtp, { recovery_code: written })).toMatchObject({ ok: true })
  })
})
