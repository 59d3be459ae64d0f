import { hash } from '@node-rs/argon2'
import { account, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LOW_COST } from '../../../../testing/low-cost.ts'
import { mailedToken, mailsTo, registerUser, signInAgain, tabOf } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { makeHandle, partsOfHandle } from '../../db/compiled-queries/handle.ts'
import { CookieJar, cookieName } from '../../http/cookies.ts'
import { newToken } from '../../lib/ids.ts'
import { login } from './login.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const wrong = { http: 400, problem: { code: 'invalid_credentials' } }

async function disable(email: string) {
  await server.store.db
    .updateTable('users')
    .set({ disabled_at: server.clock.now().toISOString() })
    .where('email', '=', email)
    .execute()
}

describe('a sign-in', () => {
  test('sets the language of the pages to the first language of the account (api §1.5)', async () => {
    const person = await registerUser(server, { language: 'hr-HR' })
    const browser = await signInAgain(server, person, { language: 'sl' })
    expect(browser.cookies.get('language')).toBe('hr-HR')
  })
})

describe('registration (api §2.2)', () => {
  test('signs in and mails a link in the language of the account', async () => {
    const browser = server.browser({ language: 'hr' })
    const person = { email: ' Iva.Anic@Example.com ', password: 'burja-nad-krasom-3', first_name: 'Iva' }
    const answer = await browser.call(signIn.register, person)
    expect(answer).toMatchObject({
      http: 201,
      data: { email: 'iva.anic@example.com', email_verified: false, first_name: 'Iva', language: ['hr-HR'] },
    })
    expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
    const letter = (await mailsTo(server, 'iva.anic@example.com')).at(-1)
    expect(letter?.link).toMatch(/^http:\/\/localhost:3000\/confirm-email\/[\w-]{43}$/)
    expect(letter?.subject).toMatch(/Potvrdi/)
  })

  test('composes the letters of an address, so that no other account has one that looks the same', async () => {
    const password = 'burja-nad-krasom-3'
    const composed = '\u017eiva@example.com'
    const decomposed = composed.normalize('NFD')
    expect(decomposed).not.toBe(composed)
    const answer = await server.browser().call(signIn.register, { email: decomposed, password })
    expect(answer).toMatchObject({ http: 201, data: { email: composed } })
    const other = await server.browser().call(signIn.register, { email: composed, password })
    expect(other).toMatchObject({ http: 409, problem: { code: 'email_exists' } })
    for (const username of [composed, decomposed])
      expect(await server.browser().call(signIn.login, { username, password })).toMatchObject({ ok: true })
    for (const hidden of ['\u00ad', '\u034f', '\u3164', '\ufe0f', '\u{e0041}', '\u2800']) {
      const email = `\u017ei${hidden}va@example.com`
      expect(await server.browser().call(signIn.register, { email, password })).toMatchObject({
        http: 400,
        problem: { fields: { email: 'invalid_email' } },
      })
    }
  })

  test('creates one account per address under concurrent requests', async () => {
    const person = { email: 'hkrati@example.com', password: 'burja-nad-krasom-3' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => server.browser({ ip: `10.3.${i}.1` }).call(signIn.register, person)),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'email_exists' && one.http === 409)).toHaveLength(7)
    expect(await mailsTo(server, person.email)).toHaveLength(1)
  })

  test.each([
    ['a short password', { password: 'kratko' }, 'password_too_short'],
    ['a known password', { password: 'passwordpassword' }, 'password_breached'],
    ['their address as the password', { password: 'nihce@example.com' }, 'password_is_email'],
    ['most of their address as the password', { password: 'nihce@example' }, 'password_guessable'],
    ['what is no address', { email: 'nihce' }, 'invalid_request'],
    ['a field that nobody knows', { role: 'owner' }, 'invalid_request'],
  ])('refuses %s, and no account is made', async (_, input, code) => {
    const browser = server.browser()
    const person = { email: 'nihce@example.com', password: 'burja-nad-krasom-3', ...input }
    expect(await browser.call(signIn.register, person)).toMatchObject({ http: 400, problem: { code } })
    expect(browser.cookies.size).toBe(0)
    const row = await server.store.read
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'nihce@example.com')
      .execute()
    expect(row).toEqual([])
  })
})

describe('sign-in (api §2.2)', () => {
  test('accepts the address or the user name, ignoring case', async () => {
    const ana = await registerUser(server)
    await ana.call(account.updateAccount, { username: 'Prijava' })
    for (const username of [ana.email, ana.email.toUpperCase(), 'Prijava', 'pRIJAVA', ` ${ana.email} `]) {
      const answer = await server.browser().call(signIn.login, { username, password: ana.password })
      expect(answer).toMatchObject({ ok: true, data: { next: 'done', user: { id: ana.user.id } } })
    }
  })

  test('answers and hashes an unknown name like a wrong password (security §6.3.8)', async () => {
    const ana = await registerUser(server)
    const browser = server.browser()
    const { passwords } = server.deps
    const hashing = [vi.spyOn(passwords, 'verify'), vi.spyOn(passwords, 'verifyNothing')]
    const known = await browser.call(signIn.login, { username: ana.email, password: 'napacno geslo' })
    const unknown = await browser.call(signIn.login, { username: 'nikogar@example.com', password: 'napacno geslo' })
    expect(hashing.map((spy) => spy.mock.calls.length)).toEqual([1, 1])
    for (const spy of hashing) spy.mockRestore()
    expect(known).toMatchObject(wrong)
    const sentence = (answer: typeof known) => !answer.ok && { ...answer.problem, request_id: '' }
    expect(sentence(unknown)).toEqual(sentence(known))
    expect(browser.cookies.size).toBe(0)
  })

  test('reads the same for an unknown name, also in a browser with a device cookie (security §6.3.8)', async () => {
    const ana = await registerUser(server)
    const { engine, run } = partsOfHandle(server.deps.db)
    const readFor = async (username: string) => {
      const statements: string[] = []
      const db = makeHandle(engine, (query) => {
        // Settings are kept for a second, and then read again for every name.
        if (!query.sql.includes('from "settings"')) statements.push(query.sql)
        return run(query)
      })
      const cookies = new CookieJar(server.config, `${cookieName(server.config, 'device')}=${newToken()}`)
      const visitor = {
        request_id: 'request',
        ip: '10.200.1.1',
        os: null,
        browser: null,
        locale: 'en-US',
        cookies,
      } as const
      const refused = login({ ...server.deps, db }, visitor, { username, password: 'napacno geslo' })
      await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials' })
      return statements
    }
    expect(await readFor('nikogar@example.com')).toEqual(await readFor(ana.email))
  })

  test('reveals that an account is disabled only after the correct password', async () => {
    const ana = await registerUser(server)
    await disable(ana.email)
    const visitor = server.browser()
    expect(await visitor.call(signIn.login, { username: ana.email, password: 'napacno geslo' })).toMatchObject(wrong)
    const answer = await visitor.call(signIn.login, { username: ana.email, password: ana.password })
    expect(answer).toMatchObject({ http: 403, problem: { code: 'account_disabled' } })
    // Its sessions are rejected at the next request.
    expect(await ana.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await ana.call(sessions.refresh)).toMatchObject({ http: 401 })
  })

  test('rejects a password that is changed during verification', async () => {
    const ana = await registerUser(server)
    server.clock.advance(1)
    const { passwords } = server.deps
    const { verify } = passwords
    const spy = vi.spyOn(passwords, 'verify').mockImplementationOnce(async (stored, password) => {
      const right = await verify(stored, password)
      await ana.call(security.changePassword, { current_password: ana.password, new_password: 'drugacna-gora-17' })
      return right
    })
    const visitor = server.browser()
    expect(await visitor.call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject(wrong)
    expect(visitor.cookies.size).toBe(0)
    spy.mockRestore()
  })

  test('accepts a password that another sign-in rehashes during verification', async () => {
    const ana = await registerUser(server)
    const login = () => server.browser().call(signIn.login, { username: ana.email, password: ana.password })
    const change = () =>
      ana.call(security.changePassword, { current_password: ana.password, new_password: 'gora-17-druga' })
    for (const call of [login, change]) {
      const weak = await hash(ana.password, { memoryCost: 512, timeCost: 1, parallelism: 1 })
      await server.store.db.updateTable('users').set({ password_hash: weak }).where('id', '=', ana.user.id).execute()
      const { passwords } = server.deps
      const { verify } = passwords
      const spy = vi.spyOn(passwords, 'verify').mockImplementationOnce(async (stored, password) => {
        const right = await verify(stored, password)
        expect(await login()).toMatchObject({ ok: true })
        return right
      })
      expect(await call()).toMatchObject({ ok: true })
      spy.mockRestore()
    }
  })

  test('rehashes a password with weaker parameters without changing dates', async () => {
    const ana = await registerUser(server)
    const users = () =>
      server.store.db
        .selectFrom('users')
        .select(['password_hash', 'updated_at'])
        .where('id', '=', ana.user.id)
        .executeTakeFirstOrThrow()
    const old = await hash(ana.password, { memoryCost: 512, timeCost: 1, parallelism: 1 })
    await server.store.db.updateTable('users').set({ password_hash: old }).where('id', '=', ana.user.id).execute()
    server.clock.advance(60)
    await signInAgain(server, ana)
    const row = await users()
    expect(row.password_hash).toContain(`m=${LOW_COST.memoryCost},t=1,p=1`)
    expect(row.updated_at).toBe(ana.user.created_at)
    await signInAgain(server, ana)
  })

  test('continues the session of a signed-in browser with a new cookie and voids the old one (security §7.2.4)', async () => {
    const ana = await registerUser(server)
    const before = new Map(ana.cookies)
    const again = await ana.call(signIn.login, { username: ana.email, password: ana.password })
    expect(again).toMatchObject({ data: { user: { session_id: ana.user.session_id } } })
    for (const name of ['vrata_sid', 'vrata_access']) expect(ana.cookies.get(name)).not.toBe(before.get(name))
    const thief = server.browser()
    for (const [name, value] of before) thief.cookies.set(name, value)
    expect(await thief.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await thief.call(sessions.refresh)).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('is refused with the cookie before the last refresh, whose late answer would replace the new one', async () => {
    const ana = await registerUser(server)
    const { passwords } = server.deps
    const { verify } = passwords
    vi.spyOn(passwords, 'verify').mockImplementationOnce(async (...input) => {
      await tabOf(server, ana).call(sessions.refresh)
      return await verify(...input)
    })
    const answer = await ana.call(signIn.login, { username: ana.email, password: ana.password })
    expect(answer).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
  })

  test('ends the session of another user in the same browser', async () => {
    const ana = await registerUser(server)
    const bor = await registerUser(server)
    const before = new Map(ana.cookies)
    await ana.call(signIn.login, { username: bor.email, password: bor.password })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { id: bor.user.id } })
    const leftOver = server.browser()
    for (const [name, value] of before) leftOver.cookies.set(name, value)
    expect(await leftOver.call(sessions.refresh)).toMatchObject({ http: 401 })
  })

  test('rejects a request from another site (api §1.7)', async () => {
    const ana = await registerUser(server)
    const answer = await server.browser().request({
      method: 'POST',
      url: '/v1/auth/login',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      payload: JSON.stringify({ username: ana.email, password: ana.password }),
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: { code: 'cross_site' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('sets HttpOnly, SameSite and Secure cookies (security §3.3)', async () => {
    const safe = await startTestServer({ VRATA_URL: 'https://accounts.example.com' })
    const answer = await safe.browser().request({
      method: 'POST',
      url: '/v1/auth/register',
      headers: { origin: 'https://accounts.example.com', 'content-type': 'application/json' },
      payload: JSON.stringify({ email: 'varna@example.com', password: 'burja-nad-krasom-3' }),
    })
    const set = [answer.headers['set-cookie'] ?? []].flat()
    // Scripts read the language of the pages.
    const cookies = set.filter((cookie) => !cookie.startsWith('language='))
    expect(cookies).toHaveLength(3)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-vrata_\w+=/)
      expect(cookie).toMatch(/; Path=\//)
      expect(cookie).toMatch(/; HttpOnly/)
      expect(cookie).toMatch(/; Secure/)
      expect(cookie).toMatch(/; SameSite=Lax/)
    }
    await safe.close()
  })

  test('stores and logs no secret', async () => {
    const ana = await registerUser(server)
    const token = await mailedToken(server, ana.email)
    const tables = ['users', 'sessions', 'known_devices', 'throttles', 'one_time_tokens', 'activities', 'jobs'] as const
    const rows = await Promise.all(tables.map((table) => server.store.read.selectFrom(table).selectAll().execute()))
    const written = JSON.stringify(rows) + server.logged()
    ana.cookies.delete('language')
    for (const secret of [ana.password, token, ...ana.cookies.values()]) expect(written).not.toContain(secret)
  })
})
