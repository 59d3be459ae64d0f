import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { mailedToken, newcomer } from '../../../test/newcomer.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const NOT_FRESH = 10 * 60 + 1

test('§3 shows every field of the person, with the defaults of the specification', async () => {
  const ana = await newcomer(house)
  const { data } = (await ana.call(account.getAccount)) as { data: account.UserInfo }
  expect(data).toEqual({
    id: expect.any(String),
    first_name: '',
    last_name: '',
    profile_picture: null,
    username: null,
    email: ana.email,
    email_verified: false,
    pending_email: null,
    phone_number: null,
    birth_date: null,
    country_code: null,
    country_name: null,
    language: ['en-US'],
    gender: null,
    allow_personalized_ads: false,
    allow_details_on_login: true,
    allow_qr_sign_in: true,
    otp_enabled: false,
    otp_enabled_at: null,
    recovery_codes_left: 0,
    has_password: true,
    passkeys: 0,
    developer_accounts: [],
    developer_id: null,
    permission: null,
    session_id: expect.any(String),
    password_updated_at: '2026-11-21T10:00:00.000Z',
    created_at: '2026-11-21T10:00:00.000Z',
  })
})

test('needs a session', async () => {
  expect(await house.visitor().call(account.getAccount)).toMatchObject({
    http: 401,
    problem: { code: 'unauthenticated' },
  })
})

describe('the profile', () => {
  test('api §3 keeps every field it is given and leaves the others', async () => {
    const ana = await newcomer(house)
    const changes = {
      first_name: 'Ana',
      last_name: 'Kovač',
      username: 'Ana.Kovac',
      phone_number: '+38640123456',
      birth_date: '1990-02-28',
      country_code: 'SI',
      gender: 'female',
      language: ['sl-SI', 'en-US'],
      allow_personalized_ads: true,
      allow_details_on_login: false,
    } as const
    const answer = await ana.call(account.updateAccount, { ...changes, language: [...changes.language] })
    expect(answer).toMatchObject({ ok: true, data: { ...changes, country_name: 'Slovenija', email: ana.email } })
    expect(await ana.call(account.updateAccount, { gender: null })).toMatchObject({
      data: { ...changes, gender: null, country_name: 'Slovenija' },
    })
  })

  test.each([
    ['a country that does not exist', { country_code: 'XX' }, 'country_code'],
    ['a birth in the future', { birth_date: '2026-11-22' }, 'birth_date'],
    ['a birth before 1900', { birth_date: '1899-12-31' }, 'birth_date'],
    ['a day that no calendar has', { birth_date: '2025-02-29' }, 'birth_date'],
    ['a phone number without its country', { phone_number: '040123456' }, 'phone_number'],
    ['a user name that could be an address', { username: 'ana@kovac' }, 'username'],
    ['a name that turns the line around', { first_name: 'Ana\u202e' }, 'first_name'],
    ['a name of ten thousand characters', { last_name: 'x'.repeat(10_000) }, 'last_name'],
    ['a field that nobody knows', { is_admin: true }, 'is_admin'],
    ['a language we do not speak', { language: ['de-DE'] }, 'language.0'],
  ])('refuses %s and changes nothing', async (_, changes, field) => {
    const ana = await newcomer(house)
    const answer = await ana.call(account.updateAccount, { gender: 'other', ...changes } as never)
    expect(answer).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { [field]: expect.any(String) } },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { gender: null } })
  })

  test('api §3 a user name belongs to one person, whatever its case, and can be given up', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    await ana.call(account.updateAccount, { username: 'Vratar' })
    const taken = await bor.call(account.updateAccount, { username: 'vRATAR', first_name: 'Bor' })
    expect(taken).toMatchObject({ http: 409, problem: { code: 'username_taken', fields: { username: 'taken' } } })
    expect(await bor.call(account.getAccount)).toMatchObject({ data: { username: null, first_name: '' } })
    // Its owner may write it differently.
    expect(await ana.call(account.updateAccount, { username: 'VRATAR' })).toMatchObject({
      data: { username: 'VRATAR' },
    })
    await ana.call(account.updateAccount, { username: null })
    expect(await bor.call(account.updateAccount, { username: 'vratar' })).toMatchObject({ ok: true })
  })

  test('api §3 takes one language or the list, the preferred one first', async () => {
    const ana = await newcomer(house)
    expect(await ana.call(account.setLanguage, { language: 'hr-HR' })).toMatchObject({ data: { language: ['hr-HR'] } })
    const list = await ana.call(account.setLanguage, { language: ['sl-SI', 'hr-HR', 'sl-SI'] })
    expect(list).toMatchObject({ data: { language: ['sl-SI', 'hr-HR'] } })
  })
})

describe('§4 a new address', () => {
  test('waits until it is confirmed, and the link goes there', async () => {
    const ana = await newcomer(house)
    const next = `next-${ana.email}`
    const answer = await ana.call(account.updateAccount, { email: next })
    expect(answer).toMatchObject({ data: { email: ana.email, pending_email: next } })
    expect(await mailedToken(house, next)).toMatch(/^[\w-]{43}$/)
    expect(await ana.call(auth.login, { username: ana.email, password: ana.password })).toMatchObject({ ok: true })
    expect(await ana.call(auth.login, { username: next, password: ana.password })).toMatchObject({ ok: false })
  })

  test('asks for a fresh sign-in; other fields do not', async () => {
    const ana = await newcomer(house)
    house.clock.advance(NOT_FRESH)
    await ana.call(auth.refresh)
    const refused = await ana.call(account.updateAccount, { email: `other-${ana.email}`, first_name: 'Ana' })
    expect(refused).toMatchObject({ http: 403, problem: { code: 'reauthentication_required' } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { first_name: '', pending_email: null } })
    expect(await ana.call(account.updateAccount, { first_name: 'Ana', email: ana.email })).toMatchObject({ ok: true })
    await ana.call(auth.reauthenticate, { password: ana.password })
    expect(await ana.call(account.updateAccount, { email: `other-${ana.email}` })).toMatchObject({ ok: true })
  })

  test('cannot be somebody else’s', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const answer = await ana.call(account.updateAccount, { email: bor.email.toUpperCase() })
    expect(answer).toMatchObject({ http: 409, problem: { code: 'email_exists', fields: { email: 'taken' } } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { pending_email: null } })
  })

  test('can be taken back, and its link is void then', async () => {
    const ana = await newcomer(house)
    const next = `next-${ana.email}`
    await ana.call(account.updateAccount, { email: next })
    const token = await mailedToken(house, next)
    expect(await ana.call(account.updateAccount, { pending_email: null })).toMatchObject({
      data: { pending_email: null },
    })
    expect(await ana.call(account.verifyEmail, { token })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_token' },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email: ana.email } })
  })

  test('replaces one that waits, whose link is void then', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { email: `first-${ana.email}` })
    const first = await mailedToken(house, `first-${ana.email}`)
    await ana.call(account.updateAccount, { email: `second-${ana.email}` })
    expect(await ana.call(account.verifyEmail, { token: first })).toMatchObject({ problem: { code: 'invalid_token' } })
    const second = await mailedToken(house, `second-${ana.email}`)
    expect(await ana.call(account.verifyEmail, { token: second })).toMatchObject({ ok: true })
  })
})
