import {
  activity,
  adminClients,
  adminOrganizations,
  audit,
  clientDiagnostics,
  clients,
  connections,
  developers,
  members,
  policy,
  sessions,
  system,
} from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { mailsTo, type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { connectSocket } from '../../../test/sockets.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, post, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'

let server: TestServer
let ana: Operator
let founder: RegisteredUser
let person: RegisteredUser
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
  good(await ana.call(policy.updatePolicy, { organization_creation: 'approved', app_creation: 'approved' }))
})
afterAll(() => server.close())
beforeEach(async () => {
  founder = await registerConfirmedUser(server)
  person = await registerConfirmedUser(server)
})

const decide = (id: string, input: object) => ana.call(adminOrganizations.updateAdminOrganization, { id, ...input })
const decideApp = (id: string, input: object) => ana.call(adminClients.updateAdminClient, { id, ...input })
const recorded = async (subject: string) =>
  good(await ana.call(audit.listAudit, { subject, actor: ana.user.id })).map(({ type, changes }) => [type, changes])
const ownActivity = async () => good(await founder.call(activity.listActivity)).map(({ type }) => type)
const subjects = async () => (await mailsTo(server, founder.email)).map(({ subject }) => subject)
const refusedAs = (code: string) => ({ problem: { code } })
const waiting = async () => good(await ana.call(system.getWaitingApprovals))

/** An approved organization of the founder, with an app that waits. */
async function waitingApp(): Promise<{ organization: Organization; app: ThirdParty; id: string }> {
  const organization = await createOrganization(server, founder)
  good(await decide(organization.developer_id, { approved: true }))
  const app = { ...(await organization.app()), redirect_uri: jadrolet.redirect_uri }
  return { organization, app, id: app.client_id }
}

describe('an organization that waits for approval (operators §12)', () => {
  test('can be edited and deleted, and has no apps and members; operators see it at once', async () => {
    const before = await waiting()
    const page = await connectSocket(server, ana)
    const made = good(await founder.call(developers.createDeveloper, { name: 'Burja' }))
    const { developer_id: id } = made
    expect(made).toMatchObject({ approval: 'pending', approval_reason: null })
    await page.receives('approvals:changed')
    expect(await waiting()).toEqual({ ...before, organizations: before.organizations + 1 })
    expect(good(await ana.call(system.getOverview)).approvals).toEqual(await waiting())
    const list = good(await ana.call(adminOrganizations.listAdminOrganizations, { status: 'pending' }))
    expect(list[0]).toMatchObject({ id, status: 'pending', approval_asked_at: server.clock.now().toISOString() })

    good(await founder.call(developers.updateDeveloper, { website: 'https://burja.example' }))
    const refused = refusedAs('organization_not_approved')
    expect(await founder.call(clients.createClient, { name: 'New' })).toMatchObject(refused)
    expect(await founder.call(members.inviteMember, { email: person.email })).toMatchObject(refused)
    expect(good(await founder.call(clients.listClients))).toEqual([])
    good(await founder.call(sessions.reauthenticate, { password: founder.password }))
    good(await founder.call(developers.deleteDeveloper, { name: 'Burja' }))
    expect(await waiting()).toEqual(before)
  })

  test('is approved: its founder is mailed, reads it in the own activity, and open pages follow', async () => {
    const { developer_id: id } = await createOrganization(server, founder)
    const page = await connectSocket(server, founder)
    expect(good(await decide(id, { approved: true }))).toMatchObject({ status: 'active', approval: null })
    await page.receives(`developer:changed ${id}`)
    good(await founder.call(clients.createClient, { name: 'New' }))
    expect(await subjects()).toContain('Your organization was approved')
    expect((await ownActivity())[0]).toBe('OPERATOR_APPROVED_ORGANIZATION')
    // Repeating the same decision is not recorded and not mailed.
    good(await decide(id, { approved: true }))
    expect(await recorded(id)).toEqual([['organization.approved', { approval: ['pending', 'approved'] }]])
    expect((await subjects()).filter((one) => one === 'Your organization was approved')).toHaveLength(1)
  })

  test('is rejected with a reason, stays, and can ask again', async () => {
    const { developer_id: id } = await createOrganization(server, founder)
    const reason = 'The website does not say who you are.'
    expect(await decide(id, { approved: true, reason })).toMatchObject({ problem: { fields: { reason: 'unknown' } } })
    expect(await decide(id, { reason })).toMatchObject({ problem: { fields: { reason: 'unknown' } } })
    expect(good(await decide(id, { approved: false, reason }))).toMatchObject({ status: 'rejected' })
    expect(good(await founder.call(developers.getDeveloper))).toMatchObject({
      approval: 'rejected',
      approval_reason: reason,
    })
    expect((await mailsTo(server, founder.email)).at(-1)?.text).toContain(`The reason given: ${reason}`)
    expect((await ownActivity())[0]).toBe('OPERATOR_REJECTED_ORGANIZATION')
    expect(await founder.call(clients.createClient, { name: 'New' })).toMatchObject({ http: 403 })
    server.clock.advance(60)
    const asked = good(await founder.call(developers.requestApproval))
    expect(asked).toMatchObject({ approval: 'pending', approval_reason: null })
    expect(good(await ana.call(adminOrganizations.getAdminOrganization, { id })).approval_asked_at).toBe(
      server.clock.now().toISOString(),
    )
    expect(good(await founder.call(developers.listDeveloperActivity))[0]?.type).toBe('REQUESTED_APPROVAL')
    expect(await recorded(id)).toEqual([
      ['organization.rejected', { approval: ['pending', 'rejected'], reason: [null, reason] }],
    ])
  })

  test('that is rejected after it was approved stops its apps, which return with the approval', async () => {
    const { organization, app, id } = await waitingApp()
    good(await decideApp(id, { approved: true }))
    await allow(person, app)
    const { refresh_token = '' } = await signInTo(server, person, app)
    const { developer_id } = organization
    const set = good(await decide(developer_id, { approved: false }))
    expect(set.client_list).toMatchObject([{ enabled: false, disabled_by: 'organization' }])
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(401)
    expect(await decideApp(id, { enabled: true })).toMatchObject(refusedAs('organization_disabled'))
    // Removing a member is always possible.
    expect(await founder.call(clients.updateClientInfo, { id, name: 'New' })).toMatchObject({ http: 403 })
    expect(await founder.call(clients.deleteClient, { id: 'vrt_nobody' })).toMatchObject({ http: 404 })
    expect(good(await decide(developer_id, { approved: true })).client_list).toMatchObject([{ enabled: true }])
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
  })
})

describe('two administrators who decide at once', () => {
  let bor: Operator
  const pending = { seen_approval: 'pending' } as const
  const decided = { http: 409, ...refusedAs('already_decided') }
  beforeAll(async () => {
    bor = await createOperator(server, people.bor, 'admin')
  })

  test('of an app: the second decision overturns the first only after its operator has seen it', async () => {
    const { app, id } = await waitingApp()
    const borDecides = (input: object) => bor.call(adminClients.updateAdminClient, { id, ...input })
    good(await decideApp(id, { approved: true, ...pending }))
    await allow(person, app)
    const { refresh_token = '' } = await signInTo(server, person, app)
    expect(await borDecides({ approved: false, reason: 'Unknown.', verified: true, ...pending })).toMatchObject(decided)
    expect(good(await bor.call(adminClients.getAdminClient, { id }))).toMatchObject({ approval: null, verified: false })
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
    expect(await subjects()).not.toContain('Your app was not approved')
    // The same decision is done.
    expect(good(await borDecides({ approved: true, ...pending }))).toMatchObject({ approval: null })
    expect(good(await borDecides({ approved: false, seen_approval: null }))).toMatchObject({ approval: 'rejected' })
    expect(await decideApp(id, { approved: false, reason: 'Spam.', ...pending })).toMatchObject(decided)
  })

  test('of an organization: the reason of a rejection stays the one that its founder has read', async () => {
    const { developer_id: id } = await createOrganization(server, founder)
    const borDecides = (input: object) => bor.call(adminOrganizations.updateAdminOrganization, { id, ...input })
    good(await decide(id, { approved: false, reason: 'The website is empty.', ...pending }))
    for (const other of [{ approved: true }, { approved: false }, { approved: false, reason: 'Spam.' }])
      expect(await borDecides({ ...other, enabled: false, ...pending })).toMatchObject(decided)
    good(await borDecides({ approved: false, reason: 'The website is empty.', ...pending }))
    const read = good(await bor.call(adminOrganizations.getAdminOrganization, { id }))
    expect(read).toMatchObject({ status: 'rejected', approval_reason: 'The website is empty.', enabled: true })
    expect(await recorded(id)).toHaveLength(1)
    expect(good(await bor.call(audit.listAudit, { subject: id, actor: bor.user.id }))).toEqual([])
  })

  test('at the same moment: one of them gets an error', async () => {
    const { id } = await waitingApp()
    const decisions = [1, 2, 3, 4].flatMap(() => [
      decideApp(id, { approved: true, ...pending }),
      bor.call(adminClients.updateAdminClient, { id, approved: false, ...pending }),
    ])
    const answers = await Promise.all(decisions)
    const now = good(await bor.call(adminClients.getAdminClient, { id })).approval
    const isSame = (n: number) => (n % 2 === 0) === (now === null)
    for (const [n, answer] of answers.entries()) expect(answer).toMatchObject(isSame(n) ? { ok: true } : decided)
    const mails = (await subjects()).filter((one) => one.startsWith('Your app was'))
    expect(mails).toHaveLength(1)
  })
})

describe('an app that waits for approval', () => {
  test('is set up by its developers, and nobody can sign in to it; requests say why', async () => {
    const before = await waiting()
    const { app, id } = await waitingApp()
    expect(await waiting()).toEqual({ ...before, clients: before.clients + 1 })
    expect(good(await founder.call(clients.getClient, { id }))).toMatchObject({ enabled: false, approval: 'pending' })
    good(await founder.call(clients.updateClientInfo, { id, description: 'Flights' }))
    const enable = await founder.call(clients.updateClientInfo, { id, enabled: true })
    expect(enable).toMatchObject(refusedAs('client_not_approved'))
    expect(await decideApp(id, { enabled: true })).toMatchObject({ http: 409, ...refusedAs('not_approved') })

    const page = await authorize(person, app)
    expect([page.pathname, page.searchParams.get('error')]).toEqual(['/oauth', 'client_not_approved'])
    const asked = await person.call(connections.getConsent, { client: id, scopes: 'openid' })
    expect(asked).toMatchObject(refusedAs('client_not_approved'))
    for (const path of ['/token', '/par', '/device_authorization', '/introspect', '/revoke']) {
      const answer = await post(server, app, path, { grant_type: 'authorization_code', code: 'x', token: 'x' })
      expect([path, answer.statusCode, answer.json().error]).toEqual([path, 401, 'invalid_client'])
    }
    const reasons = good(await founder.call(clientDiagnostics.listClientErrors, { id })).map(({ reason }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['client_not_approved']))

    expect(good(await decideApp(id, { approved: true }))).toMatchObject({ enabled: true, approval: null })
    expect(await waiting()).toEqual(before)
    await allow(person, app)
    expect((await signInTo(server, person, app)).access_token).toBeTruthy()
    expect(await subjects()).toContain('Your app was approved')
    const [done] = good(await founder.call(activity.listActivity))
    expect(done).toMatchObject({ type: 'OPERATOR_APPROVED_APP', app: { client_id: id } })
    expect(await recorded(id)).toEqual([['client.approved', { approval: ['pending', 'approved'] }]])
  })

  test('that is rejected after it was approved loses its tokens, and can ask again', async () => {
    const { app, id } = await waitingApp()
    good(await decideApp(id, { approved: true }))
    await allow(person, app)
    const { refresh_token = '' } = await signInTo(server, person, app)
    good(await decideApp(id, { approved: false, reason: 'It asks for too much.' }))
    const refused = await refresh(server, app, refresh_token)
    expect([refused.statusCode, refused.json().error_description]).toEqual([
      401,
      'client is not approved by the operators',
    ])
    expect(good(await founder.call(clients.getClient, { id }))).toMatchObject({
      approval: 'rejected',
      approval_reason: 'It asks for too much.',
    })
    const list = good(await ana.call(adminClients.listAdminClients, { status: 'rejected' }))
    expect(list.map((one) => one.client_id)).toContain(id)
    expect(good(await founder.call(clients.requestClientApproval, { id }))).toMatchObject({ approval: 'pending' })
    good(await decideApp(id, { approved: true }))
    // Ended tokens stay ended.
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
  })

  test('stays off with its organization, and is mailed about to the owners once its creator has left', async () => {
    const { organization, id } = await waitingApp()
    await organization.join(person, 'developer')
    const made = good(await person.call(clients.createClient, { name: 'Second' }))
    good(await decide(organization.developer_id, { enabled: false }))
    expect(good(await decideApp(id, { approved: true }))).toMatchObject({
      enabled: false,
      disabled_by: 'organization',
    })
    good(await person.call(members.leaveDeveloper))
    good(await decideApp(made.client_id, { approved: false }))
    expect(await subjects()).toContain('Your app was not approved')
    const all = good(await decide(organization.developer_id, { enabled: true })).client_list
    expect(all.map(({ name, enabled }) => [name, enabled])).toEqual([
      [jadrolet.name, true],
      ['Second', false],
    ])
  })
})

test('an app or organization of an administrator needs no approval, and counts for the quotas', async () => {
  expect(good(await ana.call(developers.createDeveloper, { name: 'Own' })).approval).toBeNull()
  expect(good(await ana.call(clients.createClient, { name: 'Own' }))).toMatchObject({ enabled: true, approval: null })
  await grantRole(server, ana, 'support')
  const made = good(await ana.call(clients.createClient, { name: 'Other' }))
  await grantRole(server, ana, 'admin')
  expect(made).toMatchObject({ enabled: false, approval: 'pending' })
})

test('organizations and apps that wait for approval count for the quotas', async () => {
  const before = good(await ana.call(policy.getPolicy)).limits
  good(await ana.call(policy.updatePolicy, { limits: { organizations_per_person: 1, clients_per_organization: 1 } }))
  const { id } = await waitingApp()
  const reached = refusedAs('limit_reached')
  expect(await founder.call(clients.createClient, { name: 'Second' })).toMatchObject(reached)
  expect(await founder.call(developers.createDeveloper, { name: 'Second' })).toMatchObject(reached)
  good(await decideApp(id, { approved: false }))
  expect(await founder.call(clients.createClient, { name: 'Second' })).toMatchObject(reached)
  good(await ana.call(policy.updatePolicy, { limits: before }))
})
