import { account, activity, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mailedToken,
  mailsTo,
  registerConfirmedUser,
  registerUser,
  signInAgain,
} from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const NEW = 'drugacna-gora-17'
const invalid = { http: 400, problem: { code: 'invalid_token' } }

async function linkFor(email: string): Promise<string> {
  await server.browser().call(signIn.forgotPassword, { email })
  return await mailedToken(server, email)
}

describe('forgotten password (api §2.5)', () => {
  test('answers the same for every address and mails accounts only', async () => {
    const ana = await registerConfirmedUser(server)
    const before = (await server.outbox()).length
    const known = await server.browser().call(signIn.forgotPassword, { email: ana.email })
    const unknown = await server.browser().call(signIn.forgotPassword, { email: 'nikogar@example.com' })
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ ok: true, http: 200, data: {} })
    const letters = (await server.outbox()).slice(before)
    expect(letters.map(({ to }) => to)).toEqual([ana.email])
    expect(letters[0]?.link).toMatch(/^http:\/\/localhost:3000\/change-password\/[\w-]{43}$/)
  })

  test('does the same work for every address before it answers: it queues a job (security §6.3.8)', async () => {
    const jobs = () => server.store.read.selectFrom('jobs').select('kind').execute()
    const tokens = () => server.store.read.selectFrom('one_time_tokens').select('token_hash').execute()
    const ana = await registerConfirmedUser(server)
    const [jobsBefore, tokensBefore] = [await jobs(), await tokens()]
    await server.browser().call(signIn.forgotPassword, { email: ana.email })
    await server.browser().call(signIn.forgotPassword, { email: 'nikogar@example.com' })
    expect((await jobs()).length - jobsBefore.length).toBe(2)
    expect(await tokens()).toHaveLength(tokensBefore.length)
  })

  test('leaves one valid link of several requests at once, and mails five an hour', async () => {
    const ana = await registerConfirmedUser(server)
    for (let i = 0; i < 8; i += 1) await server.browser().call(signIn.forgotPassword, { email: ana.email })
    const { length } = (await mailsTo(server, ana.email)).filter(({ link }) => link.includes('change-password'))
    const tokens = await server.store.db
      .selectFrom('one_time_tokens')
      .select('consumed_at')
      .where('user_id', '=', ana.user.id)
      .where('kind', '=', 'reset_password')
      .execute()
    expect([length, tokens.length, tokens.filter(({ consumed_at }) => consumed_at === null).length]).toEqual([5, 5, 1])
  })

  test('describes the link with a masked address without consuming it', async () => {
    const ana = await registerConfirmedUser(server)
    const token = await linkFor(ana.email)
    for (let i = 0; i < 3; i += 1) {
      expect(await server.browser().call(signIn.checkPasswordLink, { token })).toMatchObject({
        data: { email: 'n•••@example.com' },
      })
    }
    expect(await server.browser().call(signIn.checkPasswordLink, { token: 'a'.repeat(43) })).toMatchObject(invalid)
  })

  test('ends all sessions, does not sign in, and mails the user', async () => {
    const ana = await registerConfirmedUser(server)
    const phone = await signInAgain(server, ana)
    const visitor = server.browser()
    const token = await linkFor(ana.email)
    expect(await visitor.call(signIn.resetPassword, { token, new_password: NEW })).toMatchObject({ ok: true })
    expect(visitor.cookies.size).toBe(0)
    for (const browser of [ana, phone]) {
      expect(await browser.call(account.getAccount)).toMatchObject({ http: 401 })
      expect(await browser.call(sessions.refresh)).toMatchObject({ http: 401 })
    }
    const login = { username: ana.email, password: ana.password }
    expect(await visitor.call(signIn.login, login)).toMatchObject({ problem: { code: 'invalid_credentials' } })
    const again = await signInAgain(server, { ...ana, password: NEW })
    expect(await again.call(activity.listActivity, { type: 'CHANGED_PASSWORD' })).toMatchObject({
      data: [{ type: 'CHANGED_PASSWORD' }],
    })
    const mails = (await mailsTo(server, ana.email)).filter(({ subject }) => subject === 'Your password was changed')
    expect(mails).toMatchObject([{ link: 'http://localhost:3000/login' }])
    expect(await visitor.call(signIn.resetPassword, { token, new_password: 'se-ena-gora-18' })).toMatchObject(invalid)
  })

  test('clears a pending address', async () => {
    const ana = await registerConfirmedUser(server)
    const thief = `not-${ana.email}`
    expect(await ana.call(account.updateAccount, { email: thief })).toMatchObject({ ok: true })
    const moving = await mailedToken(server, thief)
    await server.browser().call(signIn.resetPassword, { token: await linkFor(ana.email), new_password: NEW })
    expect(await server.browser().call(security.verifyEmail, { token: moving })).toMatchObject(invalid)
    const again = await signInAgain(server, { ...ana, password: NEW })
    expect(await again.call(account.getAccount)).toMatchObject({ data: { email: ana.email, pending_email: null } })
  })

  test('resets an account whose address was never confirmed', async () => {
    const stranger = await registerUser(server)
    const names = { first_name: 'Neznanec', last_name: 'Tujec', username: `tujec${stranger.user.id.slice(-6)}` }
    await stranger.call(account.updateAccount, { ...names, phone_number: '+38640123456', birth_date: '1990-01-01' })
    const token = await linkFor(stranger.email)
    const owner = server.browser({ language: 'sl-SI' })
    expect(await owner.call(signIn.checkPasswordLink, { token })).toMatchObject({ data: { otp_required: false } })
    expect(await owner.call(signIn.resetPassword, { token, new_password: NEW })).toMatchObject({ ok: true })
    expect(await stranger.call(sessions.refresh)).toMatchObject({ http: 401 })
    expect(await stranger.call(signIn.listKnownAccounts)).toMatchObject({ data: [] })

    const again = await signInAgain(server, { ...stranger, password: NEW })
    const fresh = await again.call(account.getAccount)
    expect(fresh).toMatchObject({
      data: {
        email: stranger.email,
        email_verified: true,
        first_name: '',
        last_name: '',
        username: null,
        phone_number: null,
        birth_date: null,
        // Cookies of the page on which the owner has set the password.
        language: ['sl-SI'],
      },
    })
    expect(fresh.ok && fresh.data.id).not.toBe(stranger.user.id)
    expect(await again.call(activity.listActivity)).toMatchObject({
      data: [{ type: 'LOGGED_IN' }, { type: 'CHANGED_PASSWORD' }],
    })
    // The link has confirmed the address.
    expect(await again.call(security.resendVerification)).toMatchObject({ problem: { code: 'already_confirmed' } })
  })

  test('accepts one of 50 concurrent uses of a link', async () => {
    const ana = await registerConfirmedUser(server)
    const token = await linkFor(ana.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        server.browser().call(signIn.resetPassword, { token, new_password: `drugacna-gora-${i}-visoka` }),
      ),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'invalid_token')).toHaveLength(49)
    const password = `drugacna-gora-${answers.findIndex(({ ok }) => ok)}-visoka`
    expect(await signInAgain(server, { ...ana, password })).toBeDefined()
    const changes = await server.store.read
      .selectFrom('activities')
      .select('id')
      .where('user_id', '=', ana.user.id)
      .where('type', '=', 'CHANGED_PASSWORD')
      .execute()
    expect(changes).toHaveLength(1)
  })

  test.each([
    ['one too short', 'kratko', 'password_too_short'],
    ['a known one', 'passwordpassword', 'password_breached'],
    ['one of a thousand characters', 'x'.repeat(1000), 'invalid_request'],
  ])('refuses %s; the link stays good', async (_, new_password, code) => {
    const ana = await registerConfirmedUser(server)
    const token = await linkFor(ana.email)
    const answer = await server.browser().call(signIn.resetPassword, { token, new_password })
    expect(answer).toMatchObject({ http: 400, problem: { code } })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await server.browser().call(signIn.resetPassword, { token, new_password: NEW })).toMatchObject({ ok: true })
  })

  test('expires the link after 30 minutes', async () => {
    const ana = await registerConfirmedUser(server)
    const token = await linkFor(ana.email)
    server.clock.advance(30 * 60)
    expect(await server.browser().call(signIn.checkPasswordLink, { token })).toMatchObject(invalid)
    expect(await server.browser().call(signIn.resetPassword, { token, new_password: NEW })).toMatchObject(invalid)
  })

  test('accepts the last link only, until the password changes', async () => {
    const ana = await registerConfirmedUser(server)
    const first = await linkFor(ana.email)
    const second = await linkFor(ana.email)
    expect(await server.browser().call(signIn.checkPasswordLink, { token: first })).toMatchObject(invalid)
    await ana.call(security.changePassword, { current_password: ana.password, new_password: NEW })
    expect(await server.browser().call(signIn.checkPasswordLink, { token: second })).toMatchObject(invalid)
  })

  test('rejects a link that confirms an address', async () => {
    const ana = await registerConfirmedUser(server)
    const token = await mailedToken(server, ana.email)
    expect(await server.browser().call(signIn.resetPassword, { token, new_password: NEW })).toMatchObject(invalid)
  })

  test('mails at most five links an hour without an error', async () => {
    const ana = await registerConfirmedUser(server)
    const before = (await server.outbox()).length
    for (let i = 0; i < 7; i += 1) {
      expect(
        await server.browser({ ip: `10.8.${i}.1` }).call(signIn.forgotPassword, { email: ana.email }),
      ).toMatchObject({
        ok: true,
      })
    }
    expect((await server.outbox()).slice(before)).toHaveLength(5)
  })
})
