import {
  account,
  adminOrganizations,
  clients,
  connections,
  developers,
  members,
  sessions,
  users,
} from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tokenIn } from '../../../../../testing/mail.ts'
import { addTokens, createLargeOrganization } from '../../../../test/many-users.ts'
import { createOperator, type Operator } from '../../../../test/operator.ts'
import type { Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { good } from '../../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allow, authorize, refresh, type ThirdParty, type Tokens, userinfo } from '../../../../test/third-party.ts'
import { deleteTokensFor } from '../../../issuer/tokens/deletion/end-tokens.ts'
import { pruneAll } from '../../../prune.ts'
import { deleteAccount, findUserForUpdate } from '../../account/public.ts'
import { deleteClientFor } from './deleted-client.ts'

/** More connections and tokens than one transaction deletes. */
const MANY = 520

let server: TestServer
let operator: Operator
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let organization: Organization
let app: ThirdParty
let other: ThirdParty
let tokens: Tokens
let invitation: string
beforeAll(async () => {
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  operator = await createOperator(server, people.drago, 'admin')
  bor = await server.as(people.bor)
  cvetka = await server.as(people.cvetka)
})
afterAll(() => server.close())
beforeEach(async () => {
  ana = await server.as(people.ana)
  ;({ organization, app, other, tokens } = await createLargeOrganization(server, {
    owner: ana,
    user: bor,
    count: MANY,
  }))
  await organization.grant(cvetka, 'admin')
  await allow(cvetka, other)
  await addTokens(server, { app, like: bor, count: MANY })
  good(await ana.call(sessions.reauthenticate, { password: people.ana.password }))
  good(await ana.call(users.setUserBlocked, { id: cvetka.user.id, blocked: true }))
  invitation = tokenIn(good(await ana.call(members.inviteMember, { email: bor.user.email, permission: 'admin' })).link)
})

const remove = async () => good(await ana.call(developers.deleteDeveloper, { name: 'Kraški studio' }))

/** Rows of the organization by table. */
async function rows(): Promise<Record<string, number>> {
  const { read } = server.store
  const { developer_id } = organization
  const ids = [app.client_id, other.client_id]
  const lists = {
    developers: read.selectFrom('developers').select('id').where('id', '=', developer_id),
    members: read.selectFrom('members').select('id').where('developer_id', '=', developer_id),
    invitations: read.selectFrom('invitations').select('id').where('developer_id', '=', developer_id),
    developer_activities: read.selectFrom('developer_activities').select('id').where('developer_id', '=', developer_id),
    developer_users: read.selectFrom('developer_users').select('id').where('developer_id', '=', developer_id),
    user_terms: read.selectFrom('user_terms').select('term as id').where('developer_id', '=', developer_id),
    clients: read.selectFrom('clients').select('client_id as id').where('client_id', 'in', ids),
    connections: read.selectFrom('connections').select('id').where('client_id', 'in', ids),
    tokens: read.selectFrom('tokens').select('token_hash as id').where('client_id', 'in', ids),
  }
  const counted = Object.entries(lists).map(async ([name, list]) => [name, (await list.execute()).length] as const)
  return Object.fromEntries(await Promise.all(counted))
}

async function expectNothing(): Promise<void> {
  for (const [table, count] of Object.entries(await rows())) expect([table, count]).toEqual([table, 0])
}

/** All sign-ins are refused, and nothing of the organization is active or visible. */
async function expectGone(): Promise<void> {
  for (const person of [ana, cvetka]) {
    const own = good(await person.call(account.getAccount)).developer_accounts
    expect(own.map(({ developer_id }) => developer_id)).not.toContain(organization.developer_id)
  }
  expect(await ana.call(clients.createClient, { name: 'Maestral' })).toMatchObject({
    problem: { code: 'no_developer' },
  })
  expect(await bor.call(members.acceptInvitation, { token: invitation })).toMatchObject({ ok: false })
  const seen = await operator.call(adminOrganizations.getAdminOrganization, { id: organization.developer_id })
  expect(seen).toMatchObject({ http: 404 })
  const listed = good(await operator.call(adminOrganizations.listAdminOrganizations, {}))
  expect(listed.map(({ id }) => id)).not.toContain(organization.developer_id)
  expect(good(await bor.call(connections.listConnections))).toEqual([])
  for (const { client_id } of [app, other])
    expect(await bor.call(connections.submitConsent, { client: client_id, scopes: ['openid'] })).toMatchObject({
      http: 404,
    })
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_client' })
  expect((await authorize(bor, app)).pathname).toBe('/oauth')
}

test('an organization with many users disappears at once, and its rows are deleted later', async () => {
  await remove()
  expect(await rows()).toMatchObject({ developers: 1, members: 0, invitations: 0, clients: 2, connections: MANY + 2 })
  await expectGone()
  await server.outbox()
  await expectNothing()
})

test('a job that is killed after a step continues with the rest', async () => {
  await remove()
  const before = await rows()
  expect(await deleteClientFor(server.deps, app.client_id, 0, deleteTokensFor)).toBe(false)
  const { tokens: left = 0, ...others } = await rows()
  const { tokens: all = 0, ...same } = before
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(all)
  expect(others).toEqual(same)
  await expectGone()
  await server.outbox()
  await expectNothing()
})

test('the rows of an organization are deleted also when the job is lost', async () => {
  await remove()
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'delete_organization').execute()
  await pruneAll(server.deps)
  await expectNothing()
})

test('the organization of a deleted account disappears in the same way', async () => {
  const { db } = server.store
  await db.deleteFrom('members').where('user_id', '=', cvetka.user.id).execute()
  await server.deps.transaction(async (deps) => {
    const user = await findUserForUpdate(deps.db, ana.user.id)
    if (user) await deleteAccount(deps, user)
  })
  expect(await rows()).toMatchObject({ developers: 1, members: 0, connections: MANY + 2 })
  await server.outbox()
  await expectNothing()
})
