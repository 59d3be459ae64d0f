import { account, activity, adminUsers, audit, signIn } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allPages } from '../../../../testing/all-pages.ts'
import { whileUncommitted } from '../../../test/databases/while-uncommitted.ts'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { mailsTo, type RegisteredUser, registerConfirmedUser, registerUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow } from '../../../test/third-party.ts'
import type { TransactionDeps } from '../../deps.ts'
import { pruneAll } from '../../prune.ts'
import { giveRole } from '../operators/public.ts'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'support')
})
afterAll(() => server.close())

const found = async (filter: object) => {
  const list = good(await ana.call(adminUsers.listAdminUsers, filter))
  return list.map(({ email }) => email)
}
const signInWithPassword = ({ email, password }: RegisteredUser) =>
  server.browser().call(signIn.login, { username: email, password })

describe('people are found', () => {
  test('by half an address, a name without accents, a user name, a domain or an id', async () => {
    const cvetka = await registerConfirmedUser(server)
    const profile = { first_name: 'Cvetka', last_name: 'Žagar-Kovač', username: 'cvetje.doma' }
    good(await cvetka.call(account.updateAccount, profile))
    await server.as(people.bor)
    const { email } = cvetka
    const half = email.slice(0, email.indexOf('@') + 4)
    for (const query of [half, 'zagar', 'ŽAGAR-KOV cvet', 'kovač cvetka', 'cvetje.do', 'doma', cvetka.user.id])
      expect([query, await found({ query })]).toEqual([query, [email]])
    for (const query of ['example.com', '@example.com', 'cvetka @example'])
      expect(await found({ query })).toContain(email)
    expect(await found({ query: 'cvetka horvat' })).toEqual([])
    expect(await found({ query: '%' })).toEqual([])
    // A search for the former name finds no user.
    good(await cvetka.call(account.updateAccount, { first_name: 'Vida' }))
    expect(await found({ query: 'cvetka' })).toEqual([])
    expect(await found({ query: 'vida' })).toEqual([email])
  })

  test('by the second of two surnames, once the terms of a name stored by a former version are completed', async () => {
    const { db } = server.store
    const maja = await registerConfirmedUser(server)
    good(await maja.call(account.updateAccount, { last_name: 'Oblak-Sever' }))
    await db.deleteFrom('account_terms').where('term', '=', 'sever').execute()
    await db.deleteFrom('settings').where('key', '=', 'account_terms_complete').execute()
    expect(await found({ query: 'sever' })).toEqual([])
    await pruneAll(server.deps)
    expect(await found({ query: 'sever' })).toEqual([maja.email])
    const settings = db.selectFrom('settings').select('value').where('key', '=', 'account_terms_complete')
    const complete = await settings.executeTakeFirst()
    await pruneAll(server.deps)
    expect(await settings.executeTakeFirst()).toEqual(complete)
  })

  test('by words that thousands have, page by page, each person once', async () => {
    const row = await server.store.read.selectFrom('users').selectAll().limit(1).executeTakeFirstOrThrow()
    const many = Array.from({ length: 1100 }, (_, n) => ({
      ...row,
      id: `0198c000-0001-7000-8000-${String(n).padStart(12, '0')}`,
      email: `vesna${n}@many.example`,
      username: null,
      username_key: null,
      first_name: 'Vesna',
      disabled_at: n % 500 === 7 ? row.created_at : null,
    }))
    const terms = many.flatMap(({ id, email }) => ['vesna', email].map((term) => ({ term, user_id: id })))
    const inParts = async <T>(all: T[], insert: (part: T[]) => Promise<unknown>) => {
      for (let from = 0; from < all.length; from += 500) await insert(all.slice(from, from + 500))
    }
    await inParts(many, (part) => server.store.db.insertInto('users').values(part).execute())
    await inParts(terms, (part) => server.store.db.insertInto('account_terms').values(part).execute())
    const members = many.slice(0, 3).map(({ id }) => ({ group_key: 'many', user_id: id, added_at: row.created_at }))
    await server.store.db
      .insertInto('groups')
      .values({ key: 'many', name: 'Many', description: '', search: 'many', created_at: row.created_at })
      .execute()
    await server.store.db.insertInto('group_members').values(members).execute()

    const everybody = async (filter: Parameters<typeof found>[0]) => {
      const pages = await allPages((from) => ana.call(adminUsers.listAdminUsers, { ...filter, limit: 100, ...from }))
      return pages.flat().map(({ email }) => email)
    }
    const emails = many.map(({ email }) => email)
    expect((await everybody({ query: 'vesna' })).toSorted()).toEqual(emails.toSorted())
    expect((await everybody({ query: 'vesna many', status: 'active' })).length).toBe(0)
    expect(await everybody({ query: 'vesna vesna1099@' })).toEqual(['vesna1099@many.example'])
    expect((await everybody({ query: 'vesna', status: 'active' })).length).toBe(1097)
    const disabled = ['vesna1007@many.example', 'vesna507@many.example', 'vesna7@many.example']
    expect(await everybody({ query: 'vesna', status: 'disabled' })).toEqual(disabled)
    expect(await everybody({ query: 'vesna', group: 'many' })).toEqual(emails.slice(0, 3).toReversed())
    expect(await everybody({ query: 'vesna1@', group: 'many' })).toEqual(['vesna1@many.example'])
    expect(await ana.call(adminUsers.listAdminUsers, { query: 'vesna', cursor: 'x' })).toMatchObject({ http: 400 })
    await server.store.db.deleteFrom('users').where('email', 'like', '%@many.example').execute()
  })

  test('by the longest names, whose characters each fold to three letters, page by page', async () => {
    const names = { first_name: '각'.repeat(60), last_name: '각'.repeat(60) }
    for (const _ of [1, 2]) good(await (await registerConfirmedUser(server)).call(account.updateAccount, names))
    const pages = await allPages((from) => ana.call(adminUsers.listAdminUsers, { query: '각', limit: 1, ...from }))
    expect(pages.map((page) => page.length)).toEqual([1, 1])
  })

  test('by state, newest first, page by page', async () => {
    const newest = await registerUser(server)
    const unconfirmed = await found({ status: 'unconfirmed' })
    expect(unconfirmed[0]).toBe(newest.email)
    expect(await found({ status: 'active' })).not.toContain(newest.email)
    const all = await found({})
    const pages = await allPages((from) => ana.call(adminUsers.listAdminUsers, { limit: 2, ...from }))
    expect(pages.flat().map(({ email }) => email)).toEqual(all)
  })
})

test('an operator sees methods, sessions, names of apps, organizations and activity, and nothing secret', async () => {
  const person = await registerConfirmedUser(server)
  const owner = await registerConfirmedUser(server)
  const organization = await createOrganization(server, owner, 'Kraški studio')
  const app = await organization.app()
  await organization.grant({ ...person } as never, 'analyst')
  await allow(person, { ...app, redirect_uri: jadrolet.redirect_uri }, 'openid email')
  const seen = good(await ana.call(adminUsers.getAdminUser, { id: person.user.id }))
  expect(seen).toMatchObject({
    email: person.email,
    status: 'active',
    sign_in_methods: { password: true, two_factor: false, passkeys: 0 },
    sessions: [{ browser: 'Firefox', methods: ['pwd'] }],
    connections: [{ name: app.name }],
    organizations: [{ name: 'Kraški studio', permission: 'analyst' }],
  })
  expect(seen.activity.map(({ type }) => type)).toContain('CREATED_ACCOUNT')
  expect(JSON.stringify(seen)).not.toMatch(/hash|secret|argon|openid/i)
  expect(await ana.call(adminUsers.getAdminUser, { id: 'nobody' })).toMatchObject({ http: 404 })
})

describe('a disabled person', () => {
  let person: RegisteredUser
  const reason = 'Somebody else used your account. Call us at extension 12.'
  beforeEach(async () => {
    person = await registerConfirmedUser(server)
  })

  test('is signed out at once and reads why, after the right password only', async () => {
    const { id } = person.user
    expect(good(await ana.call(adminUsers.disableUser, { id, reason }))).toMatchObject({
      status: 'disabled',
      disabled: { reason },
      sessions: [],
    })
    expect(await person.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await signInWithPassword(person)).toMatchObject({
      http: 403,
      problem: { code: 'account_disabled', params: { reason } },
    })
    const wrong = await signInWithPassword({ ...person, password: 'ni-pravo-geslo-9' })
    expect(JSON.stringify(wrong)).not.toContain('extension 12')
    expect(wrong).toMatchObject({ problem: { code: 'invalid_credentials' } })
    expect(await found({ status: 'disabled' })).toContain(person.email)

    expect(good(await ana.call(adminUsers.enableUser, { id })).status).toBe('active')
    const again = await signInWithPassword(person)
    expect(again.ok).toBe(true)
  })

  test('finds what the operator did in their own activity; the audit log says who and why', async () => {
    const { id } = person.user
    good(await ana.call(adminUsers.disableUser, { id, reason }))
    good(await ana.call(adminUsers.enableUser, { id }))
    // Enabling again changes nothing and is not recorded.
    good(await ana.call(adminUsers.enableUser, { id }))
    const browser = server.browser()
    good(await browser.call(signIn.login, { username: person.email, password: person.password }))
    const own = good(await browser.call(activity.listActivity)).filter(({ type }) => type.startsWith('OPERATOR'))
    expect(own.map(({ type, ip, browser }) => [type, ip, browser])).toEqual([
      ['OPERATOR_ENABLED_ACCOUNT', null, null],
      ['OPERATOR_DISABLED_ACCOUNT', null, null],
    ])
    const events = good(await ana.call(audit.listAudit, { subject: id, actor: ana.user.id }))
    expect(events.map(({ type, changes, actor }) => [type, changes, actor.id])).toEqual([
      ['user.enabled', { reason: [reason, null] }, ana.user.id],
      ['user.disabled', { reason: [null, reason] }, ana.user.id],
    ])
  })

  test('gets no password link', async () => {
    const { id } = person.user
    good(await ana.call(adminUsers.disableUser, { id, reason }))
    expect(await ana.call(adminUsers.sendPasswordReset, { id })).toMatchObject({
      problem: { code: 'account_disabled' },
    })
  })

  test('gets a reason: without one the call is refused', async () => {
    const { id } = person.user
    expect(await ana.call(adminUsers.disableUser, { id, reason: ' ' })).toMatchObject({
      problem: { code: 'invalid_request', fields: { reason: 'required' } },
    })
    expect((await person.call(account.getAccount)).ok).toBe(true)
  })
})

describe('a locked-out person', () => {
  test('can try again at once after wrong passwords', async () => {
    const person = await registerConfirmedUser(server)
    const wrong = { ...person, password: 'ni-pravo-geslo-9' }
    for (let tries = 0; tries < 11; tries += 1) await signInWithPassword(wrong)
    expect(await signInWithPassword(person)).toMatchObject({ problem: { code: 'too_many_requests' } })
    good(await ana.call(adminUsers.unlockUser, { id: person.user.id }))
    expect((await signInWithPassword(person)).ok).toBe(true)
  })

  test('gets a password link, which the operator never sees, a few times an hour', async () => {
    const person = await registerConfirmedUser(server)
    const send = () => ana.call(adminUsers.sendPasswordReset, { id: person.user.id })
    const answer = good(await send())
    const mail = (await mailsTo(server, person.email)).at(-1)
    expect(mail?.link).toContain('/change-password/')
    expect(JSON.stringify(answer)).not.toContain(mail?.link.split('/').at(-1))
    for (let times = 0; times < 4; times += 1) good(await send())
    expect(await send()).toMatchObject({ problem: { code: 'too_many_requests' } })
  })
})

test('support cannot act on operators; an admin can, but not disable the last admin', async () => {
  const other = await registerConfirmedUser(server)
  const { id } = other.user
  await grantRole(server, other, 'admin')
  const calls = [adminUsers.enableUser, adminUsers.endUserSessions, adminUsers.unlockUser, adminUsers.sendPasswordReset]
  for (const call of calls)
    expect(await ana.call(call, { id })).toMatchObject({ problem: { code: 'insufficient_level' } })
  const disable = () => ana.call(adminUsers.disableUser, { id, reason: 'Gone' })
  expect(await disable()).toMatchObject({ problem: { code: 'insufficient_level', params: { needed: 'admin' } } })
  await grantRole(server, ana, 'admin')
  good(await disable())
  expect(await ana.call(adminUsers.disableUser, { id: ana.user.id, reason: 'Gone' })).toMatchObject({
    problem: { code: 'last_operator' },
  })
  await grantRole(server, other, null)
  await grantRole(server, ana, 'support')
})

test('support does not disable a person who becomes an operator at the same moment', async () => {
  const support = await createOperator(server, { ...people.ana, email: 'support-at-once@example.com' }, 'support')
  const person = await registerConfirmedUser(server)
  const { id, email } = person.user
  const write = (deps: TransactionDeps) => giveRole(deps, { command: 'test' }, { email, role: 'auditor' })
  const disable = () => support.call(adminUsers.disableUser, { id, reason: 'A stolen phone' })
  expect(await whileUncommitted(server, write, disable)).toMatchObject({ problem: { code: 'insufficient_level' } })
})
