import { account, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailedToken, mailsTo, registerUser, signInAgain, tabOf } from '../../../test/registered-user.ts'
import { beforeTransaction, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const NOT_FRESH = 10 * 60 + 1

test('returns every field of user info with its default (product §3.1)', async () => {
  const ana = await registerUser(server)
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
    passkey_offered: false,
    developer_accounts: [],
    developer_id: null,
    permission: null,
    operator_role: null,
    next_step: null,
    session_id: expect.any(String),
    password_updated_at: '2026-11-21T10:00:00.000Z',
    created_at: '2026-11-21T10:00:00.000Z',
  })
})

test('records that a passkey was offered', async () => {
  const ana = await registerUser(server)
  expect(await ana.call(security.dismissPasskeyOffer)).toMatchObject({ ok: true })
  expect(await ana.call(account.getAccount)).toMatchObject({ data: { passkey_offered: true, passkeys: 0 } })
})

test('needs a session', async () => {
  expect(await server.browser().call(account.getAccount)).toMatchObject({
    http: 401,
    problem: { code: 'unauthenticated' },
  })
})

describe('the profile', () => {
  test('updates the given fields only (api §3.1)', async () => {
    const ana = await registerUser(server)
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
    ['a date that does not exist', { birth_date: '2025-02-29' }, 'birth_date'],
    ['a phone number without its country', { phone_number: '040123456' }, 'phone_number'],
    ['a user name that could be an address', { username: 'ana@kovac' }, 'username'],
    ['a name with a bidirectional control character', { first_name: 'Ana\u202e' }, 'first_name'],
    ['a name of ten thousand characters', { last_name: 'x'.repeat(10_000) }, 'last_name'],
    ['an unknown field', { is_admin: true }, 'is_admin'],
    ['an unsupported language', { language: ['de-DE'] }, 'language.0'],
  ])('rejects %s and changes nothing', async (_, changes, field) => {
    const ana = await registerUser(server)
    const answer = await ana.call(account.updateAccount, { gender: 'other', ...changes } as never)
    expect(answer).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { [field]: expect.any(String) } },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { gender: null } })
  })

  test('keeps user names unique regardless of case, and frees a removed one (api §3.1)', async () => {
    const ana = await registerUser(server)
    const bor = await registerUser(server)
    await ana.call(account.updateAccount, { username: 'Vratar' })
    const taken = await bor.call(account.updateAccount, { username: 'vRATAR', first_name: 'Bor' })
    expect(taken).toMatchObject({ http: 409, problem: { code: 'username_taken', fields: { username: 'taken' } } })
    expect(await bor.call(account.getAccount)).toMatchObject({ data: { username: null, first_name: '' } })
    // Its user may change the case.
    expect(await ana.call(account.updateAccount, { username: 'VRATAR' })).toMatchObject({
      data: { username: 'VRATAR' },
    })
    await ana.call(account.updateAccount, { username: null })
    expect(await bor.call(account.updateAccount, { username: 'vratar' })).toMatchObject({ ok: true })
  })

  test('accepts one language or a list, the preferred one first (api §3.2)', async () => {
    const ana = await registerUser(server)
    expect(await ana.call(account.setLanguage, { language: 'hr-HR' })).toMatchObject({ data: { language: ['hr-HR'] } })
    const list = await ana.call(account.setLanguage, { language: ['sl-SI', 'hr-HR', 'sl-SI'] })
    expect(list).toMatchObject({ data: { language: ['sl-SI', 'hr-HR'] } })
  })
})

describe('email change (product §4.2)', () => {
  test('takes no address that is on its way when the user signs out everywhere (decision 0055)', async () => {
    const ana = await registerUser(server)
    const next = `next-${ana.email}`
    beforeTransaction(server, () => ana.call(sessions.logoutAll, { include_current: true }))
    expect(await tabOf(server, ana).call(account.updateAccount, { email: next })).toMatchObject({
      http: 401,
      problem: { code: 'unauthenticated' },
    })
    expect(await mailsTo(server, next)).toEqual([])
    const again = await signInAgain(server, ana)
    expect(await again.call(account.getAccount)).toMatchObject({ data: { pending_email: null } })
  })

  test('is pending until confirmed by a link mailed to it', async () => {
    const ana = await registerUser(server)
    const next = `next-${ana.email}`
    const answer = await ana.call(account.updateAccount, { email: next })
    expect(answer).toMatchObject({ data: { email: ana.email, pending_email: next } })
    expect(await mailedToken(server, next)).toMatch(/^[\w-]{43}$/)
    expect(await ana.call(signIn.login, { username: ana.email, password: ana.password })).toMatchObject({ ok: true })
    expect(await ana.call(signIn.login, { username: next, password: ana.password })).toMatchObject({ ok: false })
  })

  test('requires a fresh sign-in; other fields do not', async () => {
    const ana = await registerUser(server)
    server.clock.advance(NOT_FRESH)
    await ana.call(sessions.refresh)
    const rejected = await ana.call(account.updateAccount, { email: `other-${ana.email}`, first_name: 'Ana' })
    expect(rejected).toMatchObject({ http: 403, problem: { code: 'reauthentication_required' } })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { first_name: '', pending_email: null } })
    expect(await ana.call(account.updateAccount, { first_name: 'Ana', email: ana.email })).toMatchObject({ ok: true })
    await ana.call(sessions.reauthenticate, { password: ana.password })
    expect(await ana.call(account.updateAccount, { email: `other-${ana.email}` })).toMatchObject({ ok: true })
  })

  test('answers alike for the address of another user, who is mailed', async () => {
    const ana = await registerUser(server)
    const bor = await registerUser(server)
    await server.store.db
      .updateTable('users')
      .set({ email_verified_at: server.clock.now().toISOString(), first_name: 'Bor', language: '["hr-HR"]' })
      .where('id', '=', bor.user.id)
      .execute()
    await ana.call(account.updateAccount, { first_name: 'Zvita' })
    const free = `free-${ana.email}`
    const answers = [
      await ana.call(account.updateAccount, { email: free }),
      await ana.call(account.updateAccount, { email: bor.email.toUpperCase() }),
    ]
    const text = JSON.stringify(answers[0]).replaceAll(free, bor.email)
    expect(JSON.parse(text)).toEqual(answers[1])
    expect(answers[1]).toMatchObject({ http: 200, data: { email: ana.email, pending_email: bor.email } })
    const mail = (await mailsTo(server, bor.email)).at(-1)
    expect(mail?.subject).toBe('Vaša je e-adresa unesena za drugi račun')
    expect(mail?.text).toContain('Pozdrav, Bor')
    expect(mail?.text).not.toContain('/confirm-email/')
    expect(mail?.text).not.toContain('Zvita')
    // Sending it again is answered like that of a free address, too.
    expect(await ana.call(security.resendVerification)).toMatchObject({ ok: true })
    expect(await mailsTo(server, bor.email)).toHaveLength(3)
  })

  test('limits look-ups per account, whether the address is free or not', async () => {
    const bor = await registerUser(server)
    for (const taken of [true, false]) {
      const ana = await registerUser(server)
      const put = (n: number) =>
        ana.call(account.updateAccount, { email: taken && n % 2 ? bor.email : `free${n}-${ana.email}` })
      for (let n = 1; n < 5; n += 1) expect(await put(n)).toMatchObject({ http: 200 })
      expect(await put(5)).toMatchObject({ http: 429, problem: { code: 'too_many_requests' } })
    }
  })

  test('can be canceled, which voids its link', async () => {
    const ana = await registerUser(server)
    const next = `next-${ana.email}`
    await ana.call(account.updateAccount, { email: next })
    const token = await mailedToken(server, next)
    expect(await ana.call(account.updateAccount, { pending_email: null })).toMatchObject({
      data: { pending_email: null },
    })
    expect(await ana.call(security.verifyEmail, { token })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_token' },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email: ana.email } })
  })

  test('replaces a pending address, whose link becomes void', async () => {
    const ana = await registerUser(server)
    await ana.call(account.updateAccount, { email: `first-${ana.email}` })
    const first = await mailedToken(server, `first-${ana.email}`)
    await ana.call(account.updateAccount, { email: `second-${ana.email}` })
    expect(await ana.call(security.verifyEmail, { token: first })).toMatchObject({ problem: { code: 'invalid_token' } })
    const second = await mailedToken(server, `second-${ana.email}`)
    expect(await ana.call(security.verifyEmail, { token: second })).toMatchObject({ ok: true })
  })
})
