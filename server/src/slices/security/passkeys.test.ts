import { account, activity, auth, type NewPasskey, type PasskeyProof, security } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { authenticator, type Lies } from '../../../test/authenticator.ts'
import { type Caller, type House, openHouse } from '../../../test/house.ts'
import { lettersTo, type Newcomer, newcomer } from '../../../test/newcomer.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'

// Passwords are hashed here, on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const refused = { http: 400, problem: { code: 'invalid_passkey' } }
const notFound = { http: 404, problem: { code: 'not_found' } }
const notFresh = { http: 403, problem: { code: 'reauthentication_required' } }

type Key = ReturnType<typeof authenticator>

async function added(person: Caller, key: Key, name = 'Telefon') {
  const options = good(await person.call(security.passkeyOptions))
  return good(await person.call(security.addPasskey, { name, response: key.create(options) }))
}

/** Somebody with a passkey. */
async function withPasskey(key = authenticator()): Promise<{ person: Newcomer; key: Key; id: string }> {
  const person = await newcomer(house)
  const { id } = await added(person, key)
  return { person, key, id }
}

async function signIn(browser: Caller, key: Key, lies: Lies = {}) {
  const options = good(await browser.call(auth.passkeyLoginOptions))
  return await browser.call(auth.passkeyLogin, { response: key.get(options, lies) })
}

describe('api §3 adding a passkey', () => {
  test('keeps it, tells by mail, and is an activity', async () => {
    const ana = await newcomer(house)
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
    const kept = { name: 'Telefon', synced: true, last_used_at: null, created_at: house.clock.now().toISOString() }
    expect(answer).toMatchObject({ http: 201, data: kept })
    const list = good(await ana.call(security.listPasskeys))
    expect(list).toEqual([{ id: expect.any(String), ...kept }])
    expect(good(await ana.call(account.getAccount)).passkeys).toBe(1)
    expect((await lettersTo(house, ana.email)).at(-1)?.subject).toBe('A passkey was added to your account')
    expect(good(await ana.call(activity.listActivity, { type: 'ADDED_PASSKEY' }))).toHaveLength(1)
    expect(good(await ana.call(security.passkeyOptions)).excludeCredentials).toEqual([
      { id: key.id, type: 'public-key', transports: ['internal'] },
    ])
  })

  test.each<[string, Lies]>([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['an origin that begins like ours', { origin: 'http://localhost:3000.evil.example' }],
    ['another id', { rp_id: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an authenticator that asked nobody', { unverified: true }],
  ])('refuses %s', async (_, lies) => {
    const ana = await newcomer(house)
    const options = good(await ana.call(security.passkeyOptions))
    const response = authenticator().create(options, lies)
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject(refused)
    expect(good(await ana.call(security.listPasskeys))).toEqual([])
  })

  test('a challenge serves once, one person, one purpose, one browser, ten minutes', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const add = (who: Caller, response: NewPasskey) => who.call(security.addPasskey, { name: 'Telefon', response })
    const options = good(await ana.call(security.passkeyOptions))
    expect(await add(bor, authenticator().create(options))).toMatchObject(refused)
    expect(await add(ana, authenticator().create(options, { rp_id: 'evil.example' }))).toMatchObject(refused)
    // It is used up, although nothing came of it.
    expect(await add(ana, authenticator().create(options))).toMatchObject(refused)

    const { challenge } = good(await ana.call(auth.passkeyLoginOptions))
    expect(await add(ana, authenticator().create({ ...options, challenge }))).toMatchObject(refused)

    const elsewhere = good(await ana.call(security.passkeyOptions))
    ana.cookies.delete('vrata_device')
    expect(await add(ana, authenticator().create(elsewhere))).toMatchObject(refused)

    const late = good(await ana.call(security.passkeyOptions))
    house.clock.advance(10 * 60)
    await ana.call(auth.refresh, {})
    await ana.call(auth.reauthenticate, { password: ana.password })
    expect(await add(ana, authenticator().create(late))).toMatchObject(refused)
  })

  test('needs a fresh sign-in, and so do renaming and removing (api.md §2)', async () => {
    const { person: ana, id } = await withPasskey()
    house.clock.advance(11 * 60)
    await ana.call(auth.refresh, {})
    expect(await ana.call(security.passkeyOptions)).toMatchObject(notFresh)
    const response = authenticator().create({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'AAAA' } })
    expect(await ana.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject(notFresh)
    expect(await ana.call(security.removePasskey, { id })).toMatchObject(notFresh)
    expect(await ana.call(security.renamePasskey, { id, name: 'Ključek' })).toMatchObject(notFresh)
    await ana.call(auth.reauthenticate, { password: ana.password })
    expect(await ana.call(security.renamePasskey, { id, name: 'Ključek' })).toMatchObject({ data: { name: 'Ključek' } })
  })

  test('one passkey belongs to one account', async () => {
    const { key } = await withPasskey()
    const bor = await newcomer(house)
    const response = key.create(good(await bor.call(security.passkeyOptions)))
    expect(await bor.call(security.addPasskey, { name: 'Telefon', response })).toMatchObject({
      http: 409,
      problem: { code: 'passkey_exists' },
    })
  })

  test('twenty a person, also of many at once', async () => {
    const ana = await newcomer(house)
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

  test('refuses what is no passkey, field by field', async () => {
    const ana = await newcomer(house)
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    const call = (input: object) => ana.call(security.addPasskey, input as never)
    expect(await call({ name: '', response })).toMatchObject({ problem: { fields: { name: 'required' } } })
    expect(await call({ name: 'x'.repeat(61), response })).toMatchObject({ problem: { fields: { name: 'too_long' } } })
    expect(await call({ name: 'x', response: { ...response, id: '<script>' } })).toMatchObject({
      problem: { fields: { 'response.id': 'invalid' } },
    })
    const junk = { ...response, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
    expect(await call({ name: 'x', response: junk })).toMatchObject(refused)
  })
})

describe('api §3 somebody else’s passkey', () => {
  test('is not found, like one that does not exist', async () => {
    const { person: ana, id } = await withPasskey()
    const bor = await newcomer(house)
    for (const one of [id, 'nothing']) {
      expect(await bor.call(security.renamePasskey, { id: one, name: 'Moj' })).toMatchObject(notFound)
      expect(await bor.call(security.removePasskey, { id: one })).toMatchObject(notFound)
    }
    expect(good(await ana.call(security.listPasskeys))).toMatchObject([{ id, name: 'Telefon' }])
    expect(good(await bor.call(security.listPasskeys))).toEqual([])
  })
})

describe('api §2 signing in with a passkey', () => {
  test('needs neither name nor password, and stands for both factors', async () => {
    const { person: ana, key } = await withPasskey()
    await withSecondFactor(house, ana)
    const browser = house.visitor()
    expect(good(await browser.call(auth.passkeyLoginOptions))).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    })
    expect(await signIn(browser, key)).toMatchObject({ data: { next: 'done', user: { id: ana.user.id } } })
    expect(good(await browser.call(auth.listSessions))[0]?.methods).toEqual(['passkey'])
    expect(good(await browser.call(security.listPasskeys))[0]?.last_used_at).toBe(house.clock.now().toISOString())
    // It counts as a fresh sign-in.
    expect(await browser.call(security.passkeyOptions)).toMatchObject({ ok: true })
  })

  test('one on several devices, whose counter stays at 0, opens again and again', async () => {
    const { key } = await withPasskey(authenticator({ synced: true }))
    for (let i = 0; i < 3; i += 1) expect(await signIn(house.visitor(), key)).toMatchObject({ ok: true })
  })

  test.each<[string, Lies]>([
    ['another origin', { origin: 'https://localhost:3000' }],
    ['another id', { rp_id: 'evil.example' }],
    ['a challenge of nobody', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an authenticator that asked nobody', { unverified: true }],
    ['a signature of somebody else', { signature: Buffer.from('3006020101020101', 'hex') }],
    ['a proof for another person', { user_handle: Buffer.from('somebody').toString('base64url') }],
    ['a proof for no person', { user_handle: null }],
  ])('refuses %s', async (_, lies) => {
    const { key } = await withPasskey()
    const browser = house.visitor()
    expect(await signIn(browser, key, lies)).toMatchObject(refused)
    expect(await browser.call(account.getAccount)).toMatchObject({ http: 401 })
  })

  test('a counter that goes backwards is a copy: it does not open, and the log warns', async () => {
    const { key, id } = await withPasskey()
    expect(await signIn(house.visitor(), key, { counter: 9 })).toMatchObject({ ok: true })
    for (const counter of [9, 8, 0]) {
      expect(await signIn(house.visitor(), key, { counter })).toMatchObject(refused)
    }
    expect(house.logged()).toMatch(new RegExp(`"passkey_id":"${id}".*there may be a copy`))
    expect(await signIn(house.visitor(), key, { counter: 4_294_967_295 })).toMatchObject({ ok: true })
  })

  test('a challenge serves once, and the browser that asked for it', async () => {
    const { key } = await withPasskey()
    const browser = house.visitor()
    const options = good(await browser.call(auth.passkeyLoginOptions))
    const login = (who: Caller, response: PasskeyProof) => who.call(auth.passkeyLogin, { response })
    const thief = house.visitor()
    await thief.call(auth.passkeyLoginOptions)
    expect(await login(thief, key.get(options))).toMatchObject(refused)
    expect(await login(house.visitor(), key.get(options))).toMatchObject(refused)
    expect(await login(browser, key.get(options))).toMatchObject({ ok: true })
    expect(await login(browser, key.get(options))).toMatchObject(refused)
  })

  test('security 2.3.1 of 50 uses of one proof at the same time, one counts', async () => {
    const { key } = await withPasskey()
    const browser = house.visitor()
    const response = key.get(good(await browser.call(auth.passkeyLoginOptions)))
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.call(auth.passkeyLogin, { response })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('one that was removed opens nothing; the password still does', async () => {
    const { person: ana, key, id } = await withPasskey()
    expect(await ana.call(security.removePasskey, { id })).toMatchObject({ ok: true })
    expect((await lettersTo(house, ana.email)).at(-1)?.subject).toBe('A passkey was removed from your account')
    expect(good(await ana.call(activity.listActivity, { type: 'REMOVED_PASSKEY' }))).toHaveLength(1)
    expect(await signIn(house.visitor(), key)).toMatchObject(refused)
    expect(good(await ana.call(account.getAccount))).toMatchObject({ passkeys: 0, has_password: true })
    const answer = await house.visitor().call(auth.login, { username: ana.email, password: ana.password })
    expect(answer).toMatchObject({ data: { next: 'done' } })
  })

  test('a disabled account stays closed', async () => {
    const { person: ana, key } = await withPasskey()
    const disabled_at = house.clock.now().toISOString()
    await house.store.db.updateTable('users').set({ disabled_at }).where('id', '=', ana.user.id).execute()
    expect(await signIn(house.visitor(), key)).toMatchObject({ problem: { code: 'account_disabled' } })
  })
})

describe('api §2 proving it again', () => {
  test('with a passkey of one’s own', async () => {
    const { person: ana, key } = await withPasskey()
    house.clock.advance(11 * 60)
    await ana.call(auth.refresh, {})
    expect(await ana.call(security.passkeyOptions)).toMatchObject(notFresh)
    const options = good(await ana.call(auth.reauthenticateOptions))
    expect(options.allowCredentials).toMatchObject([{ id: key.id }])
    // A key that is told which passkey is wanted may leave its person out.
    const passkey = key.get(options, { user_handle: null })
    expect(await ana.call(auth.reauthenticate, { passkey })).toMatchObject({ ok: true })
    expect(await ana.call(security.passkeyOptions)).toMatchObject({ ok: true })
    expect(good(await ana.call(auth.listSessions))[0]?.methods).toEqual(['pwd', 'passkey'])
    expect(await ana.call(auth.reauthenticate, { passkey })).toMatchObject(refused)
  })

  test('not with somebody else’s, nor with a proof for signing in', async () => {
    const { person: ana, key } = await withPasskey()
    const { person: bor, key: foreign } = await withPasskey()
    const options = good(await ana.call(auth.reauthenticateOptions))
    expect(await ana.call(auth.reauthenticate, { passkey: foreign.get(options) })).toMatchObject(refused)
    const others = good(await bor.call(auth.reauthenticateOptions))
    expect(await ana.call(auth.reauthenticate, { passkey: key.get(others) })).toMatchObject(refused)
    const login = good(await ana.call(auth.passkeyLoginOptions))
    expect(await ana.call(auth.reauthenticate, { passkey: key.get(login) })).toMatchObject(refused)
  })

  test('asks for exactly one proof; without a passkey there are no options', async () => {
    const ana = await newcomer(house)
    expect(await ana.call(auth.reauthenticateOptions)).toMatchObject(notFound)
    expect(await ana.call(auth.reauthenticate, {})).toMatchObject({ problem: { fields: { password: 'required' } } })
    expect(await ana.call(auth.reauthenticate, { password: ana.password, otp_token: '123456' })).toMatchObject({
      problem: { fields: { otp_token: 'unknown' } },
    })
    const before = (await lettersTo(house, ana.email)).length
    for (let i = 0; i < 11; i += 1) {
      // Without a telephone there is nothing to guess, to bound or to warn of.
      expect(await ana.call(auth.reauthenticate, { otp_token: '123456' })).toMatchObject({
        problem: { code: 'invalid_otp' },
      })
    }
    expect(await lettersTo(house, ana.email)).toHaveLength(before)
  })

  test('with a code of the telephone', async () => {
    const ana = await newcomer(house)
    const { phone } = await withSecondFactor(house, ana)
    house.clock.advance(11 * 60)
    await ana.call(auth.refresh, {})
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject(notFresh)
    expect(await ana.call(auth.reauthenticate, { otp_token: phone.code() })).toMatchObject({ ok: true })
    expect(await ana.call(security.renewRecoveryCodes)).toMatchObject({ ok: true })
  })
})
