import { account, activity, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, mailedToken, newcomer, tabOf } from '../../../test/newcomer.ts'
import { checkNewPassword } from './password.ts'

// Many passwords are hashed here, one after the other on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const NEW = 'drugacna-gora-17'

describe('§5 a password', () => {
  const owner = { email: 'ana.kovac@example.com', username: 'kraljica', first_name: 'Anastazija', last_name: 'Kovač' }
  const check = (password: string) => () => checkNewPassword(password, owner, 'new_password')

  test('has at least 12 characters, as a person counts them', () => {
    expect(check('gora-17-zima')).not.toThrow()
    expect(check('gora-17-zim')).toThrow(expect.objectContaining({ code: 'password_too_short', params: { min: 12 } }))
    // Eleven characters of two code units each, and eleven letters with a caron beside them.
    expect(check('🏔🚪🌉🌊🌲🔑🗻🏠🌙🌞🌈')).toThrow(expect.objectContaining({ code: 'password_too_short' }))
    expect(check('c\u030c'.repeat(11))).toThrow(expect.objectContaining({ code: 'password_too_short' }))
  })

  test.each(['passwordpassword', '123456789012', 'kraljica2024', 'Anastazija99', 'vrata1234567'])(
    'security 6.2 is not one that is guessed early: %s',
    (password) => {
      expect(check(password)).toThrow(expect.objectContaining({ code: 'password_breached' }))
    },
  )

  test('may have 256 characters, each of which counts', async () => {
    const long = `${'nekaj dolgega '.repeat(18)}tu`
    const person = { email: 'dolga@example.com', password: long.slice(0, 253) }
    expect(await house.visitor().call(auth.register, person)).toMatchObject({ ok: true })
    const almost = { username: person.email, password: `${person.password.slice(0, -1)}!` }
    expect(await house.visitor().call(auth.login, almost)).toMatchObject({ problem: { code: 'invalid_credentials' } })
    const exactly = { username: person.email, password: person.password }
    expect(await house.visitor().call(auth.login, exactly)).toMatchObject({ ok: true })
  })

  test('is the same however its letters were composed', async () => {
    const person = { email: 'kombinirana@example.com', password: 'šumeče žito 42' }
    await house.visitor().call(auth.register, { ...person, password: person.password.normalize('NFD') })
    const login = { username: person.email, password: person.password.normalize('NFC') }
    expect(await house.visitor().call(auth.login, login)).toMatchObject({ ok: true })
  })
})

describe('api §3 changing the password', () => {
  test('lets nobody finish a move to another address that the old one had begun; one’s own stays confirmable', async () => {
    const ana = await newcomer(house)
    const own = await mailedToken(house, ana.email)
    const bor = await newcomer(house)
    await bor.call(account.updateAccount, { email: `not-${bor.email}` })
    const moving = await mailedToken(house, `not-${bor.email}`)
    for (const one of [ana, bor]) {
      const changed = await one.call(account.setPassword, { current_password: one.password, new_password: NEW })
      expect(changed).toMatchObject({ ok: true })
    }
    expect(await house.visitor().call(account.verifyEmail, { token: moving })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    expect(await bor.call(account.getAccount)).toMatchObject({ data: { email: bor.email, pending_email: null } })
    expect(await house.visitor().call(account.verifyEmail, { token: own })).toMatchObject({ ok: true })
  })

  test('a copy of the cookies from before opens nothing any more, the browser itself stays signed in', async () => {
    const ana = await newcomer(house)
    const copy = tabOf(house, ana)
    const new_password = 'sonce-nad-zalivom-9'
    expect(await ana.call(account.setPassword, { current_password: ana.password, new_password })).toMatchObject({
      ok: true,
    })
    expect(await copy.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await copy.call(auth.refresh, {})).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await ana.call(auth.refresh, {})).toMatchObject({ ok: true })
  })

  test('ends the other sessions, tells the owner, and only the new one opens', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    house.clock.advance(60)
    expect(await ana.call(account.setPassword, { current_password: ana.password, new_password: NEW })).toMatchObject({
      ok: true,
    })
    expect(await phone.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await phone.call(auth.refresh)).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({
      data: { password_updated_at: house.clock.now().toISOString() },
    })
    expect(await ana.call(activity.listActivity, { type: 'CHANGED_PASSWORD' })).toMatchObject({
      data: [{ type: 'CHANGED_PASSWORD' }],
    })
    const letter = (await lettersTo(house, ana.email)).at(-1)
    expect(letter?.link).toBe('http://localhost:3000/login')

    const visitor = house.visitor()
    expect(await visitor.call(auth.login, { username: ana.email, password: ana.password })).toMatchObject({ ok: false })
    expect(await visitor.call(auth.login, { username: ana.email, password: NEW })).toMatchObject({ ok: true })
  })

  test.each([
    ['a wrong current one', { current_password: 'napacno geslo', new_password: NEW }, 'invalid_password'],
    ['one too short', { new_password: 'kratko' }, 'password_too_short'],
    ['a known one', { new_password: 'passwordpassword' }, 'password_breached'],
    ['one of a thousand characters', { new_password: 'x'.repeat(1000) }, 'invalid_request'],
  ])('refuses %s and changes nothing', async (_, input, code) => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    const answer = await ana.call(account.setPassword, { current_password: ana.password, ...input })
    expect(answer).toMatchObject({ http: 400, problem: { code } })
    expect(await phone.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await elsewhere(house, ana)).toBeDefined()
  })

  test('security 6.1.1 guessing the current one is bounded, too', async () => {
    const ana = await newcomer(house)
    const guess = () => ana.call(account.setPassword, { current_password: 'napacno geslo', new_password: NEW })
    for (let i = 0; i < 10; i += 1) expect(await guess()).toMatchObject({ problem: { code: 'invalid_password' } })
    expect(await guess()).toMatchObject({ http: 429, problem: { code: 'too_many_requests' } })
    // A stranger's guesses elsewhere are another matter: the owner can still sign in.
    expect(await elsewhere(house, ana)).toBeDefined()
  })

  test('of several changes at once from the same old password, one counts', async () => {
    const ana = await newcomer(house)
    const wishes = ['prva-gora-od-vseh', 'druga-gora-od-vseh', 'tretja-gora-od-vseh']
    const answers = await Promise.all(
      wishes.map((new_password) => ana.call(account.setPassword, { current_password: ana.password, new_password })),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const chosen = wishes[answers.findIndex(({ ok }) => ok)] ?? ''
    expect(await elsewhere(house, { ...ana, password: chosen })).toBeDefined()
  })
})
