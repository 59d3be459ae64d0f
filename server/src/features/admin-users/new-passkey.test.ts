import { accountInvitations, activity, adminUsers, audit, security, signIn } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticator } from '../../../test/authenticator.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { setPolicy } from '../../../test/policy.ts'
import { mailedToken, mailsTo, type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

const HOUR = 60 * 60
const reason = 'Called the number of the personnel file'

let server: TestServer
let ana: Operator
let person: RegisteredUser
let id: string
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
let count = 0
beforeEach(async () => {
  await setPolicy(server, { password_sign_in: true, passkey_sign_in: true })
  ana = await createOperator(server, { ...people.ana, email: `operator-${++count}@example.com` }, 'admin')
  const key = authenticator()
  const response = key.create(good(await ana.call(security.passkeyOptions)))
  good(await ana.call(security.addPasskey, { name: 'Telefon', response }))
  person = await registerConfirmedUser(server)
  id = person.user.id
  await addPasskey()
  await setPolicy(server, { password_sign_in: false })
})

async function addPasskey() {
  const key = authenticator()
  const response = key.create(good(await person.call(security.passkeyOptions)))
  return good(await person.call(security.addPasskey, { name: 'Telefon', response }))
}

const reset = async (more: { immediately?: boolean } = { immediately: true }) =>
  good(await ana.call(adminUsers.resetFactors, { id, reason, ...more }))
const link = () => mailedToken(server, person.email)
const opened = async (token: string) => (await server.browser().call(accountInvitations.checkPasskeyLink, { token })).ok

/** Sets up a passkey by a link in a new browser. */
async function setUp(token: string, browser = server.browser()) {
  const options = await browser.call(accountInvitations.passkeyLinkOptions, { token })
  if (!options.ok) return options
  const response = authenticator().create(options.data)
  return await browser.call(accountInvitations.addPasskeyByLink, { token, name: 'Telefon', response })
}

describe('a person who signs in by passkeys alone, after an operator has removed them', () => {
  test('sets up a new one by the mailed link, once, and is signed in', async () => {
    expect((await reset()).sign_in_methods.passkeys).toBe(0)
    const mail = (await mailsTo(server, person.email)).at(-1)
    expect(mail?.subject).toBe('Set up a new passkey')
    expect(mail?.link).toContain('/new-passkey/')
    const token = await link()
    expect(good(await server.browser().call(accountInvitations.checkPasskeyLink, { token })).email).toBe(person.email)

    const browsers = [server.browser(), server.browser()] as const
    const answers = await Promise.all(browsers.map((browser) => setUp(token, browser)))
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
    const signedIn = browsers[answers.findIndex(({ ok }) => ok)] ?? browsers[0]
    expect(answers.find(({ ok }) => ok)).toMatchObject({ data: { id, passkeys: 1 } })
    expect(await setUp(token)).toMatchObject({ problem: { code: 'invalid_token' } })

    const types = good(await signedIn.call(activity.listActivity)).map(({ type }) => type)
    expect(types.slice(0, 3)).toEqual(['ADDED_PASSKEY', 'LOGGED_IN', 'OPERATOR_RESET_FACTORS'])
    const events = good(await ana.call(audit.listAudit, { subject: id })).map(({ type }) => type)
    expect(events.slice(0, 2)).toEqual(['user.passkey_added', 'user.factors_reset'])
    expect((await mailsTo(server, person.email)).map(({ subject }) => subject)).toContain(
      'A passkey was added to your account',
    )
  })

  test('gets the link when the removal has waited its 24 hours', async () => {
    await reset({})
    expect((await mailsTo(server, person.email)).at(-1)?.link).toContain('/keep-factors/')
    server.clock.advance(24 * HOUR + 1)
    await server.outbox()
    expect(await setUp(await link())).toMatchObject({ ok: true })
  })

  test('has 24 hours', async () => {
    await reset()
    const token = await link()
    server.clock.advance(24 * HOUR - 60)
    expect(await opened(token)).toBe(true)
    server.clock.advance(61)
    expect(await opened(token)).toBe(false)
  })

  test('finds the link stored as a hash only', async () => {
    await reset()
    const token = await link()
    const rows = await server.store.db.selectFrom('one_time_tokens').selectAll().where('user_id', '=', id).execute()
    expect(rows.some(({ kind }) => kind === 'new_passkey')).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('the link to a new passkey', () => {
  test('is not mailed to a person whom the password signs in', async () => {
    await setPolicy(server, { password_sign_in: true })
    await reset()
    expect((await mailsTo(server, person.email)).at(-1)?.subject).toBe('Your second step and passkeys were removed')
  })

  test('is sent again by an operator, only while there is neither passkey nor second factor', async () => {
    expect(await ana.call(adminUsers.sendPasswordReset, { id })).toMatchObject({
      problem: { code: 'sign_in_method_off' },
    })
    await reset()
    const first = await link()
    good(await ana.call(adminUsers.sendPasswordReset, { id }))
    expect(await opened(first)).toBe(false)
    expect(await setUp(await link())).toMatchObject({ ok: true })
  })

  test.each([
    ['the account is disabled', () => ana.call(adminUsers.disableUser, { id, reason: 'A stolen phone' })],
    [
      'the address changes',
      async () => {
        const email = `moved-${person.email}`
        good(await ana.call(adminUsers.updateUser, { id, email }))
        return await server.browser().call(security.verifyEmail, { token: await mailedToken(server, email) })
      },
    ],
    [
      'the password is set by another link',
      async () => {
        await setPolicy(server, { password_sign_in: true })
        good(await server.browser().call(signIn.forgotPassword, { email: person.email }))
        const input = { token: await link(), new_password: 'drugacna-gora-17' }
        return await server.browser().call(signIn.resetPassword, input)
      },
    ],
    [
      'the account has got a second factor',
      async () => {
        await setPolicy(server, { password_sign_in: true })
        good(await person.call(signIn.login, { username: person.email, password: person.password }))
        await withSecondFactor(server, person)
        return { ok: true }
      },
    ],
    [
      'another passkey was added, and removed again',
      async () => {
        await setPolicy(server, { password_sign_in: true })
        good(await person.call(signIn.login, { username: person.email, password: person.password }))
        const { id: key } = await addPasskey()
        good(await ana.call(adminUsers.resetFactors, { id, reason, immediately: true }))
        return { ok: key.length > 0 }
      },
    ],
  ])('is void once %s', async (_, happen) => {
    await reset()
    const token = await link()
    expect(await opened(token)).toBe(true)
    expect((await happen()).ok).toBe(true)
    expect(await opened(token)).toBe(false)
    expect((await setUp(token)).ok).toBe(false)
  })

  test('works, too, once passwords sign in again, as the mailbox could then set a password', async () => {
    await reset()
    const token = await link()
    await setPolicy(server, { password_sign_in: true })
    expect(await setUp(token)).toMatchObject({ ok: true, data: { id, passkeys: 1 } })
  })

  test('does nothing while passkeys are off', async () => {
    await reset()
    const token = await link()
    await setPolicy(server, { password_sign_in: true, passkey_sign_in: false })
    expect(await setUp(token)).toMatchObject({ problem: { code: 'sign_in_method_off' } })
  })

  test('is worth nothing with a passkey that another browser has created, and stays', async () => {
    await reset()
    const token = await link()
    const options = good(await server.browser().call(accountInvitations.passkeyLinkOptions, { token }))
    const response = authenticator().create(options)
    const input = { token, name: 'Telefon', response }
    expect(await server.browser().call(accountInvitations.addPasskeyByLink, input)).toMatchObject({
      problem: { code: 'invalid_passkey' },
    })
    expect(await opened(token)).toBe(true)
  })
})
