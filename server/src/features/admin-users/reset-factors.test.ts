import { activity, adminUsers, audit, security, signIn } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenIn } from '../../../../testing/mail.ts'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { mailedToken, mailsTo, type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneFactorResets } from './public.ts'

const HOUR = 60 * 60
const reason = 'Called the number of the personnel file'

let server: TestServer
let ana: Operator
let person: RegisteredUser
let id: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'support')
})
afterAll(() => server.close())
beforeEach(async () => {
  person = await registerConfirmedUser(server)
  id = person.user.id
  await withSecondFactor(server, person)
  await grantRole(server, ana, 'support')
  // Changes need a sign-in of the last ten minutes.
  ana = { ...ana, ...(await freshOperator()) }
})

async function freshOperator() {
  const browser = server.browser()
  good(await browser.call(signIn.login, { username: people.ana.email, password: people.ana.password }))
  good(await browser.call(signIn.loginOtp, { otp_token: ana.phone.code() }))
  return browser
}

const request = (more: { immediately?: boolean } = {}) => ana.call(adminUsers.resetFactors, { id, reason, ...more })
const methods = async () => good(await ana.call(adminUsers.getAdminUser, { id })).sign_in_methods
const waiting = async () => good(await ana.call(adminUsers.getAdminUser, { id })).factor_reset
const signInWithPassword = () =>
  server.browser().call(signIn.login, { username: person.email, password: person.password })
/** Types of the audit log about the person, oldest first, with who acted. */
const recorded = async () => {
  await grantRole(server, ana, 'support')
  const events = good(await ana.call(audit.listAudit, { subject: id }))
  return events
    .filter(({ type }) => type.includes('factor_reset') || type === 'user.factors_reset')
    .map(({ type, actor }) => [type, actor.kind === 'user' ? actor.id : actor.kind])
    .reverse()
}
const ownActivity = async (of: RegisteredUser) =>
  good(await of.call(activity.listActivity)).flatMap(({ type }) => (type.includes('FACTOR') ? [type] : []))

describe('second factor and passkeys of a locked-out person', () => {
  test('are removed after 24 hours: mailed at once, seen by operators, recorded at each step', async () => {
    const answer = good(await request())
    expect(answer.factor_reset).toMatchObject({ reason, requested_by: { id: ana.user.id, name: 'Ana Kovač' } })
    expect(JSON.stringify(answer)).not.toContain(await mailedToken(server, person.email))
    expect((await mailsTo(server, person.email)).at(-1)?.link).toContain('/keep-factors/')
    expect(await request()).toMatchObject({ problem: { code: 'factor_reset_waiting' } })

    server.clock.advance(24 * HOUR - 60)
    await server.outbox()
    expect(good(await signInWithPassword()).next).toBe('otp')
    server.clock.advance(61)
    await server.outbox()
    const signedIn = good(await signInWithPassword())
    expect(signedIn.next).toBe('done')
    ana = { ...ana, ...(await freshOperator()) }
    expect(await methods()).toMatchObject({ two_factor: false, recovery_codes_left: 0, passkeys: 0 })
    expect(await waiting()).toBeNull()
    const subjects = (await mailsTo(server, person.email)).map(({ subject }) => subject)
    expect(subjects).toContain('Your second step and passkeys were removed')
    expect(await recorded()).toEqual([
      ['user.factor_reset_requested', ana.user.id],
      ['user.factors_reset', 'system'],
    ])
    // The former browser is signed out.
    expect(await person.call(activity.listActivity)).toMatchObject({ http: 401 })
    const browser = server.browser()
    good(await browser.call(signIn.login, { username: person.email, password: person.password }))
    expect(await ownActivity({ ...person, ...browser })).toEqual([
      'OPERATOR_RESET_FACTORS',
      'OPERATOR_REQUESTED_FACTOR_RESET',
    ])
  })

  test('stay when the person stops it by the link, without script and once', async () => {
    good(await request())
    const { link } = (await mailsTo(server, person.email)).at(-1) ?? { link: '' }
    const browser = server.browser({ language: 'sl-SI' })
    const { pathname } = new URL(link)
    const page = await browser.request({ url: pathname })
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('<form method="post">')])
    expect(page.body).toContain('Ustavi in obdrži vse')
    // Opening the link, as mail programs do, stops nothing.
    expect(await waiting()).not.toBeNull()
    const press = () =>
      browser.request({
        method: 'POST',
        url: pathname,
        payload: 'keep=keep',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect(await press()).toMatchObject({ statusCode: 303, headers: { location: pathname } })
    expect((await browser.request({ url: pathname })).body).toContain('Nič ne bo odstranjeno')
    expect((await press()).headers.location).toBe(`${pathname}?problem=invalid_token`)
    expect(await browser.call(adminUsers.keepFactors, { token: tokenIn(link) ?? '' })).toMatchObject({
      problem: { code: 'invalid_token' },
    })

    server.clock.advance(25 * HOUR)
    await server.outbox()
    expect(good(await signInWithPassword()).next).toBe('otp')
    ana = { ...ana, ...(await freshOperator()) }
    expect(await recorded()).toEqual([
      ['user.factor_reset_requested', ana.user.id],
      ['user.factor_reset_stopped', id],
    ])
  })

  test('stay when an operator cancels it; canceling again changes nothing', async () => {
    good(await request())
    expect(good(await ana.call(adminUsers.cancelFactorReset, { id })).factor_reset).toBeNull()
    good(await ana.call(adminUsers.cancelFactorReset, { id }))
    const token = await mailedToken(server, person.email)
    expect(good(await server.browser().call(adminUsers.checkFactorReset, { token })).state).toBe('stopped')
    expect(await ownActivity(person)).toEqual(['OPERATOR_CANCELED_FACTOR_RESET', 'OPERATOR_REQUESTED_FACTOR_RESET'])
    expect((await recorded()).map(([type]) => type)).toEqual([
      'user.factor_reset_requested',
      'user.factor_reset_canceled',
    ])
  })

  test('are removed at once by an admin only, also while a removal waits', async () => {
    expect(await request({ immediately: true })).toMatchObject({
      problem: { code: 'insufficient_level', params: { needed: 'admin' } },
    })
    good(await request())
    const token = await mailedToken(server, person.email)
    await grantRole(server, ana, 'admin')
    expect(good(await request({ immediately: true }))).toMatchObject({
      factor_reset: null,
      sign_in_methods: { password: true, two_factor: false },
      sessions: [],
    })
    expect(good(await server.browser().call(adminUsers.checkFactorReset, { token })).state).toBe('done')
    expect(good(await signInWithPassword()).next).toBe('done')
    expect((await recorded()).map(([type]) => type)).toEqual(['user.factor_reset_requested', 'user.factors_reset'])
  })

  test('stay when the mail to the person could not be sent before', async () => {
    good(await request())
    server.clock.advance(24 * HOUR + 1)
    await server.outbox()
    expect(good(await signInWithPassword()).next).toBe('otp')
    ana = { ...ana, ...(await freshOperator()) }
    expect(await waiting()).toBeNull()
    expect(await recorded()).toEqual([
      ['user.factor_reset_requested', ana.user.id],
      ['user.factor_reset_canceled', 'system'],
    ])
    expect((await mailsTo(server, person.email)).map(({ subject }) => subject)).not.toContain(
      'Your second step and passkeys will be removed',
    )
    good(await request())
  })

  test('are removed 24 hours after the mail, where it could be sent only late', async () => {
    good(await request())
    server.clock.advance(20 * HOUR)
    expect((await mailsTo(server, person.email)).at(-1)?.link).toContain('/keep-factors/')
    server.clock.advance(4 * HOUR + 1)
    await server.outbox()
    expect(good(await signInWithPassword()).next).toBe('otp')
    ana = { ...ana, ...(await freshOperator()) }
    const { requested_at = '', due_at = '' } = (await waiting()) ?? {}
    expect(Date.parse(due_at) - Date.parse(requested_at)).toBe(44 * HOUR * 1000)
    server.clock.advance(20 * HOUR - 60)
    await server.outbox()
    expect(good(await signInWithPassword()).next).toBe('otp')
    server.clock.advance(60)
    await server.outbox()
    expect(good(await signInWithPassword()).next).toBe('done')
  })

  test('are not asked for without a note, for a person who has none, and for a disabled one', async () => {
    expect(await ana.call(adminUsers.resetFactors, { id, reason: ' ' })).toMatchObject({
      problem: { code: 'invalid_request', fields: { reason: 'required' } },
    })
    const without = await registerConfirmedUser(server)
    expect(await ana.call(adminUsers.resetFactors, { id: without.user.id, reason })).toMatchObject({
      problem: { code: 'no_factors' },
    })
    good(await ana.call(adminUsers.disableUser, { id, reason: 'A stolen phone' }))
    expect(await request()).toMatchObject({ problem: { code: 'account_disabled' } })
  })

  test('stay when the person shows meanwhile that they have them', async () => {
    good(await request())
    good(await person.call(security.renewRecoveryCodes))
    expect(await waiting()).toBeNull()
  })
})

test('two presses at the same moment stop it once', async () => {
  good(await request())
  const token = await mailedToken(server, person.email)
  const presses = [1, 2, 3].map(() => server.browser().call(adminUsers.keepFactors, { token }))
  expect((await Promise.all(presses)).filter(({ ok }) => ok)).toHaveLength(1)
  expect(await ownActivity(person)).toEqual(['STOPPED_FACTOR_RESET', 'OPERATOR_REQUESTED_FACTOR_RESET'])
})

test('an unknown link is not valid, and ended removals are deleted after 30 days', async () => {
  const page = await server.browser().request({ url: '/keep-factors/nobody' })
  expect([page.statusCode, page.body]).toEqual([400, expect.stringContaining('This link is not valid')])
  good(await request())
  const token = await mailedToken(server, person.email)
  good(await server.browser().call(adminUsers.keepFactors, { token }))
  const prune = () => server.deps.transaction((deps) => pruneFactorResets(deps, 100))
  server.clock.advance(29 * 24 * HOUR)
  await prune()
  expect((await server.browser().call(adminUsers.checkFactorReset, { token })).ok).toBe(true)
  server.clock.advance(2 * 24 * HOUR)
  await prune()
  expect((await server.browser().call(adminUsers.checkFactorReset, { token })).ok).toBe(false)
})
