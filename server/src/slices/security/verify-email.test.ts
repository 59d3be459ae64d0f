import { account, activity, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { lettersTo, mailedToken, newcomer } from '../../../test/newcomer.ts'

// Many passwords are hashed here, one after the other on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const DAY = 24 * 60 * 60
const HOUR = 60 * 60
const invalid = { http: 400, problem: { code: 'invalid_token' } }

describe('§2 confirming the address', () => {
  test('works once, signed in or not', async () => {
    const ana = await newcomer(house)
    const token = await mailedToken(house, ana.email)
    const visitor = house.visitor()
    expect(await visitor.call(account.verifyEmail, { token })).toMatchObject({ ok: true, data: { email: ana.email } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email_verified: true } })
    expect(await visitor.call(account.verifyEmail, { token })).toMatchObject(invalid)
    // It confirms; it does not sign in.
    expect(await visitor.call(account.getAccount)).toMatchObject({ http: 401 })
  })

  test('security 2.3.1 counts once among 50 at the same time', async () => {
    const ana = await newcomer(house)
    const token = await mailedToken(house, ana.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => house.visitor().call(account.verifyEmail, { token })),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'invalid_token')).toHaveLength(49)
  })

  test('works for a day', async () => {
    const ana = await newcomer(house)
    const token = await mailedToken(house, ana.email)
    house.clock.advance(DAY)
    expect(await ana.call(account.verifyEmail, { token })).toMatchObject(invalid)
  })

  test.each(['x', 'a'.repeat(43), `${'a'.repeat(40)}'--`])(
    'a token that nobody made opens nothing: %s',
    async (token) => {
      expect(await house.visitor().call(account.verifyEmail, { token })).toMatchObject(invalid)
    },
  )

  test('the table knows the token by its hash only, and the mail waits sealed', async () => {
    const ana = await newcomer(house)
    const jobs = await house.store.db.selectFrom('jobs').select('payload').execute()
    const token = await mailedToken(house, ana.email)
    const rows = await house.store.db.selectFrom('one_time_tokens').selectAll().execute()
    expect(JSON.stringify([jobs, rows])).not.toContain(token)
  })
})

describe('api §3 sending it again', () => {
  test('voids the link before it', async () => {
    const ana = await newcomer(house)
    const first = await mailedToken(house, ana.email)
    expect(await ana.call(account.resendVerification)).toMatchObject({ ok: true })
    const second = await mailedToken(house, ana.email)
    expect(await ana.call(account.verifyEmail, { token: first })).toMatchObject(invalid)
    expect(await ana.call(account.verifyEmail, { token: second })).toMatchObject({ ok: true })
  })

  test('goes to the address that waits, if there is one', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { email: `next-${ana.email}` })
    await ana.call(account.resendVerification)
    expect(await lettersTo(house, `next-${ana.email}`)).toHaveLength(2)
  })

  test('has nothing to send when all is confirmed', async () => {
    const ana = await newcomer(house)
    await ana.call(account.verifyEmail, { token: await mailedToken(house, ana.email) })
    expect(await ana.call(account.resendVerification)).toMatchObject({
      http: 409,
      problem: { code: 'already_confirmed' },
    })
  })

  test('is bounded, so that nobody’s mailbox is flooded', async () => {
    const ana = await newcomer(house)
    // The one of the registration counts, too.
    for (let i = 0; i < 4; i += 1) expect(await ana.call(account.resendVerification)).toMatchObject({ ok: true })
    expect(await ana.call(account.resendVerification)).toMatchObject({ http: 429, retry_after: 3600 })
    house.clock.advance(HOUR)
    await ana.call(auth.refresh)
    expect(await ana.call(account.resendVerification)).toMatchObject({ ok: true })
  })
})

describe('§4 confirming a new address', () => {
  test('makes it the account’s, and the old one is told', async () => {
    const ana = await newcomer(house)
    const next = `next-${ana.email}`
    await ana.call(account.updateAccount, { email: next })
    const token = await mailedToken(house, next)
    expect(await house.visitor().call(account.verifyEmail, { token })).toMatchObject({ data: { email: next } })
    expect(await ana.call(account.getAccount)).toMatchObject({
      data: { email: next, pending_email: null, email_verified: true },
    })
    expect(await ana.call(activity.listActivity, { type: 'CHANGED_EMAIL' })).toMatchObject({
      data: [{ type: 'CHANGED_EMAIL' }],
    })
    const letter = (await lettersTo(house, ana.email)).at(-1)
    expect(letter?.text).toContain('n•••@example.com')
    expect(letter?.text).not.toContain(next)
    // What was mailed to the old address opens nothing any more.
    const login = { username: next, password: ana.password }
    expect(await house.visitor().call(auth.login, login)).toMatchObject({ ok: true })
  })

  test('is too late when somebody else has it by then', async () => {
    const ana = await newcomer(house)
    const wanted = `wanted-${ana.email}`
    await ana.call(account.updateAccount, { email: wanted })
    const token = await mailedToken(house, wanted)
    await house.visitor().call(auth.register, { email: wanted, password: 'kamen-na-kamen-palaca' })
    const answer = await ana.call(account.verifyEmail, { token })
    expect(answer).toMatchObject({ http: 409, problem: { code: 'email_exists' } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email: ana.email } })
  })

  test('a link to set a password that went to the old address is void', async () => {
    const ana = await newcomer(house)
    await house.visitor().call(auth.forgotPassword, { email: ana.email })
    const reset = await mailedToken(house, ana.email)
    await ana.call(account.updateAccount, { email: `next-${ana.email}` })
    await ana.call(account.verifyEmail, { token: await mailedToken(house, `next-${ana.email}`) })
    expect(await house.visitor().call(auth.checkPasswordLink, { token: reset })).toMatchObject(invalid)
    const answer = await house.visitor().call(auth.resetPassword, { token: reset, new_password: 'drugacna-gora-17' })
    expect(answer).toMatchObject(invalid)
  })

  test('a link of another kind confirms nothing', async () => {
    const ana = await newcomer(house)
    await house.visitor().call(auth.forgotPassword, { email: ana.email })
    const reset = await mailedToken(house, ana.email)
    expect(await ana.call(account.verifyEmail, { token: reset })).toMatchObject(invalid)
    expect(await ana.call(auth.checkPasswordLink, { token: reset })).toMatchObject({ ok: true })
  })
})
