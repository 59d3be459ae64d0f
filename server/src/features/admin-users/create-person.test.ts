import {
  account,
  accountInvitations,
  activity,
  adminUsers,
  audit,
  groups,
  privacy,
  security,
  signIn,
} from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenIn } from '../../../../testing/mail.ts'
import { authenticator } from '../../../test/authenticator.ts'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { mailedToken, mailsTo, type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneAll } from '../../prune.ts'

const DAY = 24 * 60 * 60
const password = 'burja-nad-krasom-7'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  // Changes need a sign-in of the last ten minutes, and each of these tests has its own days.
  ana = await createOperator(server, { ...people.ana, email: `operator-${++count}@example.com` }, 'admin')
})

let count = 0
async function create(more: object = {}) {
  const email = `vida-${++count}@example.com`
  const person = good(await ana.call(adminUsers.createUser, { email, first_name: 'Vida', last_name: 'Žagar', ...more }))
  return { email, id: person.id, person }
}
const types = async (id: string) =>
  good(await ana.call(audit.listAudit, { subject: id, actor: ana.user.id })).map(({ type, changes }) => [type, changes])

describe('a person whom an operator has created', () => {
  test('sets a password by the mailed link, once, and is signed in with a confirmed address', async () => {
    const { email, id, person } = await create()
    expect(person).toMatchObject({ status: 'unconfirmed', first_name: 'Vida', sign_in_methods: { password: false } })
    const [mail] = await mailsTo(server, email)
    // In the language of the operator, until the person takes it over.
    expect(mail?.subject).toBe('Čaka vas račun')
    // The operator may have mistaken the address.
    expect(mail?.text).not.toContain('Vida')
    const token = tokenIn(mail?.link ?? '') ?? ''
    expect(JSON.stringify(person)).not.toContain(token)
    const browser = server.browser()
    expect(good(await browser.call(accountInvitations.checkAccountInvitation, { token }))).toEqual({
      email,
      first_name: 'Vida',
      last_name: 'Žagar',
    })
    expect(await browser.call(accountInvitations.acceptWithPassword, { token, password: 'short' })).toMatchObject({
      problem: { code: 'password_too_short' },
    })
    const presses = [browser, server.browser()].map((one) =>
      one.call(accountInvitations.acceptWithPassword, { token, password }),
    )
    expect((await Promise.all(presses)).filter(({ ok }) => ok)).toHaveLength(1)
    const signedIn = server.browser()
    good(await signedIn.call(signIn.login, { username: email, password }))
    expect(good(await signedIn.call(account.getAccount))).toMatchObject({
      id,
      email_verified: true,
      has_password: true,
    })
    const own = good(await signedIn.call(activity.listActivity)).map(({ type }) => type)
    expect(own).toEqual(['LOGGED_IN', 'CREATED_ACCOUNT', 'OPERATOR_CREATED_ACCOUNT'])
    expect(await types(id)).toEqual([['user.created', { invitation: [null, true] }]])
    expect(await browser.call(accountInvitations.checkAccountInvitation, { token })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
  })

  test('sets a passkey instead, in the browser that asked for the options', async () => {
    const { email } = await create()
    const token = await mailedToken(server, email)
    const browser = server.browser()
    const key = authenticator()
    const response = key.create(good(await browser.call(accountInvitations.acceptPasskeyOptions, { token })))
    const passkey = { token, name: 'Telefon', response }
    expect(await server.browser().call(accountInvitations.acceptWithPasskey, passkey)).toMatchObject({
      problem: { code: 'invalid_passkey' },
    })
    const again = key.create(good(await browser.call(accountInvitations.acceptPasskeyOptions, { token })))
    const user = good(await browser.call(accountInvitations.acceptWithPasskey, { ...passkey, response: again }))
    expect(user).toMatchObject({ email_verified: true, has_password: false, passkeys: 1 })
    expect((await browser.call(account.getAccount)).ok).toBe(true)
  })

  test.each([
    [
      'the invitation',
      async (token: string, browser: Caller) =>
        browser.call(accountInvitations.acceptWithPassword, { token, password }),
    ],
    [
      'the link of a forgotten password',
      async (_: string, browser: Caller, email: string) => {
        good(await server.browser().call(signIn.forgotPassword, { email }))
        const token = await mailedToken(server, email)
        return browser.call(signIn.resetPassword, { token, new_password: password })
      },
    ],
  ])('has the language in which they use %s, and gets mails in it', async (_, use) => {
    const { email } = await create()
    const token = await mailedToken(server, email)
    good<unknown>(await use(token, server.browser({ language: 'hr-HR' }), email))
    const browser = server.browser()
    good(await browser.call(signIn.login, { username: email, password }))
    expect(good(await browser.call(account.getAccount)).language).toEqual(['hr-HR'])
    expect((await mailsTo(server, email)).at(-1)?.subject).toBe('Prijava s novog uređaja')
  })

  test('keeps the name when the first password is set by the link of a forgotten one', async () => {
    const { email } = await create({ send_invitation: false })
    expect(await mailsTo(server, email)).toEqual([])
    good(await server.browser().call(signIn.forgotPassword, { email }))
    const token = await mailedToken(server, email)
    good(await server.browser().call(signIn.resetPassword, { token, new_password: password }))
    const browser = server.browser()
    good(await browser.call(signIn.login, { username: email, password }))
    expect(good(await browser.call(account.getAccount))).toMatchObject({ first_name: 'Vida', email_verified: true })
  })

  test('is invited again, and at a corrected address; only the newest link works, for 7 days', async () => {
    const { email, id } = await create()
    const first = await mailedToken(server, email)
    good(await ana.call(adminUsers.sendPasswordReset, { id }))
    const second = await mailedToken(server, email)
    const corrected = `right-${email}`
    expect(good(await ana.call(adminUsers.updateUser, { id, email: corrected })).email).toBe(corrected)
    const third = await mailedToken(server, corrected)
    const check = (token: string) => server.browser().call(accountInvitations.checkAccountInvitation, { token })
    expect([(await check(first)).ok, (await check(second)).ok, (await check(third)).ok]).toEqual([false, false, true])
    server.clock.advance(7 * DAY + 1)
    expect((await check(third)).ok).toBe(false)
  })

  test('is restored by no link that was mailed before the operator deleted the account, as at a mistyped address', async () => {
    const { email, id } = await create()
    const invitation = await mailedToken(server, email)
    const stranger = server.browser()
    good(await stranger.call(signIn.forgotPassword, { email }))
    const reset = await mailedToken(server, email)
    server.clock.advance(1)
    good(await ana.call(adminUsers.deleteUser, { id }))
    const invalid = { problem: { code: 'invalid_token' } }
    const check = (token: string) => stranger.call(accountInvitations.checkAccountInvitation, { token })
    expect(await check(invitation)).toMatchObject(invalid)
    const accept = (token: string) => stranger.call(accountInvitations.acceptWithPassword, { token, password })
    expect(await accept(invitation)).toMatchObject(invalid)
    expect(await stranger.call(signIn.checkPasswordLink, { token: reset })).toMatchObject(invalid)
    const input = { token: reset, new_password: password }
    expect(await stranger.call(signIn.resetPassword, input)).toMatchObject(invalid)
    const { length } = await mailsTo(server, email)
    good(await stranger.call(signIn.forgotPassword, { email }))
    expect(await mailsTo(server, email)).toHaveLength(length)
    expect(good(await ana.call(adminUsers.getAdminUser, { id })).status).toBe('deleting')

    // An operator restores it, or invites the person again.
    good(await ana.call(adminUsers.restoreUser, { id }))
    expect(await check(invitation)).toMatchObject({ ok: true })
    good(await ana.call(adminUsers.deleteUser, { id }))
    server.clock.advance(1)
    good(await ana.call(adminUsers.sendPasswordReset, { id }))
    good(await accept(await mailedToken(server, email)))
    expect(good(await ana.call(adminUsers.getAdminUser, { id })).status).toBe('active')
  })

  test('is not deleted after 14 days while a link that was sent again works (operators §9)', async () => {
    const invited = [await create(), await create()]
    server.clock.advance(13 * DAY)
    ana = await createOperator(server, { ...people.ana, email: `operator-${++count}@example.com` }, 'admin')
    for (const { id } of invited) good(await ana.call(adminUsers.sendPasswordReset, { id }))
    const [accepts, waits] = invited.map(({ email }) => email) as [string, string]
    const token = await mailedToken(server, accepts)
    server.clock.advance(6 * DAY)
    await pruneAll(server.deps)
    good(await server.browser().call(accountInvitations.acceptWithPassword, { token, password }))
    server.clock.advance(2 * DAY)
    await pruneAll(server.deps)
    const left = server.store.read.selectFrom('users').select('email').where('email', 'in', [accepts, waits])
    expect(await left.execute()).toEqual([{ email: accepts }])
  })

  test('is a member of the groups that an admin names; support names none', async () => {
    const key = `team-${++count}`
    good(await ana.call(groups.createGroup, { key, name: 'Team' }))
    const { id, person } = await create({ groups: [key] })
    expect(person.groups).toMatchObject([{ key, name: 'Team' }])
    // In the order in which it happens, also for the person: nobody is in a group before the account exists.
    expect((await types(id)).map(([type]) => type)).toEqual(['user.group_added', 'user.created'])
    expect(person.activity.map(({ type }) => type)).toEqual(['OPERATOR_ADDED_TO_GROUP', 'OPERATOR_CREATED_ACCOUNT'])
    const email = `vida-${++count}@example.com`
    expect(await ana.call(adminUsers.createUser, { email, groups: [key, 'nobody'] })).toMatchObject({
      problem: { code: 'invalid_request', fields: { groups: 'unknown' } },
    })
    await grantRole(server, ana, 'support')
    expect(await ana.call(adminUsers.createUser, { email, groups: [key] })).toMatchObject({
      problem: { code: 'insufficient_level', params: { needed: 'admin' } },
    })
    expect((await ana.call(adminUsers.createUser, { email })).ok).toBe(true)
  })

  test('has an address of nobody else', async () => {
    const { email } = await create()
    expect(await ana.call(adminUsers.createUser, { email })).toMatchObject({
      problem: { code: 'email_exists', fields: { email: 'taken' } },
    })
    const other = await registerConfirmedUser(server)
    expect(await ana.call(adminUsers.updateUser, { id: other.user.id, email })).toMatchObject({
      problem: { code: 'email_exists' },
    })
  })
})

describe('an account that an operator changes', () => {
  let person: RegisteredUser
  let id: string
  beforeEach(async () => {
    person = await registerConfirmedUser(server)
    id = person.user.id
  })

  test('gets the names at once and the address after its confirmation; the log names fields, not values', async () => {
    const email = `moved-${person.email}`
    const changed = good(await ana.call(adminUsers.updateUser, { id, first_name: 'Vida', email }))
    expect(changed).toMatchObject({ first_name: 'Vida', email: person.email, pending_email: email })
    good(await server.browser().call(security.verifyEmail, { token: await mailedToken(server, email) }))
    expect(good(await ana.call(adminUsers.getAdminUser, { id })).email).toBe(email)
    // Repeating the same values changes nothing.
    good(await ana.call(adminUsers.updateUser, { id, first_name: 'Vida', email }))
    expect(await types(id)).toEqual([['user.changed', { fields: [null, 'first_name, email'] }]])
    const own = good(await person.call(activity.listActivity)).map(({ type }) => type)
    expect(own.slice(0, 2)).toEqual(['CHANGED_EMAIL', 'OPERATOR_CHANGED_PROFILE'])
  })

  test('keeps its address when the operator takes a mistyped new one back: the link that was mailed there is void', async () => {
    const mistyped = `stranger-${person.email}`
    good(await ana.call(adminUsers.updateUser, { id, email: mistyped }))
    const token = await mailedToken(server, mistyped)
    const kept = good(await ana.call(adminUsers.updateUser, { id, pending_email: null }))
    expect(kept).toMatchObject({ email: person.email, pending_email: null })
    expect(await server.browser().call(security.verifyEmail, { token })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    // Repeating it changes nothing, and is not recorded.
    good(await ana.call(adminUsers.updateUser, { id, pending_email: null }))
    expect(await types(id)).toEqual([
      ['user.changed', { fields: [null, 'pending_email'] }],
      ['user.changed', { fields: [null, 'email'] }],
    ])
  })

  test('is deleted in 14 days as by the person, and restored before', async () => {
    const deleted = good(await ana.call(adminUsers.deleteUser, { id }))
    expect(deleted).toMatchObject({ status: 'deleting', sessions: [] })
    expect(good(await ana.call(adminUsers.deleteUser, { id })).deletion_due_at).toBe(deleted.deletion_due_at)
    expect(await person.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(good(await ana.call(adminUsers.restoreUser, { id })).status).toBe('active')
    good(await ana.call(adminUsers.restoreUser, { id }))
    const subjects = (await mailsTo(server, person.email)).map(({ subject }) => subject)
    expect(subjects.slice(-2)).toEqual(['Your account will be deleted', 'Your account won’t be deleted'])
    expect((await types(id)).map(([type]) => type)).toEqual(['user.restored', 'user.deletion_requested'])
    const browser = server.browser()
    good(await browser.call(signIn.login, { username: person.email, password: person.password }))
    const own = good(await browser.call(activity.listActivity)).map(({ type }) => type)
    expect(own.slice(1, 3)).toEqual(['OPERATOR_UNDID_DELETION', 'OPERATOR_BEGAN_DELETION'])
  })

  test('is not deleted while an organization would lose its only owner, nor the last admin', async () => {
    const organization = await createOrganization(server, person, 'Kraški studio')
    await organization.join(await registerConfirmedUser(server), 'member')
    expect(await ana.call(adminUsers.deleteUser, { id })).toMatchObject({
      problem: { code: 'last_owner', params: { organizations: 'Kraški studio' } },
    })
    await server.store.db.deleteFrom('operators').where('user_id', '!=', ana.user.id).execute()
    expect(await ana.call(adminUsers.deleteUser, { id: ana.user.id })).toMatchObject({
      problem: { code: 'last_operator' },
    })
    await grantRole(server, ana, 'admin')
    expect((await person.call(privacy.previewDeletion)).ok).toBe(true)
  })
})
