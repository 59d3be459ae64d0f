import { activity, adminUsers, clientAccess, clients, groups } from '@vrata/contract'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { addUsers } from '../../../test/many-users.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, refresh, signInTo, type ThirdParty, type Tokens, userinfo } from '../../../test/third-party.ts'
import { pruneAll } from '../../prune.ts'
import { deleteGroupFor } from './deleted-group.ts'

/** More members than one transaction deletes. */
const MANY = 520
const key = 'everyone'
const SCOPES = 'openid groups'

let server: TestServer
let operator: Operator
let bor: SignedIn
/** An app limited to the group, and one that everyone may use. */
let app: ThirdParty
let open: ThirdParty
let tokens: Tokens
let openTokens: Tokens
beforeEach(async () => {
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  onTestFinished(() => server.close())
  operator = await createOperator(server, people.drago, 'admin')
  const ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  const organization = await createOrganization(server, ana)
  app = await organization.app()
  open = await organization.app({ name: 'Burja' })
  for (const { client_id: id } of [app, open])
    good(await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'groups'] }))
  for (const one of [app, open]) await allow(bor, one, SCOPES)
  await addUsers(server, { developer_id: organization.developer_id, app, like: bor, count: MANY })
  for (const name of ['staff', key]) good(await operator.call(groups.createGroup, { key: name, name }))
  const { db, read } = server.store
  const users = await read.selectFrom('connections').select('user_id').where('client_id', '=', app.client_id).execute()
  const added_at = server.clock.now().toISOString()
  for (let from = 0; from < users.length; from += 100) {
    const rows = users.slice(from, from + 100).map(({ user_id }) => ({ group_key: key, user_id, added_at }))
    await db.insertInto('group_members').values(rows).execute()
  }
  await db
    .updateTable('users')
    .set({ groups: `["${key}"]` as never })
    .execute()
  good(await operator.call(groups.addGroupMember, { key: 'staff', user_id: bor.user.id }))
  good(await ana.call(clientAccess.setAccess, { id: app.client_id, mode: 'groups', groups: [key] }))
  await server.outbox()
  tokens = await signInTo(server, bor, app, { scope: SCOPES })
  openTokens = await signInTo(server, bor, open, { scope: SCOPES })
})

const claim = async () => (await userinfo(server, openTokens.access_token)).json().groups
const remove = async () => good(await operator.call(groups.deleteGroup, { key }))

/** Rows of the members, and users with the key beside them. */
async function rows(): Promise<number[]> {
  const { read } = server.store
  const lists = [
    read.selectFrom('group_members').select('user_id as id').where('group_key', '=', key),
    read.selectFrom('users').select('id').where('groups', 'like', `%"${key}"%`),
    read.selectFrom('groups').select('key as id').where('key', '=', key),
  ]
  return await Promise.all(lists.map(async (list) => (await list.execute()).length))
}

async function expectGone(): Promise<void> {
  expect(await operator.call(groups.getGroup, { key })).toMatchObject({ http: 404 })
  expect(good(await operator.call(groups.listGroups, {})).map((group) => group.key)).toEqual(['staff'])
  expect(await operator.call(groups.addGroupMember, { key, user_id: bor.user.id })).toMatchObject({ http: 404 })
  expect(good(await operator.call(adminUsers.listAdminUsers, { group: key }))).toEqual([])
  const { groups: own } = good(await operator.call(adminUsers.getAdminUser, { id: bor.user.id }))
  expect(own.map((group) => group.key)).toEqual(['staff'])
  expect(await claim()).toEqual(['staff'])
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  const fresh = await signInTo(server, bor, open, { scope: SCOPES })
  expect((await userinfo(server, fresh.access_token)).json().groups).toEqual(['staff'])
}

test('a group with many members disappears at once, and its rows are deleted later', async () => {
  expect(await claim()).toEqual([key, 'staff'])
  await remove()
  expect((await rows())[0]).toBe(MANY + 1)
  await expectGone()
  expect(await operator.call(groups.createGroup, { key, name: key })).toMatchObject({
    problem: { code: 'group_exists' },
  })
  for (let turn = 0; turn < 30 && (await rows())[2] === 1; turn += 1) await server.outbox()
  expect((await rows())[0]).toBe(0)
  expect((await rows())[2]).toBe(0)
  await expectGone()
  const recorded = good(await bor.call(activity.listActivity, {})).map(({ type }) => type)
  expect(recorded).toContain('OPERATOR_REMOVED_FROM_GROUP')
})

test('a job that is killed after a step continues, and one that is lost is completed by pruning', async () => {
  await remove()
  const [before] = await rows()
  expect(await deleteGroupFor(server.deps, key, 0)).toBe(false)
  expect((await rows())[0]).toBeLessThan(before ?? 0)
  await expectGone()
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'delete_group').execute()
  await pruneAll(server.deps)
  expect((await rows())[0]).toBe(0)
  expect((await rows())[2]).toBe(0)
  expect(await claim()).toEqual(['staff'])
})
