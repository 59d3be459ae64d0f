import { account, activity, DEFAULT_POLICY, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailedToken, mailsTo, registerUser, signInAgain, tabOf } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { checkNewPassword } from './password.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const NEW = 'drugacna-gora-17'

describe('passwords (product §5.1)', () => {
  const owner = { email: 'ana.kovac@example.com', username: 'kraljica', first_name: 'Anastazija', last_name: 'Kovač' }
  const check = (password: string) => () => checkNewPassword(DEFAULT_POLICY, password, owner, 'new_password')

  test('has at least 12 characters, counted as composed code points', () => {
    expect(check('gora-17-zima')).not.toThrow()
    expect(check('gora-17-zim')).toThrow(expect.objectContaining({ code: 'password_too_short', params: { min: 12 } }))
    // Eleven characters of two code units each, and eleven letters with a caron beside them.
    expect(check('🏔🚪🌉🌊🌲🔑🗻🏠🌙🌞🌈')).toThrow(expect.objectContaining({ code: 'password_too_short' }))
    expect(check('c\u030c'.repeat(11))).toThrow(expect.objectContaining({ code: 'password_too_short' }))
  })

  test.each([
    ['passwordpassword', 'password_breached'],
    ['password1234', 'password_breached'],
    ['123456789012', 'password_breached'],
    ['kraljica2024', 'password_guessable', 'own'],
    ['Anastazija99', 'password_guessable', 'own'],
    ['vrata1234567', 'password_guessable', 'own'],
    ['mama in mama', 'password_guessable', 'plain'],
    ['Ana.Kovac@example.com', 'password_is_email'],
  ])('rejects %s with %s (security §6.2)', (password, code, reason?: string) => {
    expect(check(password)).toThrow(expect.objectContaining({ code, params: reason && { reason } }))
  })

  test('may have 256 significant characters', async () => {
    const long = `${'nekaj dolgega '.repeat(18)}tu`
    const person = { email: 'dolga@example.com', password: long.slice(0, 253) }
    expect(await server.browser().call(signIn.register, person)).toMatchObject({ ok: true })
    const almost = { username: person.email, password: `${person.password.slice(0, -1)}!` }
    expect(await server.browser().call(signIn.login, almost)).toMatchObject({
      problem: { code: 'invalid_credentials' },
    })
    const exactly = { username: person.email, password: person.password }
    expect(await server.browser().call(signIn.login, exactly)).toMatchObject({ ok: true })
  })

  test('is the same in any Unicode normalization form', async () => {
    const person = { email: 'kombinirana@example.com', password: 'šumeče žito 42' }
    await server.browser().call(signIn.register, { ...person, password: person.password.normalize('NFD') })
    const login = { username: person.email, password: person.password.normalize('NFC') }
    expect(await server.browser().call(signIn.login, login)).toMatchObject({ ok: true })
  })
})

describe('changing the password (api §3.5)', () => {
  test('clears a pending address; the current one can still be confirmed', async () => {
    const ana = await registerUser(server)
    const own = await mailedToken(server, ana.email)
    const bor = await registerUser(server)
    await bor.call(account.updateAccount, { email: `not-${bor.email}` })
    const moving = await mailedToken(server, `not-${bor.email}`)
    for (const one of [ana, bor]) {
      const changed = await one.call(security.changePassword, { current_password: one.password, new_password: NEW })
      expect(changed).toMatchObject({ ok: true })
    }
    expect(await server.browser().call(security.verifyEmail, { token: moving })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    expect(await bor.call(account.getAccount)).toMatchObject({ data: { email: bor.email, pending_email: null } })
    expect(await server.browser().call(security.verifyEmail, { token: own })).toMatchObject({ ok: true })
  })

  test('voids copies of the former cookies and keeps the browser signed in', async () => {
    const ana = await registerUser(server)
    const copy = tabOf(server, ana)
    const new_password = 'sonce-nad-zalivom-9'
    expect(await ana.call(security.changePassword, { current_password: ana.password, new_password })).toMatchObject({
      ok: true,
    })
    expect(await copy.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await copy.call(sessions.refresh, {})).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await ana.call(sessions.refresh, {})).toMatchObject({ ok: true })
  })

  test('ends other sessions, mails the user, and accepts the new password only', async () => {
    const ana = await registerUser(server)
    const phone = await signInAgain(server, ana)
    server.clock.advance(60)
    expect(
      await ana.call(security.changePassword, { current_password: ana.password, new_password: NEW }),
    ).toMatchObject({
      ok: true,
    })
    expect(await phone.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await phone.call(sessions.refresh)).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({
      data: { password_updated_at: server.clock.now().toISOString() },
    })
    expect(await ana.call(activity.listActivity, { type: 'CHANGED_PASSWORD' })).toMatchObject({
      data: [{ type: 'CHANGED_PASSWORD' }],
    })
    const letter = (await mailsTo(server, ana.email)).at(-1)
    expect(letter?.link).toBe('http://localhost:3000/login')

    const visitor = server.browser()
    expect(await visitor.call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject({
      ok: false,
    })
    expect(await visitor.call(signIn.login, { username: ana.email, password: NEW })).toMatchObject({ ok: true })
  })

  test.each([
    ['a wrong current one', { current_password: 'napacno geslo', new_password: NEW }, 'invalid_password'],
    ['one too short', { new_password: 'kratko' }, 'password_too_short'],
    ['a known one', { new_password: 'passwordpassword' }, 'password_breached'],
    ['one of a thousand characters', { new_password: 'x'.repeat(1000) }, 'invalid_request'],
  ])('refuses %s and changes nothing', async (_, input, code) => {
    const ana = await registerUser(server)
    const phone = await signInAgain(server, ana)
    const answer = await ana.call(security.changePassword, { current_password: ana.password, ...input })
    expect(answer).toMatchObject({ http: 400, problem: { code } })
    expect(await phone.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await signInAgain(server, ana)).toBeDefined()
  })

  test('throttles guesses of the current password (security §6.1.1)', async () => {
    const ana = await registerUser(server)
    const guess = () => ana.call(security.changePassword, { current_password: 'napacno geslo', new_password: NEW })
    for (let i = 0; i < 10; i += 1) expect(await guess()).toMatchObject({ problem: { code: 'invalid_password' } })
    expect(await guess()).toMatchObject({ http: 429, problem: { code: 'too_many_requests' } })
    // The counter is separate from sign-in: the user can still sign in.
    expect(await signInAgain(server, ana)).toBeDefined()
  })

  test('accepts one of several concurrent changes', async () => {
    const ana = await registerUser(server)
    server.clock.advance(1)
    const wishes = ['prva-gora-od-vseh', 'druga-gora-od-vseh', 'tretja-gora-od-vseh']
    const answers = await Promise.all(
      wishes.map((new_password) => ana.call(security.changePassword, { current_password: ana.password, new_password })),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const chosen = wishes[answers.findIndex(({ ok }) => ok)] ?? ''
    expect(await signInAgain(server, { ...ana, password: chosen })).toBeDefined()
  })
})
