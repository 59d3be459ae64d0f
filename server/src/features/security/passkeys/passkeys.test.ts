import { setTimeout } from 'node:timers/promises'
import {
  account,
  activity,
  adminUsers,
  type NewPasskey,
  type PasskeyAssertion,
  policy,
  security,
  sessions,
  signIn,
} from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator, type Overrides } from '../../../../test/authenticator.ts'
import { createOperator } from '../../../../test/operator.ts'
import { people } from '../../../../test/people.ts'
import {
  mailsTo,
  type RegisteredUser,
  registerConfirmedUser,
  registerUser,
  tabOf,
} from '../../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../../test/second-factor.ts'
import { beforeTransaction, type Caller, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { findUserForUpdate } from '../../account/public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const rejected = { http: 400, problem: { code: 'invalid_passkey' } }
const notFound = { http: 404, problem: { code: 'not_found' } }
const notFresh = { http: 403, problem: { code: 'reauthentication_required' } }

type Key = ReturnType<typeof authenticator>

async function added(person: Caller, key: Key, name = 'Telefon') {
  const options = good(await person.call(security.passkeyOptions))
  return good(await person.call(security.addPasskey, { name, response: key.create(options) }))
}

/** A user with a passkey. */
async function withPasskey(key = authenticator()): Promise<{ person: RegisteredUser; key: Key; id: string }> {
  const person = await registerConfirmedUser(server)
  const { id } = await added(person, key)
  return { person, key, id }
}

async function signInWithPasskey(browser: Caller, key: Key, overrides: Overrides = {}) {
  const options = good(await browser.call(signIn.passkeyLoginOptions))
  return await browser.call(signIn.passkeyLogin, { response: key.get(options, overrides) })
}

describe('adding a passkey (api §3.4)', () => {
  test('stores it, mails the user, and records an activity', async () => {
    const ana = await registerConfirmedUser(server)
    const key = authenticator({ synced: true })
    const options = good(await ana.call(security.passkeyOptions))
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Vrata' },
      user: { id: Buffer.from(ana.user.id).toString('base64url'), name: ana.email },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(16)
    const answer = await ana.call(security.addPasskey, { name: ' Telefon ', response: key.create(options) })
    const kept = { name: 'Telefon', synced: true, last_used_at: null, created_at: server.clock.now().toISOString() }
    expect(answer).toMatchObject({ http: 201, data: kept })
    const list = good(await ana.call(security.listPasskeys))
    expect(list).toEqual([{ id: expect.any(String), ...kept }])
    expect(good(await ana.call(account.getAccount)).passkeys).toBe(1)
    expect((await mailsTo(server, ana.email)).at(-1)?.subject).toBe('A passkey was added to your account')
    expect(good(await ana.call(activity.listActivity, { type: 'ADDED_PASSKEY' }))).toHaveLength(1)
    expect(good(await ana.call(security.passkeyOptions)).excludeCredentials).toEqual([
      { id: key.id, type: 'public-key', transports: ['internal'] },
    ])
  })

  test('requires a confirmed address (security §6.4)', async () => {
    const unconfirmed = { http: 403, problem: { code: 'email_not_verified' } }
    const ana = await registerUser(server)
    expect(await ana.call(security.passkeyOptions)).toMatchObject(unconfirmed)
    const confirm = (email_verified_at: string | null) =>
      server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', ana.user.id).execute()
    await confirm(server.clock.now().toISOString())
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    await confirm(null)
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject(unconfirmed)
    expect(good(await ana.call(security.listPasskeys))).toEqual([])
  })

  test.each<[string, Overrides]>([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['an origin that begins like ours', { origin: 'http://localhost:3000.evil.example' }],
    ['another id', { rp_id: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an authenticator that asked nobody', { unverified: true }],
  ])('rejects %s', async (_, overrides) => {
    const ana = await registerConfirmedUser(server)
    const options = good(await ana.call(security.passkeyOptions))
    const response = authenticator().create(options, overrides)
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject(rejected)
    expect(good(await ana.call(security.listPasskeys))).toEqual([])
  })

  test('accepts a challenge once, for one user, purpose and browser, within ten minutes', async () => {
    const ana = await registerConfirmedUser(server)
    const bor = await registerConfirmedUser(server)
    const add = (who: Caller, response: NewPasskey) => who.call(security.addPasskey, { name: 'Telefon', response })
    const options = good(await ana.call(security.passkeyOptions))
    expect(await add(bor, authenticator().create(options))).toMatchObject(rejected)
    expect(await add(ana, authenticator().create(options, { rp_id: 'evil.example' }))).toMatchObject(rejected)
    // The failed attempt consumed it.
    expect(await add(ana, authenticator().create(options))).toMatchObject(rejected)

    const { challenge } = good(await ana.call(signIn.passkeyLoginOptions))
    expect(await add(ana, authenticator().create({ ...options, challenge }))).toMatchObject(rejected)

    const elsewhere = good(await ana.call(security.passkeyOptions))
    ana.cookies.delete('vrata_device')
    expect(await add(ana, authenticator().create(elsewhere))).toMatchObject(rejected)

    const late = good(await ana.call(security.passkeyOptions))
    server.clock.advance(10 * 60)
    await ana.call(sessions.refresh, {})
    await ana.call(sessions.reauthenticate, { password: ana.password })
    expect(await add(ana, authenticator().create(late))).toMatchObject(rejected)
  })

  test('is answered again when the first answer was lost, and happens once (security §2.3.1)', async () => {
    const ana = await registerConfirmedUser(server)
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    const add = () => ana.call(security.addPasskey, { name: 'Telefon', response })
    const answers = await Promise.all(Array.from({ length: 8 }, add))
    const [passkey] = good(await ana.call(security.listPasskeys))
    for (const answer of [...answers, await add()]) expect(answer).toMatchObject({ http: 201, data: passkey })
    expect(good(await ana.call(activity.listActivity, { type: 'ADDED_PASSKEY' }))).toHaveLength(1)
    // Not once it is removed.
    good(await ana.call(security.removePasskey, { id: passkey?.id ?? '' }))
    expect(await add()).toMatchObject(rejected)
  })

  test('requires a fresh sign-in, as do renaming and removing (api §2.7)', async () => {
    const { person: ana, id } = await withPasskey()
    server.clock.advance(11 * 60)
    await ana.call(sessions.refresh, {})
    expect(await ana.call(security.passkeyOptions)).toMatchObject(notFresh)
    const response = authenticator().create({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'AAAA' } })
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject(notFresh)
    expect(await ana.call(security.removePasskey, { id })).toMatchObject(notFresh)
    expect(await ana.call(security.renamePasskey, { id, name: 'Ključek' })).toMatchObject(notFresh)
    await ana.call(sessions.reauthenticate, { password: ana.password })
    expect(await ana.call(security.renamePasskey, { id, name: 'Ključek' })).toMatchObject({ data: { name: 'Ključek' } })
  })

  test('adds none that is on its way when an operator removes all of them (operators §7)', async () => {
    const { person: ana } = await withPasskey()
    const operator = await createOperator(server, { ...people.drago, email: 'reset@example.com' }, 'admin')
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    const reset = { id: ana.user.id, reason: 'A stolen phone.', immediately: true }
    beforeTransaction(server, async () => good(await operator.call(adminUsers.resetFactors, reset)))
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject({
      http: 401,
      problem: { code: 'unauthenticated' },
    })
    const left = server.store.read.selectFrom('passkeys').select('id').where('user_id', '=', ana.user.id)
    expect(await left.execute()).toEqual([])
  })

  test('is not disturbed by another tab that refreshes meanwhile', async () => {
    const ana = await registerConfirmedUser(server)
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    beforeTransaction(server, () => tabOf(server, ana).call(sessions.refresh))
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject({ ok: true })
  })

  test('can be sent again when a reauthentication in another tab has replaced the cookies meanwhile', async () => {
    const ana = await registerConfirmedUser(server)
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    const tab = tabOf(server, ana)
    const add = () => ana.call(security.addPasskey, { name: 'Telefon', response })
    beforeTransaction(server, async () => good(await tab.call(sessions.reauthenticate, { password: ana.password })))
    expect(await add()).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
    for (const [name, value] of tab.cookies) ana.cookies.set(name, value)
    expect(await add()).toMatchObject({ ok: true })
    expect(good(await ana.call(security.listPasskeys))).toHaveLength(1)
  })

  test('rejects a passkey of another account', async () => {
    const { key } = await withPasskey()
    const bor = await registerConfirmedUser(server)
    const response = key.create(good(await bor.call(security.passkeyOptions)))
    expect(await bor.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject({
      http: 409,
      problem: { code: 'passkey_exists' },
    })
  })

  test('allows twenty per user under concurrent requests', async () => {
    const ana = await registerConfirmedUser(server)
    for (let i = 0; i < 18; i += 1) await added(ana, authenticator())
    const asked = await Promise.all(Array.from({ length: 6 }, () => ana.call(security.passkeyOptions)))
    const answers = await Promise.all(
      asked.map((one) =>
        ana.call(security.addPasskey, { name: 'Telefon', response: authenticator().create(good(one)) }),
      ),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2)
    const full = { http: 400, problem: { code: 'too_many_passkeys', params: { max: 20 } } }
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject(full)
    expect(await ana.call(security.passkeyOptions)).toMatchObject(full)
  })

  test('rejects malformed fields', async () => {
    const ana = await registerConfirmedUser(server)
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    const call = (input: object) => ana.call(security.addPasskey, input as never)
    expect(await call({ name: '', response })).toMatchObject({ problem: { fields: { name: 'required' } } })
    expect(await call({ name: 'x'.repeat(61), response })).toMatchObject({ problem: { fields: { name: 'too_long' } } })
    expect(await call({ name: 'x', response: { ...response, id: '<script>' } })).toMatchObject({
      problem: { fields: { 'response.id': 'invalid' } },
    })
    const junk = { ...response, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
    expect(await call({ name: 'x', response: junk })).toMatchObject(rejected)
  })
})

describe('a passkey of another user (api §3.4)', () => {
  test('is not found', async () => {
    const { person: ana, id } = await withPasskey()
    const bor = await registerConfirmedUser(server)
    for (const one of [id, 'nothing']) {
      expect(await bor.call(security.renamePasskey, { id: one, name: 'Moj' })).toMatchObject(notFound)
      expect(await bor.call(security.removePasskey, { id: one })).toMatchObject(notFound)
    }
    expect(good(await ana.call(security.listPasskeys))).toMatchObject([{ id, name: 'Telefon' }])
    expect(good(await bor.call(security.listPasskeys))).toEqual([])
  })
})

test('the last passkey stays while passwords are turned off', async () => {
  const own = await startTestServer()
  const person = await registerConfirmedUser(own)
  const first = await added(person, authenticator())
  const second = await added(person, authenticator())
  const operator = await createOperator(own, people.cvetka, 'admin')
  await added(operator, authenticator())
  good(await operator.call(policy.updatePolicy, { password_sign_in: false }))
  expect(await person.call(security.removePasskey, { id: first.id })).toMatchObject({ ok: true })
  const last = { http: 409, problem: { code: 'last_passkey' } }
  expect(await person.call(security.removePasskey, { id: second.id })).toMatchObject(last)
  good(await operator.call(policy.updatePolicy, { password_sign_in: true }))
  expect(await person.call(security.removePasskey, { id: second.id })).toMatchObject({ ok: true })
  await own.close()
})

describe('sign-in with a passkey (api §2.2)', () => {
  test('requires neither name nor password and counts as both factors', async () => {
    const { person: ana, key } = await withPasskey()
    await withSecondFactor(server, ana)
    const browser = server.browser()
    expect(good(await browser.call(signIn.passkeyLoginOptions))).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    })
    expect(await signInWithPasskey(browser, key)).toMatchObject({ data: { next: 'done', user: { id: ana.user.id } } })
    expect(good(await browser.call(sessions.listSessions))[0]?.methods).toEqual(['passkey'])
    expect(good(await browser.call(security.listPasskeys))[0]?.last_used_at).toBe(server.clock.now().toISOString())
    // The sign-in is fresh.
    expect(await browser.call(security.passkeyOptions)).toMatchObject({ ok: true })
  })

  test('accepts a synced passkey whose counter stays 0', async () => {
    const { key } = await withPasskey(authenticator({ synced: true }))
    for (let i = 0; i < 3; i += 1) expect(await signInWithPasskey(server.browser(), key)).toMatchObject({ ok: true })
  })

  test.each<[string, Overrides]>([
    ['another origin', { origin: 'https://localhost:3000' }],
    ['another id', { rp_id: 'evil.example' }],
    ['a challenge of nobody', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an authenticator that asked nobody', { unverified: true }],
    ['the signature of another key', { signature: Buffer.from('3006020101020101', 'hex') }],
    ['the user handle of another user', { user_handle: Buffer.from('somebody').toString('base64url') }],
    ['no user handle', { user_handle: null }],
  ])('rejects %s', async (_, overrides) => {
    const { key } = await withPasskey()
    const browser = server.browser()
    expect(await signInWithPasskey(browser, key, overrides)).toMatchObject(rejected)
    expect(await browser.call(account.getAccount)).toMatchObject({ http: 401 })
  })

  test('rejects a decreasing counter and logs a warning', async () => {
    const { key, id } = await withPasskey()
    expect(await signInWithPasskey(server.browser(), key, { counter: 9 })).toMatchObject({ ok: true })
    for (const counter of [9, 8, 0]) {
      expect(await signInWithPasskey(server.browser(), key, { counter })).toMatchObject(rejected)
    }
    expect(server.logged()).toMatch(new RegExp(`"passkey_id":"${id}".*there may be a copy`))
    expect(await signInWithPasskey(server.browser(), key, { counter: 4_294_967_295 })).toMatchObject({ ok: true })
  })

  test('accepts a challenge once, in the browser that requested it', async () => {
    const { key } = await withPasskey()
    const browser = server.browser()
    const options = good(await browser.call(signIn.passkeyLoginOptions))
    const login = (who: Caller, response: PasskeyAssertion) => who.call(signIn.passkeyLogin, { response })
    const thief = server.browser()
    await thief.call(signIn.passkeyLoginOptions)
    expect(await login(thief, key.get(options))).toMatchObject(rejected)
    expect(await login(server.browser(), key.get(options))).toMatchObject(rejected)
    expect(await login(browser, key.get(options))).toMatchObject({ ok: true })
    expect(await login(browser, key.get(options))).toMatchObject(rejected)
  })

  test('accepts one of 50 concurrent uses of an assertion (security §2.3.1)', async () => {
    const { key } = await withPasskey()
    const browser = server.browser()
    const response = key.get(good(await browser.call(signIn.passkeyLoginOptions)))
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.call(signIn.passkeyLogin, { response })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('can be sent again when a refresh in another tab has replaced the cookies meanwhile', async () => {
    const { person: ana, key } = await withPasskey()
    const response = key.get(good(await ana.call(signIn.passkeyLoginOptions)))
    await tabOf(server, ana).call(sessions.refresh)
    expect(await ana.call(signIn.passkeyLogin, { response })).toMatchObject({ http: 401 })
    good(await ana.call(sessions.refresh, {}))
    expect(await ana.call(signIn.passkeyLogin, { response })).toMatchObject({ ok: true })
    expect(await ana.call(signIn.passkeyLogin, { response })).toMatchObject(rejected)
  })

  test('rejects a removed passkey; the password still works', async () => {
    const { person: ana, key, id } = await withPasskey()
    expect(await ana.call(security.removePasskey, { id })).toMatchObject({ ok: true })
    expect((await mailsTo(server, ana.email)).at(-1)?.subject).toBe('A passkey was removed from your account')
    expect(good(await ana.call(activity.listActivity, { type: 'REMOVED_PASSKEY' }))).toHaveLength(1)
    expect(await signInWithPasskey(server.browser(), key)).toMatchObject(rejected)
    expect(good(await ana.call(account.getAccount))).toMatchObject({ passkeys: 0, has_password: true })
    const answer = await server.browser().call(signIn.login, { username: ana.email, password: ana.password })
    expect(answer).toMatchObject({ data: { next: 'done' } })
  })

  test('rejects a disabled account', async () => {
    const { person: ana, key } = await withPasskey()
    const disabled_at = server.clock.now().toISOString()
    await server.store.db.updateTable('users').set({ disabled_at }).where('id', '=', ana.user.id).execute()
    expect(await signInWithPasskey(server.browser(), key)).toMatchObject({ problem: { code: 'account_disabled' } })
  })
})

describe('reauthentication (api §2.7)', () => {
  test('accepts a passkey of the user', async () => {
    const { person: ana, key } = await withPasskey()
    server.clock.advance(11 * 60)
    await ana.call(sessions.refresh, {})
    expect(await ana.call(security.passkeyOptions)).toMatchObject(notFresh)
    const options = good(await ana.call(sessions.reauthenticateOptions))
    expect(options.allowCredentials).toMatchObject([{ id: key.id }])
    // An authenticator may omit the user handle when credentials are listed.
    const passkey = key.get(options, { user_handle: null })
    expect(await ana.call(sessions.reauthenticate, { passkey })).toMatchObject({ ok: true })
    expect(await ana.call(security.passkeyOptions)).toMatchObject({ ok: true })
    expect(good(await ana.call(sessions.listSessions))[0]?.methods).toEqual(['passkey'])
    expect(await ana.call(sessions.reauthenticate, { passkey })).toMatchObject(rejected)
  })

  test('accepts a passkey again when a refresh in another tab has replaced the cookies meanwhile', async () => {
    const { person: ana, key } = await withPasskey()
    const passkey = key.get(good(await ana.call(sessions.reauthenticateOptions)))
    beforeTransaction(server, () => tabOf(server, ana).call(sessions.refresh))
    expect(await ana.call(sessions.reauthenticate, { passkey })).toMatchObject({ http: 401 })
    good(await ana.call(sessions.refresh, {}))
    expect(await ana.call(sessions.reauthenticate, { passkey })).toMatchObject({ ok: true })
    expect(await ana.call(sessions.reauthenticate, { passkey })).toMatchObject(rejected)
  })

  test('waits for a change of the account that ends the session, which does not wait for it', async () => {
    const { person: ana, key } = await withPasskey()
    const passkey = key.get(good(await ana.call(sessions.reauthenticateOptions)))
    const locked = Promise.withResolvers<void>()
    const answer = locked.promise.then(() => ana.call(sessions.reauthenticate, { passkey }))
    await server.deps.transaction(async (deps) => {
      await findUserForUpdate(deps.db, ana.user.id)
      await deps.db.updateTable('sessions').set({ ip: '127.0.0.1' }).where('user_id', '=', ana.user.id).execute()
      locked.resolve()
      await setTimeout(300)
      await deps.revoke('factors_reset', { user_id: ana.user.id })
    })
    expect(await answer).toMatchObject({ ok: false })
    expect(server.deadlocks()).toEqual([])
  })

  test('rejects a passkey of another user and an assertion for sign-in', async () => {
    const { person: ana, key } = await withPasskey()
    const { person: bor, key: foreign } = await withPasskey()
    const options = good(await ana.call(sessions.reauthenticateOptions))
    expect(await ana.call(sessions.reauthenticate, { passkey: foreign.get(options) })).toMatchObject(rejected)
    const others = good(await bor.call(sessions.reauthenticateOptions))
    expect(await ana.call(sessions.reauthenticate, { passkey: key.get(others) })).toMatchObject(rejected)
    const login = good(await ana.call(signIn.passkeyLoginOptions))
    expect(await ana.call(sessions.reauthenticate, { passkey: key.get(login) })).toMatchObject(rejected)
  })

  test('requires exactly one credential; returns no options without a passkey', async () => {
    const ana = await registerConfirmedUser(server)
    expect(await ana.call(sessions.reauthenticateOptions)).toMatchObject(notFound)
    expect(await ana.call(sessions.reauthenticate, {})).toMatchObject({ problem: { fields: { password: 'required' } } })
    expect(await ana.call(sessions.reauthenticate, { password: ana.password, otp_token: '123456' })).toMatchObject({
      problem: { fields: { otp_token: 'unknown' } },
    })
    const before = (await mailsTo(server, ana.email)).length
    for (let i = 0; i < 11; i += 1) {
      // Without two-factor authentication no attempt is counted or mailed.
      expect(await ana.call(sessions.reauthenticate, { otp_token: '123456' })).toMatchObject({
        problem: { code: 'invalid_otp' },
      })
    }
    expect(await mailsTo(server, ana.email)).toHaveLength(before)
  })

  test('accepts a code of the authenticator app', async () => {
    const ana = await registerConfirmedUser(server)
    const { phone } = await withSecondFactor(server, ana)
    server.clock.advance(11 * 60)
    await ana.call(sessions.refresh, {})
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject(notFresh)
    expect(await ana.call(sessions.reauthenticate, { otp_token: phone.code() })).toMatchObject({ ok: true })
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject({ ok: true })
  })
})
