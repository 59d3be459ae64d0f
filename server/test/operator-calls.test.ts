import { type Api, hasRole, LEVELS, OPERATOR_ROLES, type Route, roleNeeded, sessions } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queueMail } from '../src/adapters/mail/mail.ts'
import { issueRegistrationToken } from '../src/features/client-registration/public.ts'
import { countEvents } from './audit-events.ts'
import { createOperator, grantRole, type Operator } from './operator.ts'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { fileOf, halves } from './pictures.ts'
import { type RegisteredUser, registerConfirmedUser } from './registered-user.ts'
import { good, withSecondFactor } from './second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'

const picture = halves('png')

/**
 * Access to the calls of operators (operators §1), tested on the real server for every role, every level of an
 * organization, strangers and visitors. The first test fails unless every call has an input here that succeeds.
 */
const INPUTS: Record<string, (person: RegisteredUser) => Promise<object> | object> = {
  'operators.listOperators': () => ({}),
  'operators.getSetup': () => ({}),
  'operators.updateSetup': async () => {
    await server.store.db.deleteFrom('settings').where('key', '=', 'setup_state').execute()
    return { state: 'dismissed' }
  },
  'operators.addOperator': ({ email }) => ({ email, role: 'auditor' }),
  'operators.changeOperator': async (person) => {
    await grantRole(server, person, 'auditor')
    return { user_id: person.user.id, role: 'support' }
  },
  'operators.removeOperator': async (person) => {
    await grantRole(server, person, 'auditor')
    return { user_id: person.user.id }
  },
  'adminUsers.listAdminUsers': () => ({}),
  'adminUsers.getAdminUser': ({ user: { id } }) => ({ id }),
  'adminClients.listAdminClients': () => ({}),
  'adminClients.getAdminClient': async () => ({ id: (await organizationApp()).client_id }),
  'adminClients.updateAdminClient': async () => ({ id: (await organizationApp()).client_id, verified: true }),
  'adminOrganizations.listAdminOrganizations': () => ({}),
  'adminOrganizations.getAdminOrganization': async () => ({ id: (await organizationApp()).developer_id }),
  'adminOrganizations.updateAdminOrganization': async () => ({
    id: (await organizationApp()).developer_id,
    verified: true,
  }),
  'adminOrganizations.transferOrganization': async () => {
    const { developer_id: id } = await organizationApp()
    await server.store.db.updateTable('members').set({ permission: 'admin' }).where('developer_id', '=', id).execute()
    return { id, user_id: member.user.id }
  },
  'adminUsers.createUser': ({ email }) => ({ email: `new-${email}` }),
  'adminUsers.updateUser': ({ user: { id } }) => ({ id, first_name: 'Vida' }),
  'adminUsers.deleteUser': ({ user: { id } }) => ({ id }),
  'adminUsers.restoreUser': ({ user: { id } }) => ({ id }),
  'adminUsers.disableUser': ({ user: { id } }) => ({ id, reason: 'A test' }),
  'adminUsers.enableUser': ({ user: { id } }) => ({ id }),
  'adminUsers.endUserSessions': ({ user: { id } }) => ({ id }),
  'adminUsers.unlockUser': ({ user: { id } }) => ({ id }),
  'adminUsers.sendPasswordReset': ({ user: { id } }) => ({ id }),
  'groups.listGroups': () => ({}),
  'groups.createGroup': () => ({ key: newKey(), name: 'Editors' }),
  'groups.getGroup': async () => ({ key: await createGroup() }),
  'groups.updateGroup': async () => ({ key: await createGroup(), name: 'Writers' }),
  'groups.deleteGroup': async () => ({ key: await createGroup() }),
  'groups.listGroupMembers': async () => ({ key: await createGroup() }),
  'groups.addGroupMember': async ({ user: { id } }) => ({ key: await createGroup(), user_id: id }),
  'groups.removeGroupMember': async ({ user: { id } }) => ({ key: await createGroup(id), user_id: id }),
  'branding.getBranding': () => ({}),
  'branding.updateBranding': () => ({ name: `Kras ${newKey()}` }),
  'branding.setBrandingLogo': async () => ({ logo: fileOf(await picture) }),
  'branding.removeBrandingLogo': () => ({}),
  'branding.setBrandingLogoDark': async () => ({ logo_dark: fileOf(await picture) }),
  'branding.removeBrandingLogoDark': () => ({}),
  'branding.setBrandingIcon': async () => ({ icon: fileOf(await picture) }),
  'branding.removeBrandingIcon': () => ({}),
  'adminUsers.resetFactors': async (person) => {
    await withSecondFactor(server, person)
    return { id: person.user.id, reason: 'A test' }
  },
  'adminUsers.cancelFactorReset': ({ user: { id } }) => ({ id }),
  'policy.getPolicy': () => ({}),
  'policy.updatePolicy': () => ({ activity_days: 1000 + ++keys }),
  'policy.countAffected': () => ({ password_sign_in: 'false' }),
  'configuration.getConfiguration': () => ({}),
  'configuration.updateConfiguration': () => ({ version: 1, groups: [{ key: newKey(), name: 'Readers' }] }),
  'system.getOverview': () => ({}),
  'system.getWaitingApprovals': () => ({}),
  'system.listMails': () => ({}),
  'system.getMail': async (person) => ({ id: await waitingMail(person) }),
  'system.sendTestMail': () => ({}),
  'system.retryMail': async (person) => ({ id: await waitingMail(person) }),
  'system.listSigningKeys': () => ({}),
  'system.rotateSigningKeys': () => ({}),
  'system.revokeSigningKey': async () => ({ kid: (await server.deps.signingKeys.list())[0]?.kid }),
  'system.listRegistrationTokens': () => ({}),
  'system.createRegistrationToken': async (person) => {
    const { developer_id } = await createOrganization(server, person)
    return { developer_id, email: person.email }
  },
  'system.deleteRegistrationToken': async (person) => ({ id: await registrationToken(person) }),
  'audit.listAudit': () => ({}),
  'audit.exportAudit': () => ({}),
}

let keys = 0
const newKey = () => `group-${++keys}`

/** A new group, with a member if one is named. */
async function createGroup(user_id?: string): Promise<string> {
  const key = newKey()
  const created_at = server.clock.now().toISOString()
  const { db } = server.store
  await db
    .insertInto('groups')
    .values({ key, name: key, description: '', search: key, created_at, deleted_at: null })
    .execute()
  if (user_id) await db.insertInto('group_members').values({ group_key: key, user_id, added_at: created_at }).execute()
  return key
}

async function waitingMail({ email, user }: RegisteredUser): Promise<string> {
  const values = { name: user.first_name, link: server.config.url }
  const mail = { to: email, locale: 'en-US', template: 'test', values } as const
  return await server.deps.transaction((tx) => queueMail(tx, mail))
}

async function registrationToken(person: RegisteredUser): Promise<string> {
  const { developer_id } = await createOrganization(server, person)
  const terms = { developer_id, email: person.email, uses: 1, days: 1, require_pkce: true }
  const issued = await server.deps.transaction((tx) => issueRegistrationToken(tx, { command: 'a test' }, terms))
  return issued?.row.token_hash ?? ''
}

/** An organization of the member with an app. */
async function organizationApp() {
  const organization = await createOrganization(server, member)
  const { client_id } = await organization.app()
  return { developer_id: organization.developer_id, client_id }
}

const CALLS = [...ROUTES].flatMap(([name, route]) => {
  const role = roleNeeded(route.needs)
  return role ? [{ name, role, route }] : []
})

let server: TestServer
let operator: Operator
let member: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  operator = await createOperator(server, people.ana, 'admin')
  member = await server.as(people.bor)
})
afterAll(() => server.close())

/** A new person and what the input of a call needs. Refused calls leave both as they are, so the next call takes them, too. */
type Target = { person: RegisteredUser; input: object | undefined }

const unchanged = new Map<string, Target>()

async function createTarget(name: string): Promise<Target> {
  const person = await registerConfirmedUser(server)
  return { person, input: await INPUTS[name]?.(person) }
}

/** `done`, or the code of the problem. */
async function outcome(call: Api, name: string): Promise<string> {
  const target = unchanged.get(name) ?? (await createTarget(name))
  const route = ROUTES.get(name) as Route
  const before = await countEvents(server)
  const answer = await call(route, target.input as never)
  if (!answer.ok && answer.http !== 200) {
    unchanged.set(name, target)
    return answer.problem.code
  }
  unchanged.delete(name)
  await grantRole(server, target.person, null)
  const isRecorded = (await countEvents(server)) > before
  const isExpected = route.method === 'GET' ? name === 'audit.exportAudit' : !CHANGE_NOTHING.has(name)
  return isRecorded || !isExpected ? 'done' : 'done, and not in the audit log'
}

/** Calls whose input here finds nothing to change; the tests of their rules show that they are recorded otherwise. */
const CHANGE_NOTHING = new Set([
  'adminUsers.restoreUser',
  'adminUsers.enableUser',
  'adminUsers.cancelFactorReset',
  'branding.removeBrandingLogo',
  'branding.removeBrandingLogoDark',
  'branding.removeBrandingIcon',
])

test('covers every call of operators; each change needs a fresh sign-in', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(CALLS.map(({ name }) => name).sort())
  for (const { route } of CALLS)
    expect([route.path, route.fresh ?? false]).toEqual([route.path, route.method !== 'GET'])
})

describe.each(CALLS)('$name', ({ name, role: needed, route }) => {
  test(`is allowed for ${needed} and above, and not found for all others`, async () => {
    expect(await outcome(server.browser().call, name)).toBe('unauthenticated')
    const organization = await createOrganization(server, member)
    expect(await outcome(member.call, name)).toBe('not_found')
    for (const level of LEVELS) {
      await organization.grant(member, level)
      expect([level, await outcome(member.call, name)]).toEqual([level, 'not_found'])
    }
    for (const role of OPERATOR_ROLES) {
      await grantRole(server, operator, role)
      const expected = hasRole(role, needed) ? 'done' : 'insufficient_level'
      expect([role, await outcome(operator.call, name)]).toEqual([role, expected])
    }
  })

  test('needs a second factor or passkey on the account, also for a session from before', async () => {
    await grantRole(server, member, 'admin')
    expect(await outcome(member.call, name)).toBe('second_factor_required')
    await grantRole(server, member, null)
  })

  test.runIf(route.method !== 'GET')('needs a sign-in of the last ten minutes', async () => {
    await grantRole(server, operator, 'admin')
    server.clock.advance(11 * 60)
    good(await operator.call(sessions.refresh, {}))
    good(await member.call(sessions.refresh, {}))
    expect(await outcome(operator.call, name)).toBe('reauthentication_required')
    good(await operator.call(sessions.reauthenticate, { otp_token: operator.phone.code() }))
    expect(await outcome(operator.call, name)).toBe('done')
  })
})
