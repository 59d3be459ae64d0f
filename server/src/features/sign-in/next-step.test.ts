import {
  account,
  developers,
  type InputOf,
  NEXT_STEPS,
  policy,
  type Route,
  security,
  sessions,
  signIn,
} from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../test/authenticator.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, follow, here, type ThirdParty } from '../../../test/third-party.ts'

let server: TestServer
let ana: Operator
let organization: Organization
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
  organization = await createOrganization(server, ana)
  app = await organization.app()
})
afterAll(() => server.close())
afterEach(() => set({ terms_version: null, second_factor: 'optional' }))

const TERMS = { terms_url: 'https://palaca.example/terms', terms_version: '2026-11' }

async function set(changes: InputOf<typeof policy.updatePolicy>): Promise<void> {
  good(await ana.call(sessions.reauthenticate, { password: people.ana.password }))
  good(await ana.call(policy.updatePolicy, changes))
}

async function signInWith(person: Pick<RegisteredUser, 'email' | 'password'>) {
  const browser = server.browser()
  const answer = good(await browser.call(signIn.login, { username: person.email, password: person.password }))
  return { browser, answer }
}

const incomplete = (next: string) => ({ http: 403, problem: { code: 'sign_in_incomplete', params: { next } } })

describe('terms of use (operators §8)', () => {
  test('each version is asked for once, at the next sign-in, and recorded', async () => {
    const person = await registerConfirmedUser(server)
    await set(TERMS)
    expect(await person.call(sessions.listSessions)).toMatchObject({ ok: true })
    const { browser, answer } = await signInWith(person)
    expect(answer).toMatchObject({ next: 'terms', ...TERMS })
    expect(await browser.call(sessions.listSessions)).toMatchObject(incomplete('terms'))
    expect(await browser.call(signIn.acceptTerms, { terms_version: '2025-01' })).toMatchObject({
      problem: { code: 'invalid_request', fields: { terms_version: 'wrong' } },
    })
    const { terms_version } = TERMS
    expect(good(await browser.call(signIn.acceptTerms, { terms_version }))).toMatchObject({ next: 'done' })
    expect(await browser.call(sessions.listSessions)).toMatchObject({ ok: true })
    const rows = await server.store.db.selectFrom('accepted_terms').selectAll().execute()
    expect(rows).toEqual([
      { user_id: person.user.id, version: terms_version, accepted_at: server.clock.now().toISOString() },
    ])
    expect((await signInWith(person)).answer.next).toBe('done')
    await set({ terms_version: '2027-01' })
    expect((await signInWith(person)).answer.next).toBe('terms')
  })

  test('a sign-in that waits for them continues once they are removed', async () => {
    const person = await registerConfirmedUser(server)
    await set(TERMS)
    const { browser } = await signInWith(person)
    const wrong = { problem: { code: 'invalid_request', fields: { terms_version: 'wrong' } } }
    expect(await browser.call(signIn.acceptTerms, {})).toMatchObject(wrong)
    await set({ terms_version: null })
    expect(await browser.call(signIn.acceptTerms, { terms_version: TERMS.terms_version })).toMatchObject(wrong)
    expect(good(await browser.call(signIn.acceptTerms, {}))).toMatchObject({ next: 'done' })
    expect(await browser.call(sessions.listSessions)).toMatchObject({ ok: true })
    const accepted = server.store.read.selectFrom('accepted_terms').selectAll().where('user_id', '=', person.user.id)
    expect(await accepted.execute()).toEqual([])
  })

  test('a new person accepts them, too, and then sets up a second factor', async () => {
    await set({ ...TERMS, second_factor: 'everyone' })
    const { call } = await registerConfirmedUser(server)
    expect(good(await call(account.getAccount)).next_step).toBe('terms')
    expect(await call(security.enableOtp)).toMatchObject(incomplete('terms'))
    const { terms_version } = TERMS
    expect(good(await call(signIn.acceptTerms, { terms_version })).next).toBe('second_factor_setup')
    // Again, in a page that did not get the answer.
    expect(good(await call(signIn.acceptTerms, { terms_version })).next).toBe('second_factor_setup')
  })
})

describe('a required second factor (operators §8)', () => {
  test.each(['codes', 'a passkey'])('is set up at the next sign-in: %s', async (kind) => {
    const person = await registerConfirmedUser(server)
    await set({ second_factor: 'everyone' })
    const { browser, answer } = await signInWith(person)
    expect(answer.next).toBe('second_factor_setup')
    expect(await browser.call(developers.createDeveloper, { name: 'Burja' })).toMatchObject(
      incomplete('second_factor_setup'),
    )
    if (kind === 'codes') await withSecondFactor(server, browser)
    else await addPasskey(browser)
    expect(good(await browser.call(account.getAccount)).next_step).toBe(null)
    expect(await browser.call(sessions.listSessions)).toMatchObject({ ok: true })
  })

  test.each([
    ['a call', async (browser: Caller) => good(await browser.call(account.getAccount)).next_step],
    ['a refresh', async (browser: Caller) => good(await browser.call(sessions.refresh, {})).next_step],
  ])('is not waited for any longer once the policy requires none: %s', async (_, stepIn) => {
    const person = await registerConfirmedUser(server)
    await set({ second_factor: 'everyone' })
    const [one, other] = [await signInWith(person), await signInWith(person)]
    expect(await stepIn(one.browser)).toBe('second_factor_setup')
    await set({ second_factor: 'developers' })
    expect(await stepIn(one.browser)).toBe(null)
    expect(await one.browser.call(sessions.listSessions)).toMatchObject({ ok: true })
    // Requirements count from the next sign-in on.
    await set({ second_factor: 'everyone' })
    expect(await stepIn(one.browser)).toBe(null)
    expect(await other.browser.call(sessions.listSessions)).toMatchObject(incomplete('second_factor_setup'))
    expect((await signInWith(person)).answer.next).toBe('second_factor_setup')
  })

  test('is not waited for any longer by a person who has left the last organization', async () => {
    const member = await registerConfirmedUser(server)
    await organization.grant(member, 'member')
    await set({ second_factor: 'developers' })
    const { browser } = await signInWith(member)
    expect(await browser.call(sessions.listSessions)).toMatchObject(incomplete('second_factor_setup'))
    const { db } = server.store
    await db.deleteFrom('members').where('user_id', '=', member.user.id).execute()
    expect(await browser.call(sessions.listSessions)).toMatchObject({ ok: true })
  })

  test('the last one stays', async () => {
    const person = await registerConfirmedUser(server)
    const { codes } = await withSecondFactor(server, person)
    await set({ second_factor: 'everyone' })
    const refused = { http: 403, problem: { code: 'second_factor_required' } }
    expect(await person.call(security.disableOtp, { recovery_code: codes[0] ?? '' })).toMatchObject(refused)
    const { id } = await addPasskey(person)
    good(await person.call(security.disableOtp, { recovery_code: codes[1] ?? '' }))
    expect(await person.call(security.removePasskey, { id })).toMatchObject(refused)
    await set({ passkey_sign_in: false })
    expect((await signInWith(person)).answer.next).toBe('second_factor_setup')
    await set({ passkey_sign_in: true })
  })

  test('required of developers: members of organizations, and people who are about to become members', async () => {
    const member = await registerConfirmedUser(server)
    const other = await registerConfirmedUser(server)
    await organization.grant(member, 'member')
    await set({ second_factor: 'developers' })
    expect((await signInWith(member)).answer.next).toBe('second_factor_setup')
    expect((await signInWith(other)).answer.next).toBe('done')
    expect(await other.call(developers.createDeveloper, { name: 'Burja' })).toMatchObject({
      problem: { code: 'second_factor_required' },
    })
    const rules = ['optional', 'developers', 'everyone'] as const
    const [none, some, all] = await Promise.all(
      rules.map(
        async (second_factor) => good(await ana.call(policy.countAffected, { second_factor })).second_factor_setup,
      ),
    )
    expect(none).toBe(0)
    expect(some).toBe(1)
    expect(all).toBeGreaterThan(1)
  })
})

describe('a session whose sign-in is not complete', () => {
  test.each(NEXT_STEPS)('makes no other calls: %s', async (step) => {
    const person = await registerConfirmedUser(server)
    await set(step === 'terms' ? TERMS : { second_factor: 'everyone' })
    const { browser } = await signInWith(person)
    const calls = [...ROUTES].filter(
      ([, { needs, multipart }]) => needs !== 'nobody' && needs !== 'anywhere' && !multipart,
    )
    for (const [name, route] of calls) {
      const url = `/v1${route.path.replace(/:(\w+)/g, 'x')}`
      const { statusCode, body } = await browser.request({ method: route.method as 'GET', url, ...payloadOf(route) })
      const code = statusCode === 200 ? 'done' : (JSON.parse(body) as { error: { code: string } }).error.code
      if (!route.during?.includes(step)) expect([name, code]).toEqual([name, 'sign_in_incomplete'])
      else expect([name, code]).not.toEqual([name, 'sign_in_incomplete'])
    }
  })

  test('signs in to no app until it is', async () => {
    const person = await registerConfirmedUser(server)
    await allow(person, app)
    await set(TERMS)
    const { browser } = await signInWith(person)
    const interaction = here(await authorize(browser, app))
    expect(here(await follow(browser, interaction))).toBe(
      `/finish-sign-in?${new URLSearchParams({ redirect: interaction })}`,
    )
    const silent = await authorize(browser, app, { prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('interaction_required')
    good(await browser.call(signIn.acceptTerms, { terms_version: TERMS.terms_version }))
    expect((await follow(browser, interaction)).searchParams.get('code')).toBeTruthy()
  })
})

function payloadOf({ body, method }: Route) {
  return body || method !== 'GET' ? { payload: '{}', headers: { 'content-type': 'application/json' } } : {}
}

async function addPasskey(person: Caller) {
  const options = good(await person.call(security.passkeyOptions))
  return good(await person.call(security.addPasskey, { name: 'Key', response: authenticator().create(options) }))
}
