import { account, activity, adminUsers, audit, clients, groups, LIMITS, security } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whileUncommitted } from '../../../test/databases/while-uncommitted.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { mailedToken, registerConfirmedUser, registerUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, signInTo, userinfo } from '../../../test/third-party.ts'
import type { TransactionDeps } from '../../deps.ts'
import { writeNewGroup } from './groups.ts'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server.close())

const create = (key: string, name = key) => ana.call(groups.createGroup, { key, name })
const memberIds = async (key: string, filter = {}) =>
  good(await ana.call(groups.listGroupMembers, { key, ...filter })).map(({ user }) => user.id)

describe('groups', () => {
  test('are created, found, changed and deleted, and the audit log has the values before and after', async () => {
    expect(good(await create('editors', 'Uredništvo'))).toMatchObject({ key: 'editors', description: '', members: 0 })
    expect(await create('editors')).toMatchObject({ problem: { code: 'group_exists', fields: { key: 'taken' } } })
    for (const key of ['Editors', 'a b', '-a', 'a.', ''])
      expect(await create(key)).toMatchObject({ http: 400, problem: { fields: { key: expect.any(String) } } })
    good(await create('sales'))
    const listed = async (query?: string) =>
      good(await ana.call(groups.listGroups, query === undefined ? {} : { query })).map(({ key }) => key)
    expect(await listed()).toEqual(['editors', 'sales'])
    expect(await listed('UREDNIST')).toEqual(['editors'])
    expect(await listed('%')).toEqual([])
    const first = await ana.call(groups.listGroups, { limit: 1 })
    const cursor = (first.ok && first.next_cursor) || ''
    expect(good(await ana.call(groups.listGroups, { limit: 1, cursor }))).toMatchObject([{ key: 'sales' }])
    good(await ana.call(groups.updateGroup, { key: 'sales', description: 'Who sells' }))
    expect(good(await ana.call(groups.getGroup, { key: 'sales' }))).toMatchObject({
      name: 'sales',
      description: 'Who sells',
    })
    good(await ana.call(groups.deleteGroup, { key: 'sales' }))
    expect(await ana.call(groups.getGroup, { key: 'sales' })).toMatchObject({ http: 404 })
    const recorded = good(await ana.call(audit.listAudit, { subject: 'sales' }))
    expect(recorded.map(({ type, changes }) => [type, changes])).toEqual([
      ['group.deleted', { name: ['sales', null], members: [0, 0] }],
      ['group.changed', { description: ['', 'Who sells'] }],
      ['group.created', { name: [null, 'sales'], description: [null, ''] }],
    ])
  })

  test('have members, found by name and page by page; the person sees it in their own activity', async () => {
    good(await create('staff', 'Staff'))
    const [bor, cvetka] = [await registerConfirmedUser(server), await registerConfirmedUser(server)]
    good(await bor.call(account.updateAccount, { first_name: 'Žiga' }))
    for (const { user } of [bor, cvetka, bor])
      good(await ana.call(groups.addGroupMember, { key: 'staff', user_id: user.id }))
    expect(await memberIds('staff')).toEqual([cvetka.user.id, bor.user.id])
    expect(await memberIds('staff', { query: 'zig' })).toEqual([bor.user.id])
    const page = await ana.call(groups.listGroupMembers, { key: 'staff', limit: 1 })
    expect(await memberIds('staff', { cursor: page.ok ? page.next_cursor : '' })).toEqual([bor.user.id])
    expect(good(await ana.call(groups.getGroup, { key: 'staff' })).members).toBe(2)
    expect(good(await ana.call(adminUsers.getAdminUser, { id: bor.user.id })).groups).toMatchObject([
      { key: 'staff', name: 'Staff' },
    ])
    const inGroup = good(await ana.call(adminUsers.listAdminUsers, { group: 'staff', query: 'zig' }))
    expect(inGroup.map(({ id }) => id)).toEqual([bor.user.id])

    good(await ana.call(groups.removeGroupMember, { key: 'staff', user_id: bor.user.id }))
    expect(await ana.call(groups.removeGroupMember, { key: 'staff', user_id: bor.user.id })).toMatchObject({
      http: 404,
    })
    const types = good(await bor.call(activity.listActivity)).map(({ type }) => type)
    expect(types.slice(0, 2)).toEqual(['OPERATOR_REMOVED_FROM_GROUP', 'OPERATOR_ADDED_TO_GROUP'])
    const recorded = good(await ana.call(audit.listAudit, { subject: bor.user.id, actor: ana.user.id }))
    expect(recorded.map(({ type, changes }) => [type, changes])).toEqual([
      ['user.group_removed', { group: ['staff', null] }],
      ['user.group_added', { group: [null, 'staff'] }],
    ])
    for (const wrong of [
      { key: 'nothing', user_id: bor.user.id },
      { key: 'staff', user_id: 'nobody' },
    ])
      expect(await ana.call(groups.addGroupMember, wrong)).toMatchObject({ http: 404 })
  })

  test('do not have who has registered the address of another person, also before it is changed to an own one', async () => {
    good(await create('board'))
    const stranger = await registerUser(server)
    const refused = { http: 403, problem: { code: 'email_not_verified' } }
    const { id: user_id } = stranger.user
    expect(await ana.call(groups.addGroupMember, { key: 'board', user_id })).toMatchObject(refused)
    const own = 'stranger.with.another.address@example.com'
    good(await stranger.call(account.updateAccount, { email: own }))
    good(await stranger.call(security.verifyEmail, { token: await mailedToken(server, own) }))
    expect(await memberIds('board')).toEqual([])
    // Now it is known whose account it is.
    good(await ana.call(groups.addGroupMember, { key: 'board', user_id }))
    // Nobody but its person gets into an account that an operator has created.
    const invited = good(await ana.call(adminUsers.createUser, { email: 'chair@example.com', send_invitation: true }))
    good(await ana.call(groups.addGroupMember, { key: 'board', user_id: invited.id }))
    expect(await memberIds('board')).toEqual([invited.id, user_id])
  })

  test('are a claim for apps that have the scope, in userinfo and ID token, from the next request on', async () => {
    const person = await registerConfirmedUser(server)
    const owner = await registerConfirmedUser(server)
    const organization = await createOrganization(server, owner, 'Kraški studio')
    const { client_id, client_secret } = await organization.app()
    const app = { client_id, client_secret, redirect_uri: jadrolet.redirect_uri }
    good(await owner.call(clients.updateClientInfo, { id: client_id, scopes: ['openid', 'groups'] }))
    await allow(person, app, 'openid groups')
    const scope = 'openid groups'
    const idToken = async (requested: string) =>
      decodeJwt((await signInTo(server, person, app, { scope: requested })).id_token)
    const tokens = await signInTo(server, person, app, { scope })
    const claim = async () => (await userinfo(server, tokens.access_token)).json().groups
    expect(await claim()).toEqual([])
    for (const key of ['zebras', 'admins']) {
      good(await create(key))
      good(await ana.call(groups.addGroupMember, { key, user_id: person.user.id }))
    }
    expect(await claim()).toEqual(['admins', 'zebras'])
    expect((await idToken(scope)).groups).toEqual(['admins', 'zebras'])
    good(await ana.call(groups.deleteGroup, { key: 'admins' }))
    expect(await claim()).toEqual(['zebras'])
    expect(await idToken('openid')).not.toHaveProperty('groups')
  })
})

test('creations at the same moment do not exceed the limit', async () => {
  const { db } = server.store
  const left =
    LIMITS.groups -
    Number(
      (
        await db
          .selectFrom('groups')
          .select((e) => e.fn.countAll().as('n'))
          .executeTakeFirst()
      )?.n,
    )
  const created_at = server.clock.now().toISOString()
  const filled = Array.from({ length: left - 1 }, (_, index) => {
    const key = `filled-${index}`
    return { key, name: key, description: '', search: key, created_at, deleted_at: null }
  })
  for (let index = 0; index < filled.length; index += 100)
    await db
      .insertInto('groups')
      .values(filled.slice(index, index + 100))
      .execute()
  const write = (deps: TransactionDeps) => writeNewGroup(deps, { key: 'one', name: 'One' })
  expect(await whileUncommitted(server, write, () => create('two'))).toMatchObject({
    problem: { code: 'limit_reached', message: expect.stringMatching(/^A limit has been reached\./) },
  })
  await db.deleteFrom('groups').where('key', 'like', 'filled-%').execute()
})
