import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, mailedToken, type Newcomer, newcomer } from '../../../test/newcomer.ts'
import { prune } from '../security/door.ts'

// Many passwords are hashed here, one after the other on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const wrong = { http: 400, problem: { code: 'invalid_credentials' } }
const DAY = 24 * 60 * 60

/** Each time from another network: addresses are cheap. */
let networks = 0
function stranger() {
  networks += 1
  return house.visitor({ ip: `10.${100 + (networks >> 8)}.${networks & 255}.1` })
}
const guess = (username: string, password = 'napacno geslo') => stranger().call(auth.login, { username, password })

async function guessOften(username: string, times: number) {
  for (let i = 0; i < times; i += 1) expect(await guess(username)).toMatchObject(wrong)
}

describe('security 6.1.1 guessing', () => {
  test('ten wrong passwords are free, then the wait doubles; meanwhile the right one does not open either', async () => {
    const ana = await newcomer(house)
    await guessOften(ana.email, 10)
    for (const wait of [1, 2, 4, 8]) {
      expect(await guess(ana.email)).toMatchObject({
        http: 429,
        retry_after: wait,
        problem: { params: { seconds: wait } },
      })
      expect(await guess(ana.email, ana.password)).toMatchObject({ http: 429 })
      house.clock.advance(wait)
      expect(await guess(ana.email)).toMatchObject(wrong)
    }
    house.clock.advance(16)
    expect(await guess(ana.email, ana.password)).toMatchObject({ ok: true })
    // And the count begins anew.
    await guessOften(ana.email, 10)
  })

  test('is counted for the account, by whatever name it is called', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { username: 'Prezrta' })
    await guessOften(ana.email, 5)
    await guessOften('PREZRTA', 5)
    expect(await guess(ana.email)).toMatchObject({ http: 429 })
    expect(await guess('prezrta')).toMatchObject({ http: 429 })
  })

  test('a name that nobody has is held up alike', async () => {
    await guessOften('Nikogar@example.com', 10)
    expect(await guess('nikogar@example.com')).toMatchObject({ http: 429, retry_after: 1 })
  })

  test('many at once learn no more than one after the other', async () => {
    const ana = await newcomer(house)
    const guesses = Array.from({ length: 40 }, (_, i) => guess(ana.email, i === 39 ? ana.password : `napacno ${i}`))
    const answers = await Promise.all(guesses)
    const told = answers.filter((one) => !one.ok && one.problem.code === 'invalid_credentials').length
    const opened = answers.filter(({ ok }) => ok).length
    expect(answers.filter(({ http }) => http === 429)).toHaveLength(40 - told - opened)
    // The right one came last, and begins the count anew if it was looked at before ten others were.
    if (opened) expect(told).toBeLessThan(20)
    else expect(told).toBe(10)
  })

  test('strangers cannot lock a person out of the browser they use', async () => {
    const ana = await newcomer(house)
    await ana.call(auth.logout)
    await guessOften(ana.email, 10)
    expect(await guess(ana.email)).toMatchObject({ http: 429 })
    expect(await ana.call(auth.login, { username: ana.email, password: ana.password })).toMatchObject({ ok: true })
  })

  test('a browser that is known has a bound of its own', async () => {
    const ana = await newcomer(house)
    const login = (password: string) => ana.call(auth.login, { username: ana.email, password })
    for (let i = 0; i < 10; i += 1) expect(await login('napacno geslo')).toMatchObject(wrong)
    expect(await login(ana.password)).toMatchObject({ http: 429 })
    // It is somebody else's bound, and it is known to this account only.
    expect(await guess(ana.email, ana.password)).toMatchObject({ ok: true })
    const bor = await newcomer(house)
    expect(await ana.call(auth.login, { username: bor.email, password: bor.password })).toMatchObject({ ok: true })
  })

  test('after a hundred in a row only a new password helps, however long one waits', async () => {
    const ana = await newcomer(house)
    await fail(ana, 99)
    expect(await guess(ana.email)).toMatchObject(wrong)
    house.clock.advance(400 * DAY)
    await prune({ db: house.store.db, clock: house.clock }, 1000)
    expect(await guess(ana.email, ana.password)).toMatchObject({ http: 429, retry_after: 900 })
    await stranger().call(auth.forgotPassword, { email: ana.email })
    const token = await mailedToken(house, ana.email)
    await stranger().call(auth.resetPassword, { token, new_password: 'drugacna-gora-17' })
    expect(await elsewhere(house, { ...ana, password: 'drugacna-gora-17' })).toBeDefined()
  })

  /** As if somebody had waited every time. */
  async function fail({ email, user }: Newcomer, times: number) {
    await guess(email)
    await house.store.db
      .updateTable('throttles')
      .set({ failures: times, blocked_until: null })
      .where('key', '=', `user:${user.id}`)
      .execute()
  }
})

test('security 14.2.7 used links and the counters of names that nobody has are deleted in time', async () => {
  const ana = await newcomer(house)
  await guess('davno-pozabljen@example.com')
  const deps = { db: house.store.db, clock: house.clock }
  house.clock.advance(31 * DAY)
  while ((await prune(deps, 2)) > 0);
  const left = await house.store.read.selectFrom('throttles').select('key').execute()
  expect(left.filter(({ key }) => !key.startsWith('user:'))).toEqual([])
  const links = await house.store.read.selectFrom('one_time_tokens').select('email').execute()
  expect(links.filter(({ email }) => email === ana.email)).toEqual([])
})
