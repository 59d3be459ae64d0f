import { account, activity, auth } from '@vrata/contract'
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

const NEW = 'drugacna-gora-17'
const invalid = { http: 400, problem: { code: 'invalid_token' } }

async function linkFor(email: string): Promise<string> {
  await house.visitor().call(auth.forgotPassword, { email })
  return await mailedToken(house, email)
}

describe('api §2 a forgotten password', () => {
  test('is answered alike for every address, and only an account’s gets a mail', async () => {
    const ana = await newcomer(house)
    const before = (await house.outbox()).length
    const known = await house.visitor().call(auth.forgotPassword, { email: ana.email })
    const unknown = await house.visitor().call(auth.forgotPassword, { email: 'nikogar@example.com' })
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ ok: true, http: 200, data: {} })
    const letters = (await house.outbox()).slice(before)
    expect(letters.map(({ to }) => to)).toEqual([ana.email])
    expect(letters[0]?.link).toMatch(/^http:\/\/localhost:3000\/change-password\/[\w-]{43}$/)
  })

  test('security 6.3.8 does the same work for both before it answers: it leaves a job behind', async () => {
    const jobs = () => house.store.read.selectFrom('jobs').select('kind').execute()
    const tokens = () => house.store.read.selectFrom('one_time_tokens').select('token_hash').execute()
    const ana = await newcomer(house)
    const [jobsBefore, tokensBefore] = [await jobs(), await tokens()]
    await house.visitor().call(auth.forgotPassword, { email: ana.email })
    await house.visitor().call(auth.forgotPassword, { email: 'nikogar@example.com' })
    expect((await jobs()).length - jobsBefore.length).toBe(2)
    expect(await tokens()).toHaveLength(tokensBefore.length)
  })

  test('its link shows whose it is, masked, and looking uses nothing up', async () => {
    const ana = await newcomer(house)
    const token = await linkFor(ana.email)
    for (let i = 0; i < 3; i += 1) {
      expect(await house.visitor().call(auth.checkPasswordLink, { token })).toMatchObject({
        data: { email: 'n•••@example.com' },
      })
    }
    expect(await house.visitor().call(auth.checkPasswordLink, { token: 'a'.repeat(43) })).toMatchObject(invalid)
  })

  test('setting the new one ends every session, signs nobody in and tells the owner', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    const visitor = house.visitor()
    const token = await linkFor(ana.email)
    expect(await visitor.call(auth.resetPassword, { token, new_password: NEW })).toMatchObject({ ok: true })
    expect(visitor.cookies.size).toBe(0)
    for (const browser of [ana, phone]) {
      expect(await browser.call(account.getAccount)).toMatchObject({ http: 401 })
      expect(await browser.call(auth.refresh)).toMatchObject({ http: 401 })
    }
    const login = { username: ana.email, password: ana.password }
    expect(await visitor.call(auth.login, login)).toMatchObject({ problem: { code: 'invalid_credentials' } })
    const again = await elsewhere(house, { ...ana, password: NEW })
    expect(await again.call(activity.listActivity, { type: 'CHANGED_PASSWORD' })).toMatchObject({
      data: [{ type: 'CHANGED_PASSWORD' }],
    })
    const told = (await lettersTo(house, ana.email)).filter(({ subject }) => subject === 'Your password was changed')
    expect(told).toMatchObject([{ link: 'http://localhost:3000/login' }])
    expect(await visitor.call(auth.resetPassword, { token, new_password: 'se-ena-gora-18' })).toMatchObject(invalid)
  })

  test('an address that somebody wanted to move the account to does not get it afterwards', async () => {
    const ana = await newcomer(house)
    const thief = `not-${ana.email}`
    expect(await ana.call(account.updateAccount, { email: thief })).toMatchObject({ ok: true })
    const moving = await mailedToken(house, thief)
    await house.visitor().call(auth.resetPassword, { token: await linkFor(ana.email), new_password: NEW })
    expect(await house.visitor().call(account.verifyEmail, { token: moving })).toMatchObject(invalid)
    const again = await elsewhere(house, { ...ana, password: NEW })
    expect(await again.call(account.getAccount)).toMatchObject({ data: { email: ana.email, pending_email: null } })
  })

  test('of 50 uses of one link at the same time, one counts', async () => {
    const ana = await newcomer(house)
    const token = await linkFor(ana.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        house.visitor().call(auth.resetPassword, { token, new_password: `drugacna-gora-${i}-visoka` }),
      ),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((one) => !one.ok && one.problem.code === 'invalid_token')).toHaveLength(49)
    const password = `drugacna-gora-${answers.findIndex(({ ok }) => ok)}-visoka`
    expect(await elsewhere(house, { ...ana, password })).toBeDefined()
    const changes = await house.store.read
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
    const ana = await newcomer(house)
    const token = await linkFor(ana.email)
    const answer = await house.visitor().call(auth.resetPassword, { token, new_password })
    expect(answer).toMatchObject({ http: 400, problem: { code } })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await house.visitor().call(auth.resetPassword, { token, new_password: NEW })).toMatchObject({ ok: true })
  })

  test('works for half an hour', async () => {
    const ana = await newcomer(house)
    const token = await linkFor(ana.email)
    house.clock.advance(30 * 60)
    expect(await house.visitor().call(auth.checkPasswordLink, { token })).toMatchObject(invalid)
    expect(await house.visitor().call(auth.resetPassword, { token, new_password: NEW })).toMatchObject(invalid)
  })

  test('only the last link opens, and a changed password voids it', async () => {
    const ana = await newcomer(house)
    const first = await linkFor(ana.email)
    const second = await linkFor(ana.email)
    expect(await house.visitor().call(auth.checkPasswordLink, { token: first })).toMatchObject(invalid)
    await ana.call(account.setPassword, { current_password: ana.password, new_password: NEW })
    expect(await house.visitor().call(auth.checkPasswordLink, { token: second })).toMatchObject(invalid)
  })

  test('a link to confirm an address sets no password', async () => {
    const ana = await newcomer(house)
    const token = await mailedToken(house, ana.email)
    expect(await house.visitor().call(auth.resetPassword, { token, new_password: NEW })).toMatchObject(invalid)
  })

  test('mails at most five an hour, and says nothing of it', async () => {
    const ana = await newcomer(house)
    const before = (await house.outbox()).length
    for (let i = 0; i < 7; i += 1) {
      expect(await house.visitor({ ip: `10.8.${i}.1` }).call(auth.forgotPassword, { email: ana.email })).toMatchObject({
        ok: true,
      })
    }
    expect((await house.outbox()).slice(before)).toHaveLength(5)
  })
})
