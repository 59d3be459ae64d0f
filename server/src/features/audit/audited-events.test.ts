import {
  account,
  adminUsers,
  clientAccess,
  clients,
  developers,
  members,
  privacy,
  scopes,
  security,
  sessions,
  signIn,
  users,
} from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenIn } from '../../../../testing/mail.ts'
import { authenticator } from '../../../test/authenticator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet } from '../../../test/people.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import {
  mailedToken,
  mailsTo,
  type RegisteredUser,
  registerConfirmedUser,
  tabOf,
} from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, signInTo, userinfo } from '../../../test/third-party.ts'
import { resetFactors } from '../admin-users/public.ts'
import { deleteDueAccounts } from '../privacy/public.ts'
import {
  AUDITED_ACTIVITIES,
  AUDITED_DEVELOPER_ACTIVITIES,
  AUDITED_SECURITY_EVENTS,
  kindOf,
  subjectOf,
} from './audited-events.ts'
import { verifyAudit } from './verify.ts'

/**
 * The tables of what the audit log has, walked over the real server: a story makes every activity and event happen, and each
 * row of the activity must have its event in the log.
 */
let server: TestServer
let ana: RegisteredUser
let bor: RegisteredUser
/** Texts that must not be in the log. */
const secrets: string[] = []
beforeAll(async () => {
  server = await startTestServer()
  ana = await registerConfirmedUser(server)
  bor = await registerConfirmedUser(server)
})
afterAll(() => server.close())

const events = () => server.store.db.selectFrom('audit_events').selectAll().orderBy('position').execute()
const keep = (...values: (string | null | undefined)[]) =>
  void secrets.push(...values.filter((value): value is string => Boolean(value)))

let networks = 0
/** A browser in a network of its own. */
const stranger = () => server.browser({ ip: `10.90.${networks++}.1` })

describe('actions of members in an organization', () => {
  test('is in the log as often as in the activity of the organization: each type, with subject and actor', async () => {
    const PICTURE = await halves('png')
    const { developer_id } = await createOrganization(server, ana)
    good(await ana.call(developers.updateDeveloper, { company: 'Kraški studio d.o.o.' }))
    good(await ana.call(developers.setLogo, { logo: fileOf(PICTURE) }))
    const { db } = server.store
    await db.updateTable('developers').set({ approval: 'rejected' }).where('id', '=', developer_id).execute()
    good(await ana.call(developers.requestApproval))
    await db.updateTable('developers').set({ approval: null }).where('id', '=', developer_id).execute()
    const first = good(await ana.call(members.inviteMember, { email: 'waits@example.com' }))
    keep('waits@example.com', first.link.split('/').at(-1))
    good(await ana.call(members.removeMember, { id: first.id }))
    const join = async () => {
      const { link } = good(await ana.call(members.inviteMember, { email: bor.email }))
      good(await bor.call(members.acceptInvitation, { token: link.split('/').at(-1) ?? '' }))
      return good(await ana.call(members.listMembers)).find(({ user }) => user.id === bor.user.id)?.id ?? ''
    }
    const id = await join()
    good(await ana.call(members.changeLevel, { id, permission: 'analyst' }))
    good(await ana.call(members.removeMember, { id }))
    await join()
    good(await bor.call(members.leaveDeveloper))

    const app = good(await ana.call(clients.createClient, { ...jadrolet }))
    const client = { id: app.client_id }
    keep(app.client_secret)
    good(await ana.call(clients.updateClientInfo, { ...client, description: 'Letalske vozovnice' }))
    good(await ana.call(clients.setIcon, { ...client, icon: fileOf(PICTURE) }))
    for (const enabled of [false, true]) good(await ana.call(clients.updateClientInfo, { ...client, enabled }))
    good(await ana.call(clients.updateClientInfo, { ...client, scopes: ['openid', 'email'] }))
    good(await ana.call(clients.updateAdvanced, { ...client, allow_popup: true }))
    await db.updateTable('clients').set({ approval: 'rejected' }).where('client_id', '=', app.client_id).execute()
    good(await ana.call(clients.requestClientApproval, client))
    await db.updateTable('clients').set({ approval: null }).where('client_id', '=', app.client_id).execute()
    const redirect_uri = 'https://jadrolet.example/callback'
    good(await ana.call(clients.addRedirectUri, { ...client, redirect_uri }))
    good(await ana.call(clients.removeRedirectUri, { ...client, redirect_uri }))
    const origin = 'https://jadrolet.example'
    good(await ana.call(clients.addOrigin, { ...client, origin }))
    good(await ana.call(clients.removeOrigin, { ...client, origin }))
    keep(good(await ana.call(clients.regenerateSecret, client)).client_secret)
    const key = `${app.client_id}.flights.read`
    good(await ana.call(scopes.defineScope, { ...client, key, title: { 'en-US': 'Read' } }))
    const api = { identifier: 'https://api.jadrolet.example', name: 'Flights', scopes: [key] }
    const { resource_id } = good(await ana.call(scopes.addResource, { ...client, ...api }))
    good(await ana.call(scopes.removeResource, { ...client, resource_id }))
    good(await ana.call(scopes.removeScope, { ...client, key }))
    await allow(bor, app, 'openid email')
    for (const blocked of [true, false]) good(await ana.call(users.setUserBlocked, { id: bor.user.id, blocked }))
    await ana.call(users.exportUsers, {})
    good(await ana.call(clientAccess.setAccess, { ...client, mode: 'people', people: [bor.email] }))
    good(await ana.call(clients.deleteClient, client))

    const activity = await server.store.db
      .selectFrom('developer_activities')
      .selectAll()
      .where('developer_id', '=', developer_id)
      .orderBy('id')
      .execute()
    expect(new Set(activity.map(({ type }) => type))).toEqual(new Set(Object.keys(AUDITED_DEVELOPER_ACTIVITIES)))
    const recorded = (await events()).filter((event) => event.organization_id === developer_id)
    const byId = new Map(recorded.map((event) => [event.id, event]))
    expect(recorded.map(({ type, actor_id }) => [type, actor_id])).toEqual(
      activity.map(({ type, user_id }) => [
        AUDITED_DEVELOPER_ACTIVITIES[type as keyof typeof AUDITED_DEVELOPER_ACTIVITIES].type,
        user_id,
      ]),
    )
    for (const { type, subject_kind, subject_id, ip, request_id } of byId.values()) {
      expect([type, subject_kind]).toEqual([type, type.split('.')[0]])
      expect(subject_id).toBeTruthy()
      expect([type, ip, request_id]).toEqual([type, expect.stringMatching(/^\d/), expect.any(String)])
    }
    const changes = (type: string) =>
      recorded.flatMap((event) => (event.type === type && event.changes ? [JSON.parse(event.changes)] : []))
    expect(changes('organization.changed')).toEqual([
      { company: [null, 'Kraški studio d.o.o.'] },
      { fields: [null, 'logo'] },
    ])
    expect(changes('member.level_changed')).toEqual([{ level: ['member', 'analyst'] }])
    expect(changes('client.changed')).toEqual([
      { description: [null, 'Letalske vozovnice'] },
      { fields: [null, 'icon'] },
      { enabled: [true, false] },
      { enabled: [false, true] },
      { scopes: ['openid profile email', 'openid email'] },
      { allow_popup: [false, true] },
    ])
    expect(changes('client.redirect_uri_removed')).toEqual([{ redirect_uri: [redirect_uri, null] }])

    good(await ana.call(developers.deleteDeveloper, { name: 'Kraški studio' }))
    expect((await events()).at(-1)).toMatchObject({
      type: 'organization.deleted',
      actor_id: ana.user.id,
      subject_id: developer_id,
      changes: JSON.stringify({ name: ['Kraški studio', null] }),
    })
  })

  test('has a subject of the kind that the type names', () => {
    const ids = { developer_id: 'organization', user_id: 'member', client_id: 'client', params: { user: 'user' } }
    for (const { type } of Object.values(AUDITED_DEVELOPER_ACTIVITIES)) {
      const { kind, id } = subjectOf(type, ids)
      expect([type, kind, id]).toEqual([type, kindOf(type), kind === 'invitation' ? 'organization' : kind])
    }
  })
})

describe('changes of people to their accounts', () => {
  test('is in the log where it concerns security; ordinary sign-ins, consents and tokens are not', async () => {
    const person = await registerConfirmedUser(server)
    keep(person.password)
    const about = async () => (await events()).filter(({ subject_id }) => subject_id === person.user.id)

    const factor = await withSecondFactor(server, person)
    keep(factor.phone.secret, ...factor.codes)
    const login = async (browser: Caller) => {
      good(await browser.call(signIn.login, { username: person.email, password: person.password }))
      good(await browser.call(signIn.loginOtp, { otp_token: factor.phone.code() }))
      return browser
    }
    const key = authenticator()
    const response = key.create(good(await person.call(security.passkeyOptions)))
    const passkey = good(await person.call(security.addPasskey, { name: 'Telefon', response }))
    good(await person.call(security.removePasskey, { id: passkey.id }))
    keep(...good(await person.call(security.renewRecoveryCodes)).recovery_codes)
    const next = `next-${person.email}`
    good(await person.call(account.updateAccount, { email: next }))
    good(await person.call(security.verifyEmail, { token: await mailedToken(server, next) }))
    person.email = next
    const other = await login(stranger())
    const { session_id: id } = good(await other.call(account.getAccount))
    good(await person.call(sessions.logoutSession, { id }))
    good(await person.call(privacy.requestData))
    good(await person.call(security.changePassword, { current_password: person.password, new_password: NEW_PASSWORD }))
    person.password = NEW_PASSWORD
    keep(NEW_PASSWORD)
    const helper = { command: 'test', role: 'admin', locale: 'en-US' } as const
    await server.deps.transaction((tx) => resetFactors(tx, helper, { id: person.user.id, reason: 'A call' }))
    const mails = await mailsTo(server, person.email)
    const kept = tokenIn(mails.find(({ link }) => link?.includes('/keep-factors/'))?.link ?? '') ?? ''
    good(await server.browser().call(adminUsers.keepFactors, { token: kept }))
    good(await person.call(privacy.deleteAccount, { password: person.password }))
    const back = await login(stranger())
    good(await back.call(security.disableOtp, { otp_token: factor.phone.code() }))
    const forgotten = stranger()
    good(await forgotten.call(signIn.forgotPassword, { email: person.email }))
    const token = await mailedToken(server, person.email)
    good(await forgotten.call(signIn.resetPassword, { token, new_password: LAST_PASSWORD }))
    person.password = LAST_PASSWORD
    keep(token, kept, LAST_PASSWORD)

    const before = (await events()).length
    const browser = stranger()
    good(await browser.call(signIn.login, { username: person.email, password: person.password }))
    const user = good(await browser.call(account.getAccount))
    await createOrganization(server, ana)
    const app = good(await ana.call(clients.createClient, { ...jadrolet }))
    const quiet = (await events()).length - 2
    expect(quiet).toBe(before)
    await allow({ ...browser, user }, app, 'openid email')
    const tokens = await signInTo(server, { ...browser, user }, app, { scope: 'openid email' })
    keep(tokens.access_token)
    await userinfo(server, tokens.access_token)
    good(await browser.call(sessions.refresh))
    good(await browser.call(sessions.logout))
    expect((await events()).length).toBe(quiet + 2)

    const activity = await server.store.db
      .selectFrom('activities')
      .select(['type', 'session_id'])
      .where('user_id', '=', person.user.id)
      .orderBy('id')
      .execute()
    const expected = activity.flatMap(({ type, session_id }) => {
      const audited = AUDITED_ACTIVITIES[type as keyof typeof AUDITED_ACTIVITIES]
      if (audited === null) return []
      return [audited === 'user.password_changed' && session_id === null ? 'user.password_reset' : audited]
    })
    const own = (await about()).filter(({ actor_id }) => actor_id === person.user.id)
    expect(own.map(({ type }) => type)).toEqual(expected)
    const possible = Object.values(AUDITED_ACTIVITIES).filter((type) => type !== null)
    expect(new Set(expected)).toEqual(new Set([...possible, 'user.password_reset']))
    for (const { type, ip, request_id } of own)
      expect([type, ip, request_id]).toEqual([type, expect.stringMatching(/^\d/), expect.any(String)])
  })
})

const NEW_PASSWORD = 'drugacno-geslo-kot-prej'
const LAST_PASSWORD = 'tretje-geslo-po-povezavi'

describe('possible attacks', () => {
  /** Makes the event happen; resolves with its subject and actor. */
  const HAPPENS: Record<
    keyof typeof AUDITED_SECURITY_EVENTS,
    () => Promise<{ subject: string; actor: [kind: string, id: string | null] }>
  > = {
    async password_throttled() {
      const person = await registerConfirmedUser(server)
      await guess(person.email, 12)
      return { subject: person.user.id, actor: ['system', null] }
    },
    async password_locked() {
      const person = await registerConfirmedUser(server)
      const [key, blocked_until] = [`user:${person.user.id}`, null]
      const updated_at = server.clock.now().toISOString()
      await server.store.db.insertInto('throttles').values({ key, failures: 99, blocked_until, updated_at }).execute()
      await guess(person.email, 1)
      return { subject: person.user.id, actor: ['system', null] }
    },
    async codes_throttled() {
      const person = await registerConfirmedUser(server)
      await withSecondFactor(server, person)
      for (let i = 0; i < 10; i += 1) await person.call(sessions.reauthenticate, { otp_token: '000000' })
      return { subject: person.user.id, actor: ['system', null] }
    },
    async session_replayed() {
      const person = await registerConfirmedUser(server)
      const thief = tabOf(server, person)
      good(await person.call(sessions.refresh))
      server.clock.advance(31)
      await thief.call(sessions.refresh)
      return { subject: person.user.id, actor: ['system', null] }
    },
    async signed_out_elsewhere() {
      const person = await registerConfirmedUser(server)
      good(await person.call(sessions.logoutAll, {}))
      return { subject: person.user.id, actor: ['user', person.user.id] }
    },
    async signed_out_everywhere() {
      const person = await registerConfirmedUser(server)
      good(await person.call(sessions.logoutAll, { include_current: true }))
      return { subject: person.user.id, actor: ['user', person.user.id] }
    },
    async network_throttled() {
      for (let i = 0; i < 20; i += 1)
        await server
          .browser({ ip: `10.77.7.${i + 1}` })
          .call(signIn.login, { username: `nobody${i}@example.com`, password: 'Poletje2026!' })
      return { subject: '10.77.7.0/24', actor: ['system', null] }
    },
    async token_replayed() {
      const person = await registerConfirmedUser(server)
      const owner = await registerConfirmedUser(server)
      await createOrganization(server, owner)
      const app = good(await owner.call(clients.createClient, { ...jadrolet }))
      await allow(person, app)
      const { form } = await codeFor(person, app)
      keep(form.code)
      for (let i = 0; i < 3; i += 1) await post(server, app, '/token', form)
      return { subject: person.user.id, actor: ['client', app.client_id] }
    },
  }

  async function guess(username: string, times: number) {
    for (let i = 0; i < times; i += 1) {
      const { http } = await stranger().call(signIn.login, { username, password: 'napacno geslo' })
      if (http === 429) i -= 1
      server.clock.advance(http === 429 ? 15 * 60 : 0)
    }
  }

  test.each(Object.entries(AUDITED_SECURITY_EVENTS))('%s', async (event, type) => {
    const before = (await events()).length
    const { subject, actor } = await HAPPENS[event as keyof typeof HAPPENS]()
    const recorded = (await events()).slice(before).filter((row) => row.type === type)
    expect(recorded).toHaveLength(1)
    expect(recorded[0]).toMatchObject({ actor_kind: actor[0], actor_id: actor[1], ip: expect.stringMatching(/^\d/) })
    expect(recorded[0]?.subject_id).toContain(subject)
  })

  test('is recorded for an unknown name, too, so that answers tell nothing by their time', async () => {
    const before = (await events()).length
    await guess('nobody-at-all@example.com', 11)
    expect((await events()).slice(before)).toMatchObject([
      { type: 'user.throttled', subject_kind: 'login', subject_id: 'unknown' },
    ])
  })
})

test('a deleted account leaves the event, and nothing about it but the id', async () => {
  const person = await registerConfirmedUser(server)
  good(await person.call(privacy.deleteAccount, { password: person.password }))
  server.clock.advance(15 * 24 * 60 * 60)
  await deleteDueAccounts(server.deps, 100)
  expect((await events()).at(-1)).toMatchObject({
    type: 'user.deleted',
    actor_kind: 'system',
    subject_id: person.user.id,
    changes: null,
  })
})

test('the log has none of the secrets that were used, and its chain is whole', async () => {
  const text = JSON.stringify(await events())
  expect(secrets.length).toBeGreaterThan(20)
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect((await verifyAudit(server.store.read)).broken).toBeUndefined()
})
