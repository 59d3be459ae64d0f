import { setTimeout } from 'node:timers/promises'
import { account, privacy, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mailedToken,
  type RegisteredUser,
  registerConfirmedUser,
  registerUser,
  signInAgain,
} from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { findUserForUpdate } from '../account/public.ts'
import { prune } from '../security/public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const wrong = { http: 400, problem: { code: 'invalid_credentials' } }
const DAY = 24 * 60 * 60

/** Each request comes from another network. */
let networks = 0
function stranger() {
  networks += 1
  return server.browser({ ip: `10.${100 + (networks >> 8)}.${networks & 255}.1` })
}
const guess = (username: string, password = 'napacno geslo') => stranger().call(signIn.login, { username, password })

async function guessOften(username: string, times: number) {
  for (let i = 0; i < times; i += 1) expect(await guess(username)).toMatchObject(wrong)
}

describe('password throttling (security §6.1.1)', () => {
  test.each(['login', 'changePassword', 'deleteAccount'] as const)(
    'are forgotten by a change of the account that does not wait for a right one: %s',
    async (name) => {
      const ana = await registerConfirmedUser(server)
      expect(await guess(ana.email)).toMatchObject(wrong)
      expect(await ana.call(sessions.reauthenticate, { password: 'napacno geslo' })).toMatchObject({ ok: false })
      const { password } = ana
      const calls = {
        login: () => guess(ana.email, password),
        changePassword: () =>
          ana.call(security.changePassword, { current_password: password, new_password: 'sonce-nad-zalivom-9' }),
        deleteAccount: () => ana.call(privacy.deleteAccount, { password }),
      }
      const locked = Promise.withResolvers<void>()
      const answer = locked.promise.then((): Promise<{ ok: boolean }> => calls[name]())
      await server.deps.transaction(async (deps) => {
        await findUserForUpdate(deps.db, ana.user.id)
        locked.resolve()
        await setTimeout(500)
        await deps.revoke('account_unlocked', { user_id: ana.user.id })
      })
      expect(await answer).toMatchObject({ ok: true })
      expect(server.deadlocks()).toEqual([])
    },
  )

  test('allows ten wrong passwords, then doubles the delay, also for the correct one', async () => {
    const ana = await registerUser(server)
    await guessOften(ana.email, 10)
    for (const wait of [1, 2, 4, 8]) {
      expect(await guess(ana.email)).toMatchObject({
        http: 429,
        retry_after: wait,
        problem: { params: { seconds: wait } },
      })
      expect(await guess(ana.email, ana.password)).toMatchObject({ http: 429 })
      server.clock.advance(wait)
      expect(await guess(ana.email)).toMatchObject(wrong)
    }
    server.clock.advance(16)
    expect(await guess(ana.email, ana.password)).toMatchObject({ ok: true })
    // The counter is reset.
    await guessOften(ana.email, 10)
  })

  test('counts user name and address together', async () => {
    const ana = await registerUser(server)
    await ana.call(account.updateAccount, { username: 'Prezrta' })
    await guessOften(ana.email, 5)
    await guessOften('PREZRTA', 5)
    expect(await guess(ana.email)).toMatchObject({ http: 429 })
    expect(await guess('prezrta')).toMatchObject({ http: 429 })
  })

  test('throttles an unknown name alike', async () => {
    await guessOften('Nikogar@example.com', 10)
    expect(await guess('nikogar@example.com')).toMatchObject({ http: 429, retry_after: 1 })
  })

  test('counts all spellings of an unknown address together, like those of an account', async () => {
    const [composed, decomposed] = ['\u017eiga@example.com', 'z\u030ciga@example.com']
    await guessOften(composed, 5)
    await guessOften(decomposed, 5)
    for (const spelling of [composed, decomposed]) expect(await guess(spelling)).toMatchObject({ http: 429 })
  })

  test('limits concurrent guesses like sequential ones', async () => {
    const ana = await registerUser(server)
    const guesses = Array.from({ length: 40 }, (_, i) => guess(ana.email, i === 39 ? ana.password : `napacno ${i}`))
    const answers = await Promise.all(guesses)
    const wrongPasswords = answers.filter((one) => !one.ok && one.problem.code === 'invalid_credentials').length
    const opened = answers.filter(({ ok }) => ok).length
    expect(answers.filter(({ http }) => http === 429)).toHaveLength(40 - wrongPasswords - opened)
    // The correct password comes last and resets the counter if it is verified before ten others.
    if (opened) expect(wrongPasswords).toBeLessThan(20)
    else expect(wrongPasswords).toBe(10)
  })

  test('does not lock a known browser because of failures elsewhere', async () => {
    const ana = await registerUser(server)
    await ana.call(sessions.logout)
    await guessOften(ana.email, 10)
    expect(await guess(ana.email)).toMatchObject({ http: 429 })
    expect(await ana.call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject({ ok: true })
  })

  test('counts failures of a known browser separately', async () => {
    const ana = await registerUser(server)
    const login = (password: string) => ana.call(signIn.login, { username: ana.email, password })
    for (let i = 0; i < 10; i += 1) expect(await login('napacno geslo')).toMatchObject(wrong)
    expect(await login(ana.password)).toMatchObject({ http: 429 })
    // The browser is known to this account only.
    expect(await guess(ana.email, ana.password)).toMatchObject({ ok: true })
    const bor = await registerUser(server)
    expect(await ana.call(signIn.login, { username: bor.email, password: bor.password })).toMatchObject({ ok: true })
  })

  test('requires a new password after a hundred consecutive failures', async () => {
    const ana = await registerUser(server)
    await fail(ana, 99)
    expect(await guess(ana.email)).toMatchObject(wrong)
    server.clock.advance(400 * DAY)
    await prune({ db: server.store.db, clock: server.clock }, 1000)
    expect(await guess(ana.email, ana.password)).toMatchObject({ http: 429, retry_after: 900 })
    await stranger().call(signIn.forgotPassword, { email: ana.email })
    const token = await mailedToken(server, ana.email)
    await stranger().call(signIn.resetPassword, { token, new_password: 'drugacna-gora-17' })
    expect(await signInAgain(server, { ...ana, password: 'drugacna-gora-17' })).toBeDefined()
  })

  /** Simulates that the delay has passed each time. */
  async function fail({ email, user }: RegisteredUser, times: number) {
    await guess(email)
    await server.store.db
      .updateTable('throttles')
      .set({ failures: times, blocked_until: null })
      .where('key', '=', `user:${user.id}`)
      .execute()
  }
})

test('deletes consumed links and counters of unknown names (security §14.2.7)', async () => {
  const ana = await registerUser(server)
  await guess('davno-pozabljen@example.com')
  const deps = { db: server.store.db, clock: server.clock }
  server.clock.advance(31 * DAY)
  while ((await prune(deps, 2)) > 0);
  const left = await server.store.read.selectFrom('throttles').select('key').execute()
  expect(left.filter(({ key }) => !key.startsWith('user:'))).toEqual([])
  const links = await server.store.read.selectFrom('one_time_tokens').select('email').execute()
  expect(links.filter(({ email }) => email === ana.email)).toEqual([])
})
