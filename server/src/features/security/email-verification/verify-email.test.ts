import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { account, activity, LIMITS, privacy, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mailedToken,
  mailsTo,
  registerConfirmedUser,
  registerUser,
  signInAgain,
} from '../../../../test/registered-user.ts'
import { good } from '../../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { findUserForUpdate } from '../../account/public.ts'
import { voidTokens } from '../one-time-tokens.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const DAY = 24 * 60 * 60
const HOUR = 60 * 60
const invalid = { http: 400, problem: { code: 'invalid_token' } }

describe('confirming the address (api §3.7)', () => {
  test('succeeds with or without a session', async () => {
    const ana = await registerUser(server)
    const token = await mailedToken(server, ana.email)
    const visitor = server.browser()
    expect(await visitor.call(security.verifyEmail, { token })).toMatchObject({ ok: true, data: { email: ana.email } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email_verified: true } })
    // It confirms; it does not sign in.
    expect(await visitor.call(account.getAccount)).toMatchObject({ http: 401 })
  })

  test('is answered again when the link is opened twice, or its first answer was lost', async () => {
    const ana = await registerUser(server)
    const first = await mailedToken(server, ana.email)
    good(await ana.call(security.resendVerification))
    const token = await mailedToken(server, ana.email)
    for (const browser of [server.browser(), server.browser()])
      expect(good(await browser.call(security.verifyEmail, { token }))).toEqual({ email: ana.email })
    // The link of the former mail also answers that the address is confirmed.
    expect(good(await server.browser().call(security.verifyEmail, { token: first }))).toEqual({ email: ana.email })
    // Not when the account has another address now, nor after a day.
    good(await ana.call(account.updateAccount, { email: `next-${ana.email}` }))
    const next = await mailedToken(server, `next-${ana.email}`)
    good(await ana.call(security.verifyEmail, { token: next }))
    expect(await ana.call(security.verifyEmail, { token })).toMatchObject(invalid)
    server.clock.advance(DAY)
    expect(await ana.call(security.verifyEmail, { token: next })).toMatchObject(invalid)
  })

  test('happens once among 50 concurrent requests, which all get the same answer (security §2.3.1)', async () => {
    const ana = await registerConfirmedUser(server)
    const next = `next-${ana.email}`
    await ana.call(account.updateAccount, { email: next })
    const token = await mailedToken(server, next)
    const former = await mailsTo(server, ana.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.browser().call(security.verifyEmail, { token })),
    )
    for (const answer of answers) expect(answer).toMatchObject({ data: { email: next } })
    expect(good(await ana.call(activity.listActivity, { type: 'CHANGED_EMAIL' }))).toHaveLength(1)
    expect(await mailsTo(server, ana.email)).toHaveLength(former.length + 1)
  })

  test('waits for a change of the account that voids the link, which does not wait for it', async () => {
    const ana = await registerUser(server)
    const token = await mailedToken(server, ana.email)
    const locked = Promise.withResolvers<void>()
    const answer = locked.promise.then(() => server.browser().call(security.verifyEmail, { token }))
    await server.deps.transaction(async (deps) => {
      await findUserForUpdate(deps.db, ana.user.id)
      locked.resolve()
      await setTimeout(300)
      await voidTokens(deps, 'confirm_email', ana.user.id)
    })
    expect(await answer).toMatchObject(invalid)
    expect(server.deadlocks()).toEqual([])
  })

  test('expires after a day', async () => {
    const ana = await registerUser(server)
    const token = await mailedToken(server, ana.email)
    server.clock.advance(DAY)
    expect(await ana.call(security.verifyEmail, { token })).toMatchObject(invalid)
  })

  test.each(['x', 'a'.repeat(43), `${'a'.repeat(40)}'--`])('rejects an unknown token: %s', async (token) => {
    expect(await server.browser().call(security.verifyEmail, { token })).toMatchObject(invalid)
  })

  test('stores the hash of the token only, and encrypts the queued mail', async () => {
    const ana = await registerUser(server)
    const jobs = await server.store.db.selectFrom('jobs').select('payload').execute()
    const token = await mailedToken(server, ana.email)
    const rows = await server.store.db.selectFrom('one_time_tokens').selectAll().execute()
    expect(JSON.stringify([jobs, rows])).not.toContain(token)
  })
})

describe('sending the link again (api §3.7)', () => {
  test('voids the former link', async () => {
    const ana = await registerUser(server)
    const first = await mailedToken(server, ana.email)
    expect(await ana.call(security.resendVerification)).toMatchObject({ ok: true })
    const second = await mailedToken(server, ana.email)
    expect(await ana.call(security.verifyEmail, { token: first })).toMatchObject(invalid)
    expect(await ana.call(security.verifyEmail, { token: second })).toMatchObject({ ok: true })
  })

  test('mails the pending address if there is one', async () => {
    const ana = await registerUser(server)
    await ana.call(account.updateAccount, { email: `next-${ana.email}` })
    await ana.call(security.resendVerification)
    expect(await mailsTo(server, `next-${ana.email}`)).toHaveLength(2)
  })

  test('rejects when the address is confirmed', async () => {
    const ana = await registerUser(server)
    await ana.call(security.verifyEmail, { token: await mailedToken(server, ana.email) })
    expect(await ana.call(security.resendVerification)).toMatchObject({
      http: 409,
      problem: { code: 'already_confirmed' },
    })
  })

  test('limits the mails per hour', async () => {
    const ana = await registerUser(server)
    // The mail of the registration counts, too.
    for (let i = 0; i < 4; i += 1) expect(await ana.call(security.resendVerification)).toMatchObject({ ok: true })
    expect(await ana.call(security.resendVerification)).toMatchObject({ http: 429, retry_after: 3600 })
    server.clock.advance(HOUR)
    await ana.call(sessions.refresh)
    expect(await ana.call(security.resendVerification)).toMatchObject({ ok: true })
  })
})

describe('confirming a new address (product §4.2)', () => {
  test('changes the address and mails the former one', async () => {
    const ana = await registerConfirmedUser(server)
    const next = `next-${ana.email}`
    await ana.call(account.updateAccount, { email: next })
    const token = await mailedToken(server, next)
    expect(await server.browser().call(security.verifyEmail, { token })).toMatchObject({ data: { email: next } })
    expect(await ana.call(account.getAccount)).toMatchObject({
      data: { email: next, pending_email: null, email_verified: true },
    })
    expect(await ana.call(activity.listActivity, { type: 'CHANGED_EMAIL' })).toMatchObject({
      data: [{ type: 'CHANGED_EMAIL' }],
    })
    const letter = (await mailsTo(server, ana.email)).at(-1)
    expect(letter?.text).toContain('n•••@example.com')
    expect(letter?.text).not.toContain(next)
    // Links mailed to the former address are void.
    const login = { username: next, password: ana.password }
    expect(await server.browser().call(signIn.login, login)).toMatchObject({ ok: true })
  })

  test('rejects an address that another user has taken meanwhile', async () => {
    const ana = await registerUser(server)
    const wanted = `wanted-${ana.email}`
    await ana.call(account.updateAccount, { email: wanted })
    const token = await mailedToken(server, wanted)
    await server.browser().call(signIn.register, { email: wanted, password: 'kamen-na-kamen-palaca' })
    const answer = await ana.call(security.verifyEmail, { token })
    expect(answer).toMatchObject({ http: 409, problem: { code: 'email_exists' } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email: ana.email } })
  })

  test('voids a reset link mailed to the former address', async () => {
    const ana = await registerUser(server)
    await server.browser().call(signIn.forgotPassword, { email: ana.email })
    const reset = await mailedToken(server, ana.email)
    await ana.call(account.updateAccount, { email: `next-${ana.email}` })
    await ana.call(security.verifyEmail, { token: await mailedToken(server, `next-${ana.email}`) })
    expect(await server.browser().call(signIn.checkPasswordLink, { token: reset })).toMatchObject(invalid)
    const answer = await server.browser().call(signIn.resetPassword, { token: reset, new_password: 'drugacna-gora-17' })
    expect(answer).toMatchObject(invalid)
  })

  test('rejects a link of another kind', async () => {
    const ana = await registerUser(server)
    await server.browser().call(signIn.forgotPassword, { email: ana.email })
    const reset = await mailedToken(server, ana.email)
    expect(await ana.call(security.verifyEmail, { token: reset })).toMatchObject(invalid)
    expect(await ana.call(signIn.checkPasswordLink, { token: reset })).toMatchObject({ ok: true })
  })
})

describe('mails to an unconfirmed address', () => {
  test('contain no text that the sender chose', async () => {
    // Not even by the name of the browser, which a program can invent.
    const user_agent = 'Your account is locked. Call 555-0199 or open https://evil.example now/1 '
    const browser = server.browser({ user_agent })
    const email = 'ownerless@example.com'
    const password = 'kamen-na-kamen-palaca'
    const names = { first_name: 'Klikni tukaj', last_name: 'Zvijača' }
    await browser.call(signIn.register, { email, password, ...names })
    await browser.call(signIn.forgotPassword, { email })
    await browser.call(security.changePassword, { current_password: password, new_password: 'most-preko-soce-4' })
    // Nor the domain of an address that replaces this one.
    const next = 'a@call-555-0199.example'
    good(await browser.call(account.updateAccount, { email: next }))
    good(await browser.call(security.verifyEmail, { token: await mailedToken(server, next) }))
    const mails = await mailsTo(server, email)
    expect(mails.length).toBeGreaterThanOrEqual(3)
    for (const mail of mails) {
      expect(mail.text).toMatch(/^Hello,\n/)
      for (const chosen of [...Object.values(names), '555-0199', 'evil.example'])
        expect(JSON.stringify(mail)).not.toContain(chosen)
    }
    // Also where a confirmed user enters it.
    const ana = await registerUser(server)
    await ana.call(security.verifyEmail, { token: await mailedToken(server, ana.email) })
    await ana.call(account.updateAccount, names)
    await ana.call(account.updateAccount, { email: 'pending@example.com' })
    expect((await mailsTo(server, 'pending@example.com')).at(-1)?.text).toMatch(/^Hello,\n/)
    await ana.call(signIn.forgotPassword, { email: ana.email })
    expect((await mailsTo(server, ana.email)).at(-1)?.text).toMatch(/^Hello Klikni tukaj,\n/)
  })

  test('are limited per day, whatever is done with the account, and those to a confirmed one are not', async () => {
    const most = LIMITS.notices_per_unconfirmed_address
    const stranger = await registerUser(server)
    let { password } = stranger
    const changePassword = async () => {
      const changed = { current_password: password, new_password: `${stranger.password}-${randomUUID()}` }
      good(await stranger.call(security.changePassword, changed))
      password = changed.new_password
    }
    const signInElsewhere = () => signInAgain(server, { ...stranger, password })
    for (let n = 0; n < most; n += 1) await changePassword()
    const elsewhere = await signInElsewhere()
    good(await elsewhere.call(privacy.deleteAccount, { password }))
    await signInElsewhere()
    // Besides the link of the registration.
    expect(await mailsTo(server, stranger.email)).toHaveLength(1 + most)
    server.clock.advance(DAY)
    await signInElsewhere()
    expect(await mailsTo(server, stranger.email)).toHaveLength(1 + most + 1)
    const owner = await registerConfirmedUser(server)
    for (let n = 0; n < most + 2; n += 1) await signInAgain(server, owner)
    expect(await mailsTo(server, owner.email)).toHaveLength(1 + most + 2)
  })

  test('are limited per day, from all senders, and its owner can still register', async () => {
    const email = 'target@example.com'
    const senders = [await registerUser(server), await registerUser(server), await registerUser(server)]
    for (let n = 0; n < LIMITS.confirmation_mails_per_address; n += 1) {
      const sender = senders[Math.floor(n / 4)]
      const call = n % 4 ? sender?.call(security.resendVerification) : sender?.call(account.updateAccount, { email })
      expect(await call).toMatchObject({ ok: true })
    }
    const last = await registerUser(server)
    const answer = await last.call(account.updateAccount, { email })
    expect(answer).toMatchObject({ http: 429, retry_after: DAY, problem: { code: 'too_many_requests' } })
    expect(await last.call(account.getAccount)).toMatchObject({ data: { pending_email: null } })
    const password = 'kamen-na-kamen-palaca'
    const owner = server.browser()
    expect(await owner.call(signIn.register, { email, password })).toMatchObject({ ok: true })
    expect(await mailsTo(server, email)).toHaveLength(LIMITS.confirmation_mails_per_address + 1)
    server.clock.advance(DAY)
    await last.call(sessions.refresh)
    await last.call(sessions.reauthenticate, { password: last.password })
    expect(await last.call(account.updateAccount, { email })).toMatchObject({ ok: true })
  })
})
