import { hash } from '@node-rs/argon2'
import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, mailedToken, newcomer } from '../../../test/newcomer.ts'

// Many passwords are hashed here, one after the other on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const wrong = { http: 400, problem: { code: 'invalid_credentials' } }

async function disable(email: string) {
  await house.store.db
    .updateTable('users')
    .set({ disabled_at: house.clock.now().toISOString() })
    .where('email', '=', email)
    .execute()
}

describe('api §2 registering', () => {
  test('signs in, and mails a link in the account’s language', async () => {
    const browser = house.visitor({ language: 'hr' })
    const person = { email: ' Iva.Anic@Example.com ', password: 'burja-nad-krasom-3', first_name: 'Iva' }
    const answer = await browser.call(auth.register, person)
    expect(answer).toMatchObject({
      http: 201,
      data: { email: 'iva.anic@example.com', email_verified: false, first_name: 'Iva', language: ['hr-HR'] },
    })
    expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
    const letter = (await lettersTo(house, 'iva.anic@example.com')).at(-1)
    expect(letter?.link).toMatch(/^http:\/\/localhost:3000\/confirm-email\/[\w-]{43}$/)
    expect(letter?.subject).toMatch(/Potvrdi/)
  })

  test('an address belongs to one account, also among many at once', async () => {
    const person = { email: 'hkrati@example.com', password: 'burja-nad-krasom-3' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => house.visitor({ ip: `10.3.${i}.1` }).call(auth.register, person)),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'email_exists' && one.http === 409)).toHaveLength(7)
    expect(await lettersTo(house, person.email)).toHaveLength(1)
  })

  test.each([
    ['a short password', { password: 'kratko' }, 'password_too_short'],
    ['a known password', { password: 'passwordpassword' }, 'password_breached'],
    ['their address as the password', { password: 'nihce@example' }, 'password_breached'],
    ['what is no address', { email: 'nihce' }, 'invalid_request'],
    ['a field that nobody knows', { role: 'owner' }, 'invalid_request'],
  ])('refuses %s, and no account is made', async (_, input, code) => {
    const browser = house.visitor()
    const person = { email: 'nihce@example.com', password: 'burja-nad-krasom-3', ...input }
    expect(await browser.call(auth.register, person)).toMatchObject({ http: 400, problem: { code } })
    expect(browser.cookies.size).toBe(0)
    const row = await house.store.read
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'nihce@example.com')
      .execute()
    expect(row).toEqual([])
  })
})

describe('api §2 signing in', () => {
  test('takes the address or the user name, whatever their case', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { username: 'Prijava' })
    for (const username of [ana.email, ana.email.toUpperCase(), 'Prijava', 'pRIJAVA', ` ${ana.email} `]) {
      const answer = await house.visitor().call(auth.login, { username, password: ana.password })
      expect(answer).toMatchObject({ ok: true, data: { next: 'done', user: { id: ana.user.id } } })
    }
  })

  test('security 6.3.8 an unknown name is answered like a wrong password, and hashed like one', async () => {
    const ana = await newcomer(house)
    const browser = house.visitor()
    const { passwords } = house.deps
    const hashing = [vi.spyOn(passwords, 'verify'), vi.spyOn(passwords, 'verifyNothing')]
    const known = await browser.call(auth.login, { username: ana.email, password: 'napacno geslo' })
    const unknown = await browser.call(auth.login, { username: 'nikogar@example.com', password: 'napacno geslo' })
    expect(hashing.map((spy) => spy.mock.calls.length)).toEqual([1, 1])
    for (const spy of hashing) spy.mockRestore()
    expect(known).toMatchObject(wrong)
    const sentence = (answer: typeof known) => !answer.ok && { ...answer.problem, request_id: '' }
    expect(sentence(unknown)).toEqual(sentence(known))
    expect(browser.cookies.size).toBe(0)
  })

  test('a disabled account says so to whoever knows the password, and to nobody else', async () => {
    const ana = await newcomer(house)
    await disable(ana.email)
    const visitor = house.visitor()
    expect(await visitor.call(auth.login, { username: ana.email, password: 'napacno geslo' })).toMatchObject(wrong)
    const answer = await visitor.call(auth.login, { username: ana.email, password: ana.password })
    expect(answer).toMatchObject({ http: 403, problem: { code: 'account_disabled' } })
    // Sessions that it had are refused at the next request.
    expect(await ana.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await ana.call(auth.refresh)).toMatchObject({ http: 401 })
  })

  test('a password that is changed while it is being verified opens nothing any more', async () => {
    const ana = await newcomer(house)
    const { passwords } = house.deps
    const { verify } = passwords
    const spy = vi.spyOn(passwords, 'verify').mockImplementationOnce(async (stored, password) => {
      const right = await verify(stored, password)
      await ana.call(account.setPassword, { current_password: ana.password, new_password: 'drugacna-gora-17' })
      return right
    })
    const visitor = house.visitor()
    expect(await visitor.call(auth.login, { username: ana.email, password: ana.password })).toMatchObject(wrong)
    expect(visitor.cookies.size).toBe(0)
    spy.mockRestore()
  })

  test('hashes again what was hashed with weaker settings; no date moves', async () => {
    const ana = await newcomer(house)
    const users = () =>
      house.store.db
        .selectFrom('users')
        .select(['password_hash', 'updated_at'])
        .where('id', '=', ana.user.id)
        .executeTakeFirstOrThrow()
    const old = await hash(ana.password, { memoryCost: 4096, timeCost: 1, parallelism: 1 })
    await house.store.db.updateTable('users').set({ password_hash: old }).where('id', '=', ana.user.id).execute()
    house.clock.advance(60)
    await elsewhere(house, ana)
    const row = await users()
    expect(row.password_hash).toContain('m=19456,t=2,p=1')
    expect(row.updated_at).toBe(ana.user.created_at)
    await elsewhere(house, ana)
  })

  test('ASVS 7.2.4 in a browser that is signed in: the session goes on under a new name, the old cookie is worth nothing', async () => {
    const ana = await newcomer(house)
    const before = new Map(ana.cookies)
    const again = await ana.call(auth.login, { username: ana.email, password: ana.password })
    expect(again).toMatchObject({ data: { user: { session_id: ana.user.session_id } } })
    for (const name of ['vrata_sid', 'vrata_access']) expect(ana.cookies.get(name)).not.toBe(before.get(name))
    const thief = house.visitor()
    for (const [name, value] of before) thief.cookies.set(name, value)
    expect(await thief.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await thief.call(auth.refresh)).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('of somebody else in the same browser ends the session that was there', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const before = new Map(ana.cookies)
    await ana.call(auth.login, { username: bor.email, password: bor.password })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { id: bor.user.id } })
    const leftOver = house.visitor()
    for (const [name, value] of before) leftOver.cookies.set(name, value)
    expect(await leftOver.call(auth.refresh)).toMatchObject({ http: 401 })
  })

  test('api §1 is refused from a foreign page', async () => {
    const ana = await newcomer(house)
    const answer = await house.visitor().request({
      method: 'POST',
      url: '/v1/auth/login',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      payload: JSON.stringify({ username: ana.email, password: ana.password }),
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: { code: 'cross_site' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('security 3.3 its cookies cannot be read by script or sent from other sites, and are marked for https', async () => {
    const safe = await openHouse({ VRATA_URL: 'https://accounts.example.com' })
    const answer = await safe.visitor().request({
      method: 'POST',
      url: '/v1/auth/register',
      headers: { origin: 'https://accounts.example.com', 'content-type': 'application/json' },
      payload: JSON.stringify({ email: 'varna@example.com', password: 'burja-nad-krasom-3' }),
    })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
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

  test('no secret of it stands in the database or in the log', async () => {
    const ana = await newcomer(house)
    const token = await mailedToken(house, ana.email)
    const tables = ['users', 'sessions', 'known_devices', 'throttles', 'one_time_tokens', 'activities', 'jobs'] as const
    const rows = await Promise.all(tables.map((table) => house.store.read.selectFrom(table).selectAll().execute()))
    const written = JSON.stringify(rows) + house.logged()
    for (const secret of [ana.password, token, ...ana.cookies.values()]) expect(written).not.toContain(secret)
  })
})
