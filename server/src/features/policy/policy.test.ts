import {
  activity,
  adminUsers,
  audit,
  clients,
  DEFAULT_POLICY,
  type InputOf,
  paths,
  policy,
  security,
  sessions,
  signIn,
} from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../test/authenticator.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { mailsTo, registerConfirmedUser, registerUser, signInAgain } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneAll } from '../../prune.ts'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server.close())

const DAY = 24 * 60 * 60

async function signInAsAdmin(): Promise<void> {
  good(await ana.call(signIn.login, { username: people.ana.email, password: people.ana.password }))
  good(await ana.call(signIn.loginOtp, { otp_token: ana.phone.code() }))
}

/** Changes the policy until the end of `work`. */
async function under(changes: InputOf<typeof policy.updatePolicy>, work: () => Promise<void>): Promise<void> {
  const before = good(await ana.call(policy.getPolicy))
  good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() }))
  good(await ana.call(policy.updatePolicy, changes))
  try {
    await work()
  } finally {
    good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() }))
    good(await ana.call(policy.updatePolicy, before))
  }
}

describe('the policy of an installation (operators §8)', () => {
  test('has defaults, and keeps what a change does not name', async () => {
    const before = good(await ana.call(policy.getPolicy))
    expect(before).toEqual({ ...DEFAULT_POLICY, limits: before.limits })
    await under({ password_min_length: 16, limits: { clients_per_organization: 2 } }, async () => {
      const now = good(await ana.call(policy.getPolicy))
      expect(now).toEqual({
        ...before,
        password_min_length: 16,
        limits: { ...before.limits, clients_per_organization: 2 },
      })
    })
  })

  test('records who changed which setting from what to what, and nothing for no change', async () => {
    await under(
      { registration: 'domains', registration_domains: ['b.example', 'a.example', 'b.example'] },
      async () => {
        const newest = async () => good(await ana.call(audit.listAudit, { type: 'policy.changed', limit: 1 }))[0]
        const event = await newest()
        expect(event).toMatchObject({
          actor: { id: ana.user.id },
          changes: { registration: ['open', 'domains'], registration_domains: ['', 'a.example, b.example'] },
        })
        good(await ana.call(policy.updatePolicy, { registration: 'domains' }))
        expect((await newest())?.id).toBe(event?.id)
      },
    )
  })

  test.each([
    [{ registration: 'domains' }, { registration_domains: 'required' }],
    [{ password_sign_in: false, passkey_sign_in: false }, { passkey_sign_in: 'required' }],
    [{ session_idle_days: 91 }, { session_idle_days: 'too_big' }],
    [{ password_min_length: 11 }, { password_min_length: 'too_small' }],
    [{ registration_domains: ['@example.com'] }, { 'registration_domains.0': 'invalid' }],
    [{ limits: { apps: 1 } }, { 'limits.apps': 'unknown' }],
  ] as const)('refuses %j', async (changes, fields) => {
    good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() }))
    const answer = await ana.call(policy.updatePolicy, changes as never)
    expect(answer).toMatchObject({ problem: { code: 'invalid_request', fields } })
  })

  test('keeps a way to sign in for an administrator, and counts people without one', async () => {
    const { people: all, locked_out } = good(await ana.call(policy.countAffected, { password_sign_in: 'false' }))
    expect(locked_out).toBe(all)
    expect(good(await ana.call(policy.countAffected, { passkey_sign_in: false })).locked_out).toBe(0)
    // A person who has not yet accepted an invitation cannot sign in now either.
    good(await ana.call(adminUsers.createUser, { email: 'invited@example.com' }))
    expect(good(await ana.call(policy.countAffected, { passkey_sign_in: false })).locked_out).toBe(0)
    expect(good(await ana.call(policy.countAffected, { password_sign_in: 'false' })).locked_out).toBe(all)
    good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() }))
    expect(await ana.call(policy.updatePolicy, { password_sign_in: false })).toMatchObject({
      http: 409,
      problem: { code: 'last_operator' },
    })
  })

  test('holds on every server soon after the change', async () => {
    const second = await server.secondNode()
    try {
      expect(good(await second.browser().call(policy.getPublicPolicy)).registration).toBe('open')
      await under({ registration: 'closed' }, async () => {
        const registration = async () => good(await second.browser().call(policy.getPublicPolicy)).registration
        await expect.poll(registration).toBe('closed')
      })
    } finally {
      await second.close()
    }
  })
})

describe('settings of the policy', () => {
  test('password_min_length holds for new passwords only', async () => {
    const person = await registerUser(server)
    await under({ password_min_length: 30 }, async () => {
      const answer = await server
        .browser()
        .call(signIn.register, { email: 'long@example.com', password: person.password })
      expect(answer).toMatchObject({ problem: { code: 'password_too_short', params: { min: 30 } } })
      await signInAgain(server, person)
    })
  })

  test('session_idle_days and session_max_days shorten open sessions, and hold for new ones', async () => {
    const open = await registerUser(server)
    await under({ session_idle_days: 2, session_max_days: 3 }, async () => {
      server.clock.advance(30)
      await server.outbox()
      const fresh = await registerUser(server)
      const cookie = (await fresh.request({ method: 'PUT', url: '/v1/auth/refresh', payload: {} })).headers[
        'set-cookie'
      ]
      expect(String(cookie)).toContain(`Max-Age=${2 * DAY}`)
      server.clock.advance(1.5 * DAY)
      good(await fresh.call(sessions.refresh, {}))
      server.clock.advance(DAY)
      expect(await open.call(sessions.refresh, {})).toMatchObject({ http: 401 })
      good(await fresh.call(sessions.refresh, {}))
      server.clock.advance(DAY)
      expect(await fresh.call(sessions.refresh, {})).toMatchObject({ http: 401 })
      // The session of the administrator has ended, too.
      await signInAsAdmin()
    })
  })

  test('shorter sessions also hold for one that a server opens which knows the former policy for a moment', async () => {
    const former = { idle_until: '9999', expires_at: '9999' }
    await under({ session_idle_days: 2, session_max_days: 3 }, async () => {
      await server.outbox()
      const { user } = await registerUser(server)
      const ofUser = server.store.db.updateTable('sessions').set(former).where('id', '=', user.session_id)
      await ofUser.execute()
      server.clock.advance(30)
      await server.outbox()
      const ends = server.store.read.selectFrom('sessions').select(['idle_until', 'expires_at'])
      const [row] = await ends.where('id', '=', user.session_id).execute()
      const inDays = (days: number) => new Date(server.clock.now().getTime() + days * DAY * 1000).toISOString()
      expect(row?.idle_until && row.idle_until <= inDays(2)).toBe(true)
      expect(row?.expires_at && row.expires_at <= inDays(3)).toBe(true)
    })
  })

  test('a mistyped period that is put right at once shortens no session', async () => {
    const { user } = await registerUser(server)
    const ends = server.store.read.selectFrom('sessions').select(['idle_until', 'expires_at'])
    const read = () => ends.where('id', '=', user.session_id).execute()
    const before = await read()
    good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() }))
    const { session_idle_days, session_max_days } = good(await ana.call(policy.getPolicy))
    good(await ana.call(policy.updatePolicy, { session_idle_days: 3, session_max_days: 9 }))
    server.clock.advance(20)
    good(await ana.call(policy.updatePolicy, { session_idle_days, session_max_days }))
    server.clock.advance(10)
    await server.outbox()
    expect(await read()).toEqual(before)
  })

  test('activity_days removes older activity', async () => {
    const person = await registerConfirmedUser(server)
    server.clock.advance(20 * DAY)
    await signInAsAdmin()
    const again = await signInAgain(server, person)
    const types = async () => good(await again.call(activity.listActivity, {})).map(({ type }) => type)
    await pruneAll(server.deps)
    expect(await types()).toContain('CREATED_ACCOUNT')
    await under({ activity_days: 10 }, async () => {
      await pruneAll(server.deps)
      expect(await types()).toEqual(['LOGGED_IN'])
    })
  })

  test('password_sign_in off: operators cannot mail a link that sets a password', async () => {
    good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() }))
    const response = authenticator().create(good(await ana.call(security.passkeyOptions)))
    good(await ana.call(security.addPasskey, { name: 'Telefon', response }))
    const person = await registerConfirmedUser(server)
    await under({ password_sign_in: false }, async () => {
      good(await ana.call(adminUsers.sendPasswordReset, { id: person.user.id }))
      expect((await mailsTo(server, person.email)).at(-1)?.link).toContain(paths.newPasskey(''))
      const key = authenticator().create(good(await person.call(security.passkeyOptions)))
      good(await person.call(security.addPasskey, { name: 'Telefon', response: key }))
      const before = (await mailsTo(server, person.email)).length
      const answer = await ana.call(adminUsers.sendPasswordReset, { id: person.user.id })
      expect(answer).toMatchObject({ http: 403, problem: { code: 'sign_in_method_off' } })
      expect(await mailsTo(server, person.email)).toHaveLength(before)
    })
    good(await ana.call(adminUsers.sendPasswordReset, { id: person.user.id }))
    expect((await mailsTo(server, person.email)).at(-1)?.link).not.toContain(paths.newPasskey(''))
  })

  test('limits hold at once', async () => {
    const person = await registerConfirmedUser(server)
    await createOrganization(server, person)
    await under({ limits: { clients_per_organization: 0 } }, async () => {
      expect(await person.call(clients.createClient, { name: 'Jadrolet' })).toMatchObject({
        http: 409,
        problem: { code: 'limit_reached', params: { limit: 0 } },
      })
    })
    good(await person.call(clients.createClient, { name: 'Jadrolet' }))
  })
})
