import {
  activity,
  adminClients,
  adminOrganizations,
  audit,
  clientAccess,
  clients,
  connections,
  developers,
  groups,
  members,
  system,
} from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorize,
  follow,
  here,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'

let server: TestServer
let ana: Operator
let owner: RegisteredUser
let person: RegisteredUser
let organization: Organization
let app: ThirdParty
let id: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await registerConfirmedUser(server)
  person = await registerConfirmedUser(server)
  organization = await createOrganization(server, owner, 'Kraški Žig')
  app = { ...(await organization.app()), redirect_uri: jadrolet.redirect_uri }
  id = organization.developer_id
})

const change = (input: object) => ana.call(adminOrganizations.updateAdminOrganization, { id, ...input })
const changeApp = (input: object) => ana.call(adminClients.updateAdminClient, { id: app.client_id, ...input })
const recorded = async (subject: string) =>
  good(await ana.call(audit.listAudit, { subject, actor: ana.user.id })).map(({ type, changes }) => [type, changes])
const enable = (id = app.client_id) => owner.call(clients.updateClientInfo, { id, enabled: true })

describe('organizations', () => {
  test('are found by a part of the name without accents and by id, with their members and apps', async () => {
    for (const query of ['ski zig', id]) {
      const list = good(await ana.call(adminOrganizations.listAdminOrganizations, { query, limit: 1 }))
      expect(list).toMatchObject([{ id, name: 'Kraški Žig', status: 'active', members: 1, clients: 1 }])
    }
    good(await owner.call(developers.updateDeveloper, { name: 'Burja' }))
    const list = await ana.call(adminOrganizations.listAdminOrganizations, { query: 'zig' })
    expect(good(list).map((one) => one.id)).not.toContain(id)
    expect(good(await ana.call(adminOrganizations.getAdminOrganization, { id }))).toMatchObject({
      limits: { clients: null, members: null },
      member_list: [{ user: { email: owner.email }, permission: 'owner', active: true }],
      client_list: [{ client_id: app.client_id }],
      ownerless: false,
    })
    expect(await ana.call(adminOrganizations.getAdminOrganization, { id: 'unregistered' })).toMatchObject({ http: 404 })
  })

  test('that are disabled end the tokens of all apps at once, and have the former apps when enabled again', async () => {
    const off = await organization.app({ name: 'Off' })
    good(await owner.call(clients.updateClientInfo, { id: off.client_id, enabled: false }))
    await allow(person, app)
    const { refresh_token = '' } = await signInTo(server, person, app)
    expect(good(await change({ enabled: false })).client_list).toMatchObject([
      { client_id: app.client_id, enabled: false, disabled_by: 'organization' },
      { client_id: off.client_id, enabled: false, disabled_by: null },
    ])
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(401)
    for (const { client_id } of [app, off])
      expect(await enable(client_id)).toMatchObject({ problem: { code: 'disabled_by_operator' } })
    expect(await owner.call(clients.createClient, { name: 'New' })).toMatchObject({
      problem: { code: 'disabled_by_operator' },
    })
    expect(await changeApp({ enabled: true })).toMatchObject({ problem: { code: 'organization_disabled' } })
    const disabled = good(await ana.call(adminOrganizations.listAdminOrganizations, { status: 'disabled' }))
    expect(disabled.map((one) => one.id)).toContain(id)

    const enabled = good(await change({ enabled: true }))
    expect(enabled.client_list.map((one) => one.enabled)).toEqual([true, false])
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
    // Repeating the same change is not recorded.
    good(await change({ enabled: true }))
    expect(await recorded(id)).toEqual([
      ['organization.changed', { enabled: [false, true] }],
      ['organization.changed', { enabled: [true, false] }],
    ])
  })

  test('have what operators decide about them and their apps in their part of the audit log', async () => {
    good(await change({ verified: true }))
    good(await changeApp({ trusted: true, access: { mode: 'people', people: [person.email] } }))
    const { id: token } = good(
      await ana.call(system.createRegistrationToken, { developer_id: id, email: owner.email, uses: 1, days: 1 }),
    )
    good(await ana.call(system.deleteRegistrationToken, { id: token }))
    good(await change({ approved: false, reason: 'Unknown to us' }))
    const events = good(await ana.call(audit.listAudit, { organization: id, actor: ana.user.id }))
    expect(events.map(({ type }) => type)).toEqual([
      'organization.rejected',
      'registration_token.deleted',
      'registration_token.created',
      'client.access_changed',
      'client.changed',
      'organization.changed',
    ])
    expect(events.map(({ organization: where }) => where?.name)).toEqual(events.map(() => 'Kraški Žig'))
  })

  test('do not count an app whose rows are still being deleted', async () => {
    const gone = await organization.app({ name: 'Gone' })
    const deleted_at = server.clock.now().toISOString()
    await server.store.db.updateTable('clients').set({ deleted_at }).where('client_id', '=', gone.client_id).execute()
    const { clients: count, client_list } = good(await ana.call(adminOrganizations.getAdminOrganization, { id }))
    expect([count, client_list.length]).toEqual([1, 1])
  })

  test('have quotas of their own', async () => {
    expect(good(await change({ limits: { clients: 1, members: 1 } })).limits).toEqual({ clients: 1, members: 1 })
    expect(await owner.call(clients.createClient, { name: 'Second' })).toMatchObject({
      problem: { code: 'limit_reached', params: { limit: 1 } },
    })
    expect(await owner.call(members.inviteMember, { email: person.email })).toMatchObject({
      problem: { code: 'limit_reached', params: { limit: 1 } },
    })
    good(await change({ limits: { clients: null } }))
    good(await owner.call(clients.createClient, { name: 'Second' }))
    expect((await recorded(id))[0]).toEqual(['organization.changed', { 'limits.clients': [1, null] }])
  })

  test('are handed to a member only where no owner has an account that can be used', async () => {
    await organization.grant(person, 'developer')
    const transfer = (user_id: string) => ana.call(adminOrganizations.transferOrganization, { id, user_id })
    expect(await transfer(person.user.id)).toMatchObject({ problem: { code: 'has_owner' } })
    const disabled_at = server.clock.now().toISOString()
    await server.store.db.updateTable('users').set({ disabled_at }).where('id', '=', owner.user.id).execute()
    expect(good(await ana.call(adminOrganizations.getAdminOrganization, { id })).ownerless).toBe(true)
    expect(await transfer(owner.user.id)).toMatchObject({ http: 404 })
    expect(await transfer(ana.user.id)).toMatchObject({ http: 404 })
    expect(good(await transfer(person.user.id))).toMatchObject({ ownerless: false })
    expect((await recorded(id))[0]).toEqual(['organization.transferred', { owner: [null, person.user.id] }])
    const [event] = good(await ana.call(audit.listAudit, { subject: id, type: 'organization.transferred' }))
    expect(event?.names).toEqual({ [person.user.id]: person.email })
    expect(good(await person.call(activity.listActivity))[0]?.type).toBe('OPERATOR_GAVE_ORGANIZATION')
  })
})

describe('apps', () => {
  test('are found by name, id, state and organization, page by page', async () => {
    await organization.app({ name: 'Čitalnica' })
    const list = async (input: object) =>
      good(await ana.call(adminClients.listAdminClients, { organization: id, ...input })).map(({ name }) => name)
    expect(await list({ query: 'citaln' })).toEqual(['Čitalnica'])
    expect(await list({ query: app.client_id })).toEqual([jadrolet.name])
    expect(await list({ status: 'disabled' })).toEqual([])
    const first = await ana.call(adminClients.listAdminClients, { organization: id, limit: 1 })
    const cursor = first.ok ? (first.next_cursor ?? '') : ''
    expect([...good(first).map(({ name }) => name), ...(await list({ cursor }))]).toEqual(['Čitalnica', jadrolet.name])
  })

  test('that an operator disables stay disabled for their developers', async () => {
    await allow(person, app)
    const { refresh_token = '' } = await signInTo(server, person, app)
    expect(good(await changeApp({ enabled: false }))).toMatchObject({ enabled: false, disabled_by: 'operator' })
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(401)
    expect(await enable()).toMatchObject({ http: 403, problem: { code: 'disabled_by_operator' } })
    good(await changeApp({ enabled: true }))
    // Ended tokens stay ended.
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
    expect(good(await enable()).enabled).toBe(true)
    expect(await recorded(app.client_id)).toEqual([
      ['client.changed', { enabled: [false, true], disabled_by: ['operator', null] }],
      ['client.changed', { enabled: [true, false], disabled_by: [null, 'operator'] }],
    ])
    expect(await ana.call(adminClients.updateAdminClient, { id: 'vrt_nobody', verified: true })).toMatchObject({
      http: 404,
    })
  })

  test('are limited to a group by an operator: tokens of all others end at once, and it is recorded once', async () => {
    await allow(person, app)
    const { access_token = '' } = await signInTo(server, person, app)
    const key = `limited-${app.client_id
      .slice(-8)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')}`
    good(await ana.call(groups.createGroup, { key, name: 'Limited' }))
    const access = { mode: 'groups', groups: [key], people: [] }
    expect(good(await changeApp({ access, enabled: true, verified: true }))).toMatchObject({ access, verified: true })
    expect((await userinfo(server, access_token)).statusCode).toBe(401)
    expect(good(await owner.call(clientAccess.getAccess, { id: app.client_id }))).toEqual(access)
    expect(good(await changeApp({ access })).access).toEqual(access)
    expect(await recorded(app.client_id)).toEqual([
      ['client.access_changed', { mode: ['everyone', 'groups'], groups: ['', key] }],
      ['client.changed', { verified: [false, true] }],
    ])
    for (const [wrong, fields] of [
      [{ mode: 'groups', groups: ['nothing'] }, { 'access.groups': 'unknown' }],
      [{ mode: 'groups' }, { 'access.groups': 'required' }],
      [{ mode: 'people', people: ['nobody'] }, { 'access.people.0': 'invalid_email' }],
      [{ mode: 'everyone', teams: [] }, { 'access.teams': 'unknown' }],
    ] as const)
      expect(await changeApp({ access: wrong, verified: false })).toMatchObject({ http: 400, problem: { fields } })
    expect(good(await ana.call(adminClients.getAdminClient, { id: app.client_id }))).toMatchObject({
      verified: true,
      access,
    })
    expect(await ana.call(adminClients.getAdminClient, { id: 'vrt_nobody' })).toMatchObject({ http: 404 })
  })

  test('that are verified, or whose organization is, say so on the consent page', async () => {
    const shown = async () =>
      good(await person.call(connections.getConsent, { client: app.client_id, scopes: 'openid' })).client.verified
    expect(await shown()).toBe(false)
    good(await changeApp({ verified: true }))
    expect(await shown()).toBe(true)
    good(await changeApp({ verified: false }))
    good(await change({ verified: true }))
    expect(await shown()).toBe(true)
  })

  test('are no longer verified under another name or picture, which operators have not checked', async () => {
    const info = (input: object) => owner.call(clients.updateClientInfo, { id: app.client_id, ...input })
    const logo = fileOf(await halves('png'))
    const shown = async () =>
      good(await person.call(connections.getConsent, { client: app.client_id, scopes: 'openid' })).client.verified
    const lost = async () => {
      const events = good(await ana.call(audit.listAudit, { organization: id, actor: owner.user.id, limit: 1 }))
      return events[0]?.changes?.verified
    }
    good(await changeApp({ verified: true }))
    good(await info({ description: 'Boats', name: 'Jadrolet' }))
    expect(await shown()).toBe(true)
    for (const rename of [
      () => info({ name: 'Your Bank' }),
      () => owner.call(clients.setIcon, { id: app.client_id, icon: logo }),
      () => owner.call(clients.removeIcon, { id: app.client_id }),
    ]) {
      good(await changeApp({ verified: true }))
      good(await rename())
      expect(await shown()).toBe(false)
      expect(await lost()).toEqual([true, false])
    }
    good(await change({ verified: true }))
    good(await owner.call(developers.updateDeveloper, { website: 'https://zig.example', name: 'Kraški Žig' }))
    expect(await shown()).toBe(true)
    for (const rename of [
      () => owner.call(developers.updateDeveloper, { name: 'Your Bank' }),
      () => owner.call(developers.setLogo, { logo }),
      () => owner.call(developers.removeLogo),
    ]) {
      good(await change({ verified: true }))
      good(await rename())
      expect(await shown()).toBe(false)
      expect(await lost()).toEqual([true, false])
    }
  })
})

describe('a trusted app', () => {
  const scope = 'openid profile email'
  const query = (url: URL) => Object.fromEntries(url.searchParams)
  beforeEach(async () => {
    good(await changeApp({ trusted: true }))
  })
  const connected = async () =>
    good(await person.call(connections.listConnections)).map((one) => one.scopes.map(({ key }) => key))

  test('gets a code without asking; its scopes are listed on Connected apps and in the activity', async () => {
    const back = await authorize(person, app, { scope })
    expect(query(back)).toMatchObject({ code: expect.any(String) })
    expect(await connected()).toEqual([scope.split(' ')])
    // Now natively, from the stored grant.
    expect(query(await authorize(person, app, { scope }))).toMatchObject({ code: expect.any(String) })
  })

  test('gets it for prompt=none, too, and with prompt=consent without the page', async () => {
    expect(query(await authorize(person, app, { scope: 'openid', prompt: 'none' }))).toMatchObject({
      code: expect.any(String),
    })
    const offline = 'openid offline_access'
    good(await owner.call(clients.updateClientInfo, { id: app.client_id, scopes: offline.split(' ') }))
    const asked = await authorize(person, app, { scope: offline, prompt: 'consent' })
    expect(query(await follow(person, here(asked)))).toMatchObject({ code: expect.any(String) })
    expect(await connected()).toEqual([offline.split(' ')])
  })

  test('needs no consent of a person who removed its access, and gets nothing for one whom its organization has blocked', async () => {
    await authorize(person, app, { scope })
    good(await person.call(connections.removeConnection, { client: app.client_id }))
    expect(await connected()).toEqual([])
    expect(query(await authorize(person, app, { scope: 'openid' }))).toMatchObject({ code: expect.any(String) })
    const developer_id = id
    const user_id = person.user.id
    const blocked_at = server.clock.now().toISOString()
    await server.store.db
      .updateTable('developer_users')
      .set({ blocked_at })
      .where('developer_id', '=', developer_id)
      .where('user_id', '=', user_id)
      .execute()
    good(await person.call(connections.removeConnection, { client: app.client_id }))
    expect(query(await authorize(person, app, { scope, prompt: 'none' }))).toMatchObject({ error: 'access_denied' })
    expect(await connected()).toEqual([])
  })

  test('that cannot be identified still asks', async () => {
    const loopback = 'http://127.0.0.1:4000/callback'
    const made = await organization.app({ name: 'Desk', type: 'native', redirect_uri: loopback })
    good(await ana.call(adminClients.updateAdminClient, { id: made.client_id, trusted: true }))
    const native = { ...made, redirect_uri: loopback }
    expect((await authorize(person, native, { scope: 'openid', prompt: 'none' })).searchParams.get('error')).toBe(
      'consent_required',
    )
  })

  test('asks once more when it is no longer trusted', async () => {
    good(await changeApp({ trusted: false }))
    expect(query(await authorize(person, app, { scope, prompt: 'none' }))).toMatchObject({ error: 'consent_required' })
  })
})
