import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connections, type Level, members, scopes } from '@vrata/contract'
import { dataOf } from '../../../testing/api-client.ts'
import { POLICY_CHANNEL, POLICY_SETTING } from '../../src/features/policy/public.ts'
import { grantRole } from '../operator.ts'
import { createOrganization } from '../organization.ts'
import { type PersonData, people } from '../people.ts'
import { withSecondFactor } from '../second-factor.ts'
import type { SignedIn, TestServer } from '../test-server.ts'

/** Roles of callers: a visitor without a session, a user without an organization, a member of this level, or an administrator. */
export type Role = 'nobody' | 'user' | 'operator' | Level

/** Headers and ids with which a run of Schemathesis acts as a role. */
export type FuzzSession = {
  /** Cookies by name. */
  cookies: Record<string, string>
  /** Prefix of a path of the API → value of its first parameter. */
  known: Record<string, string>
}

/**
 * Serves `GET /?role=`: a new session in a new account, with an organization, an app with a scope, a connection, an
 * invitation and a second session. Calls such as the deletion of the account end it, so a run asks for many.
 */
export async function serveSessions(server: TestServer): Promise<Server> {
  let created = 0
  const register = (person: PersonData) => {
    created += 1
    return server.as({ ...person, email: person.email.replace('@', `+${created}@`) } as unknown as PersonData)
  }
  const http = createServer(async (request, response) => {
    const role = new URL(request.url ?? '', server.config.url).searchParams.get('role') as Role
    try {
      response.end(JSON.stringify(await createSession(server, role, register)))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, 'localhost')
  await once(http, 'listening')
  return http
}

async function createSession(
  server: TestServer,
  role: Role,
  register: (person: PersonData) => Promise<SignedIn>,
): Promise<FuzzSession> {
  if (role === 'nobody') return { cookies: {}, known: {} }
  if (role === 'operator') await restorePolicy(server)
  const owner = await register(people.ana)
  const organization = await createOrganization(server, owner)
  const app = await organization.app()
  const key = `notes${app.client_id.slice(-8)}.read`.toLowerCase()
  dataOf(await owner.call(scopes.defineScope, { id: app.client_id, key, title: { 'en-US': 'Read your notes' } }))
  const guest = await register(people.bor)
  const { id: invitation } = dataOf(
    await owner.call(members.inviteMember, { email: guest.user.email, permission: 'member' }),
  )
  const member = await register(people.cvetka)
  await organization.grant(member, 'member')
  const visitor = role === 'owner' ? owner : role === 'user' ? guest : await register(people.drago)
  if (role === 'operator') {
    await withSecondFactor(server, visitor)
    await grantRole(server, visitor, 'admin')
  } else if (role !== 'owner' && role !== 'user') await organization.join(visitor, role)
  for (const one of [visitor, member])
    dataOf(await one.call(connections.submitConsent, { client: app.client_id, scopes: ['openid', 'profile'] }))
  const list = role === 'user' || role === 'operator' ? [] : dataOf(await visitor.call(members.listMembers))
  return {
    cookies: Object.fromEntries(visitor.cookies),
    known: {
      '/client/{id}': app.client_id,
      '/connection/{client}': app.client_id,
      '/account/invitations/{id}': invitation,
      '/auth/sessions/{id}': visitor.user.session_id,
      '/auth/logout/{id}': visitor.user.session_id,
      '/developer/users/{id}': member.user.id,
      '/admin/users/{id}': guest.user.id,
      '/admin/operators/{user_id}': guest.user.id,
      '/admin/organizations/{id}': organization.developer_id,
      '/admin/clients/{id}': app.client_id,
      '/developer/members/{id}': list.find(({ user }) => user?.id === member.user.id)?.id ?? invitation,
    },
  }
}

/** Resets the settings of operators, because a policy may close registration. */
async function restorePolicy({ store }: TestServer): Promise<void> {
  await store.db.deleteFrom('settings').where('key', '=', POLICY_SETTING).execute()
  await store.signals.announce(POLICY_CHANNEL, '')
}
