import { account, activity, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mailsTo,
  type RegisteredUser,
  registerConfirmedUser,
  signInAgain,
  tabOf,
} from '../../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../../test/second-factor.ts'
import { connectSocket, requestUpgrade } from '../../../../test/sockets.ts'
import { beforeTransaction, type Caller, startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A browser that shows a code. */
async function screenWithCode() {
  const screen = server.browser({ ip: `10.60.${Math.floor(Math.random() * 250)}.7` })
  return { screen, ...good(await screen.call(signIn.createQrCode)) }
}
const stateIn = async (browser: Caller, code: string) => good(await browser.call(signIn.getQrCode, { code })).state
const approve = (phone: Caller, code: string, match: string) =>
  phone.call(signIn.answerQrCode, { code, approve: true, match })
const expired = { http: 400, problem: { code: 'expired_code' } }
const unauthenticated = { http: 401, problem: { code: 'unauthenticated' } }
const other = (match: string) => (match === '42' ? '43' : '42')

describe('QR sign-in (api §2.6)', () => {
  test('shows the requester on the phone, and signs the browser in once after approval', async () => {
    const phone = await registerConfirmedUser(server)
    const { screen, code, match, url, qr_code } = await screenWithCode()
    expect(url).toBe(`${server.config.url}/qr-code/${code}`)
    expect(qr_code).toMatch(/^data:image\/svg\+xml/)
    expect(match).toMatch(/^[1-9]\d$/)
    expect(await stateIn(screen, code)).toBe('pending')

    server.clock.advance(5)
    expect(good(await phone.call(signIn.getQrCode, { code }))).toMatchObject({
      state: 'seen',
      requester: { os: 'Linux', browser: 'Firefox', ip: expect.stringMatching(/^10\.60\./) },
      created_at: new Date(server.clock.now().getTime() - 5000).toISOString(),
    })
    expect(await stateIn(screen, code)).toBe('seen')
    expect(good(await approve(phone, code, match))).toEqual({ state: 'approved' })

    const collected = good(await screen.call(signIn.getQrCode, { code }))
    expect(collected).toMatchObject({ state: 'approved', user: { id: phone.user.id } })
    expect(good(await screen.call(account.getAccount)).email).toBe(phone.email)
    // Listed in sessions and activity, and mailed.
    expect(good(await phone.call(sessions.listSessions)).find(({ current }) => !current)).toMatchObject({
      methods: ['qr'],
      // The approver has seen the device and is not asked about it.
      unknown: false,
    })
    expect(await phone.call(activity.listActivity)).toMatchObject({ data: [{ type: 'LOGGED_IN' }, {}] })
    expect((await mailsTo(server, phone.email)).at(-1)?.subject).toBe('A device signed in with a QR code')
  })

  test('shows on the phone no text that the requester chose', async () => {
    const phone = await registerConfirmedUser(server)
    const screen = server.browser({ user_agent: 'Vrata support. Enter 47/1 (X11; Linux x86_64)' })
    const { code } = good(await screen.call(signIn.createQrCode))
    expect(good(await phone.call(signIn.getQrCode, { code })).requester).toMatchObject({ os: 'Linux', browser: null })
  })

  test('opens an unknown session when the one that approves is unknown itself', async () => {
    const owner = await registerConfirmedUser(server)
    const thief = await signInAgain(server, owner)
    const { screen, code, match } = await screenWithCode()
    await thief.call(signIn.getQrCode, { code })
    good(await approve(thief, code, match))
    good(await screen.call(signIn.getQrCode, { code }))
    const others = good(await owner.call(sessions.listSessions)).filter(({ current }) => !current)
    expect(others.map(({ unknown }) => unknown)).toEqual([true, true])
  })

  test('reports a denial and voids the code', async () => {
    const phone = await registerConfirmedUser(server)
    const { screen, code, match } = await screenWithCode()
    await phone.call(signIn.getQrCode, { code })
    expect(good(await phone.call(signIn.answerQrCode, { code, approve: false }))).toEqual({ state: 'denied' })
    expect(await stateIn(screen, code)).toBe('denied')
    expect(await approve(phone, code, match)).toMatchObject(expired)
    expect(await screen.call(account.getAccount)).toMatchObject(unauthenticated)
  })

  test('expires after 120 seconds, and 60 seconds after approval', async () => {
    const phone = await registerConfirmedUser(server)
    const first = await screenWithCode()
    server.clock.advance(121)
    expect(await stateIn(first.screen, first.code)).toBe('expired')
    expect(await stateIn(phone, first.code)).toBe('expired')
    expect(await approve(phone, first.code, first.match)).toMatchObject(expired)

    const second = await screenWithCode()
    good(await approve(phone, second.code, second.match))
    server.clock.advance(61)
    expect(await stateIn(second.screen, second.code)).toBe('expired')
    expect(await second.screen.call(account.getAccount)).toMatchObject(unauthenticated)
  })

  describe('the answer that signs the browser in is lost on its way', () => {
    /** A browser whose user has approved its code, and a server that has answered it; the browser has not got the answer. */
    async function lostAnswer() {
      const phone = await registerConfirmedUser(server)
      const { screen, code, match } = await screenWithCode()
      good(await approve(phone, code, match))
      const lost = tabOf(server, screen)
      const user = good(await lost.call(signIn.getQrCode, { code })).user
      return { phone, screen, code, lost, user }
    }

    test('the next poll of this browser signs it in, to the same session', async () => {
      const { phone, screen, code, lost, user } = await lostAnswer()
      server.clock.advance(15)
      expect(good(await screen.call(signIn.getQrCode, { code }))).toEqual({ state: 'approved', user })
      expect(good(await screen.call(account.getAccount)).email).toBe(phone.email)
      expect(good(await screen.call(sessions.refresh)).session_id).toBe(user?.session_id)
      // One session, one entry and one mail.
      expect(good(await phone.call(sessions.listSessions))).toHaveLength(2)
      expect(good(await phone.call(activity.listActivity)).filter(({ type }) => type === 'LOGGED_IN')).toHaveLength(1)
      const mails = (await mailsTo(server, phone.email)).map(({ subject }) => subject)
      expect(mails.filter((one) => one === 'A device signed in with a QR code')).toHaveLength(1)
      // Its cookies have been replaced since, so the code opens nothing any more.
      expect(await stateIn(lost, code)).toBe('expired')
    })

    test('no other browser is signed in, also one with a code of its own', async () => {
      const { code } = await lostAnswer()
      const thief = (await screenWithCode()).screen
      expect(await thief.call(signIn.getQrCode, { code })).toMatchObject(unauthenticated)
    })

    test.each<[string, (lost: Awaited<ReturnType<typeof lostAnswer>>) => unknown]>([
      ['a minute after the approval', () => server.clock.advance(61)],
      ['after the session was ended', ({ phone }) => phone.call(sessions.logoutAll, {})],
      ['after the browser has signed out', ({ lost }) => lost.call(sessions.logout)],
      [
        'after a reauthentication in this browser',
        ({ lost, phone }) => lost.call(sessions.reauthenticate, { password: phone.password }),
      ],
    ])('nor this browser %s', async (_, act) => {
      const all = await lostAnswer()
      await act(all)
      expect(await stateIn(all.screen, all.code)).toBe('expired')
      expect(await all.screen.call(account.getAccount)).toMatchObject(unauthenticated)
    })

    test('a browser in which the user was signed in already continues its session', async () => {
      const phone = await registerConfirmedUser(server)
      const screen = server.browser()
      good(await screen.call(signIn.login, { username: phone.email, password: phone.password }))
      const { code, match } = good(await screen.call(signIn.createQrCode))
      good(await approve(phone, code, match))
      good(await tabOf(server, screen).call(signIn.getQrCode, { code }))
      expect(await stateIn(screen, code)).toBe('approved')
      expect(good(await screen.call(account.getAccount)).email).toBe(phone.email)
    })
  })

  test('notifies the browser over a socket that is open only while it shows a code', async () => {
    const phone = await registerConfirmedUser(server)
    const idle = server.browser()
    await idle.call(signIn.listKnownAccounts)
    expect((await requestUpgrade(server, idle)).status).toBe(401)
    const { screen, code, match } = await screenWithCode()
    const neighbor = await screenWithCode()
    const [listener, others] = [await connectSocket(server, screen), await connectSocket(server, neighbor.screen)]
    await phone.call(signIn.getQrCode, { code })
    await listener.receives('qr:changed')
    await approve(phone, code, match)
    await expect.poll(() => listener.received).toEqual(['qr:changed', 'qr:changed'])
    expect(others.received).toEqual([])
  })
})

describe('attacks on QR sign-in (security §18.3)', () => {
  test('requires the number, and voids the code after three wrong ones', async () => {
    const victim = await registerConfirmedUser(server)
    const { screen, code, match } = await screenWithCode()
    for (let i = 0; i < 3; i += 1) {
      expect(await approve(victim, code, other(match))).toMatchObject({ http: 400, problem: { code: 'wrong_match' } })
    }
    expect(await approve(victim, code, match)).toMatchObject(expired)
    expect(await stateIn(screen, code)).toBe('denied')
  })

  test('rejects an approved code in another browser and without the cookie', async () => {
    const phone = await registerConfirmedUser(server)
    const { code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    const thief = (await screenWithCode()).screen
    expect(await thief.call(signIn.getQrCode, { code })).toMatchObject(unauthenticated)
    expect(await server.browser().call(signIn.getQrCode, { code })).toMatchObject(unauthenticated)
  })

  test('rejects a second approval, and opens one session however often the browser asks at once', async () => {
    const phone = await registerConfirmedUser(server)
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    expect(await approve(phone, code, match)).toMatchObject(expired)
    const tabs = [...Array.from({ length: 7 }, () => tabOf(server, screen)), screen]
    const answers = await Promise.all(tabs.map((tab) => tab.call(signIn.getQrCode, { code })))
    expect(new Set(answers.map((answer) => good(answer).user?.session_id)).size).toBe(1)
    expect(good(await phone.call(sessions.listSessions))).toHaveLength(2)
    good(await screen.call(sessions.refresh))
    expect(await stateIn(tabs[0] as Caller, code)).toBe('expired')
  })

  test('lets only the first viewer approve', async () => {
    const [ana, bor] = [await registerConfirmedUser(server), await registerConfirmedUser(server)]
    const { screen, code, match } = await screenWithCode()
    await ana.call(signIn.getQrCode, { code })
    expect(await bor.call(signIn.getQrCode, { code })).toMatchObject({ http: 404 })
    expect(await approve(bor, code, match)).toMatchObject(expired)
    good(await approve(ana, code, match))
    expect(good(await screen.call(signIn.getQrCode, { code })).user?.id).toBe(ana.user.id)
  })

  test('lets one of two concurrent approvers win', async () => {
    const both = [await registerConfirmedUser(server), await registerConfirmedUser(server)]
    const { code, match } = await screenWithCode()
    const answers = await Promise.all(both.map((one) => approve(one, code, match)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('does not find a guessed code or reveal the requester', async () => {
    const phone = await registerConfirmedUser(server)
    const guess = 'AAAAAAAAAAAAAAAAAAAAAA'
    expect(await phone.call(signIn.getQrCode, { code: guess })).toMatchObject({ http: 404 })
    expect(await approve(phone, guess, '10')).toMatchObject(expired)
    expect(await server.browser().call(signIn.getQrCode, { code: guess })).toMatchObject(unauthenticated)
  })

  test('rejects approval by the browser that shows the code', async () => {
    const ana = await registerConfirmedUser(server)
    const { code, match } = good(await ana.call(signIn.createQrCode))
    expect(await approve(ana, code, match)).toMatchObject(expired)
  })

  test('requires a fresh sign-in to approve but not to deny', async () => {
    const phone = await registerConfirmedUser(server)
    server.clock.advance(11 * 60)
    await phone.call(sessions.refresh)
    const { code, match } = await screenWithCode()
    const stale = { http: 403, problem: { code: 'reauthentication_required' } }
    expect(await approve(phone, code, match)).toMatchObject(stale)
    await phone.call(sessions.reauthenticate, { password: phone.password })
    good(await approve(phone, code, match))
  })

  test('does not count a QR session as fresh until it reauthenticates', async () => {
    const phone = await registerConfirmedUser(server)
    const screen = await signedInByQr(phone)
    const stale = { http: 403, problem: { code: 'reauthentication_required' } }
    expect(await screen.call(security.enableOtp)).toMatchObject(stale)
    expect(await screen.call(account.updateAccount, { email: 'elsewhere@example.com' })).toMatchObject(stale)
    // It cannot approve another code either.
    const { code, match } = await screenWithCode()
    expect(await approve(screen, code, match)).toMatchObject(stale)
    await screen.call(sessions.refresh)
    expect(await screen.call(security.enableOtp)).toMatchObject(stale)
    await screen.call(sessions.reauthenticate, { password: phone.password })
    expect(await screen.call(security.enableOtp)).toMatchObject({ ok: true })
  })

  test.each<[string, (phone: RegisteredUser) => Promise<unknown>]>([
    ['signed out everywhere', (phone) => phone.call(sessions.logoutAll, { include_current: true })],
    ['signed out everywhere else', (phone) => phone.call(sessions.logoutAll, {})],
    [
      'changed the password',
      ({ call, password }) =>
        call(security.changePassword, { current_password: password, new_password: 'skrinja-na-skrinji-9' }),
    ],
    ['turned two-factor authentication on', (phone) => withSecondFactor(server, phone)],
    ['signed out', ({ call }) => call(sessions.logout)],
    [
      'ended the session that approved, in another browser',
      async ({ email, password, user }) => {
        const other = server.browser()
        good(await other.call(signIn.login, { username: email, password }))
        good(await other.call(sessions.logoutSession, { id: user.session_id }))
      },
    ],
  ])('an approval is void once the user who approved has %s', async (_, act) => {
    const phone = await registerConfirmedUser(server)
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    await act(phone)
    expect(await stateIn(screen, code)).toBe('expired')
    expect(await screen.call(account.getAccount)).toMatchObject(unauthenticated)
  })

  test('an approval that is on its way when its user signs out everywhere approves nothing', async () => {
    const phone = await registerConfirmedUser(server)
    const { screen, code, match } = await screenWithCode()
    beforeTransaction(server, async () => good(await phone.call(sessions.logoutAll, { include_current: true })))
    expect(await approve(tabOf(server, phone), code, match)).toMatchObject(unauthenticated)
    expect(await stateIn(screen, code)).toBe('pending')
  })

  test('an approval stays when another session of its user ends', async () => {
    const phone = await registerConfirmedUser(server)
    const other = server.browser()
    good(await other.call(signIn.login, { username: phone.email, password: phone.password }))
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    good(await other.call(sessions.logout))
    expect(await stateIn(screen, code)).toBe('approved')
  })

  test('limits codes per address', async () => {
    const screen = server.browser({ ip: '10.61.1.1' })
    let last = await screen.call(signIn.createQrCode)
    // A minute may end meanwhile, which restarts the count.
    for (let asked = 0; last.ok && asked < 250; asked += 1) last = await screen.call(signIn.createQrCode)
    expect(last).toMatchObject({ http: 429 })
  })
})

describe('turning QR sign-in off', () => {
  test('rejects approval and redemption when the user turns it off', async () => {
    const phone = await registerConfirmedUser(server)
    const { screen, code, match } = await screenWithCode()
    good(await approve(phone, code, match))
    good(await phone.call(account.updateAccount, { allow_qr_sign_in: false }))
    expect(await stateIn(screen, code)).toBe('expired')
    const off = { http: 403, problem: { code: 'qr_sign_in_off' } }
    const next = await screenWithCode()
    expect(await phone.call(signIn.getQrCode, { code: next.code })).toMatchObject(off)
    expect(await approve(phone, next.code, next.match)).toMatchObject(off)
    // Turning it on again adds an authentication method.
    server.clock.advance(11 * 60)
    await phone.call(sessions.refresh)
    expect(await phone.call(account.updateAccount, { allow_qr_sign_in: true })).toMatchObject({
      problem: { code: 'reauthentication_required' },
    })
    await phone.call(sessions.reauthenticate, { password: phone.password })
    expect(await phone.call(account.updateAccount, { allow_qr_sign_in: true })).toMatchObject({ ok: true })
  })

  test('creates no code when the configuration turns it off', async () => {
    const without = await startTestServer({ VRATA_QR_SIGN_IN: 'off' })
    try {
      expect(await without.browser().call(signIn.createQrCode)).toMatchObject({ http: 404 })
    } finally {
      await without.close()
    }
  })
})

async function signedInByQr(phone: RegisteredUser): Promise<Caller> {
  const { screen, code, match } = await screenWithCode()
  good(await approve(phone, code, match))
  good(await screen.call(signIn.getQrCode, { code }))
  return screen
}
