import { clients, connections, scopes } from '@vrata/contract'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { whileUncommitted } from '../../../../test/databases/while-uncommitted.ts'
import { addUsers } from '../../../../test/many-users.ts'
import { createOrganization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { good } from '../../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allow, refresh, signInTo, type ThirdParty, type Tokens } from '../../../../test/third-party.ts'
import type { TransactionDeps } from '../../../deps.ts'
import { pruneAll } from '../../../prune.ts'
import { renewConnection } from '../renew-connection.ts'
import { deleteScopeFor } from './deleted-scope.ts'

/** More connections than one transaction writes. */
const MANY = 520
const key = 'poems.read'
const SCOPES = `openid ${key}`
const title = { 'en-US': 'Read poems' }

let server: TestServer
let ana: SignedIn
let bor: SignedIn
/** Defines the scope; the other one has it. */
let maker: ThirdParty
let app: ThirdParty
let tokens: Tokens
beforeEach(async () => {
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  onTestFinished(() => server.close())
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  const organization = await createOrganization(server, ana)
  maker = await organization.app({ name: 'Burja' })
  app = await organization.app()
  good(await ana.call(scopes.defineScope, { id: maker.client_id, key, title }))
  good(await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', key] }))
  await allow(bor, app, SCOPES)
  await addUsers(server, { developer_id: organization.developer_id, app, like: bor, count: MANY })
  const { db, read } = server.store
  const rows = await read.selectFrom('connections').select('id').where('client_id', '=', app.client_id).execute()
  const held = rows.map(({ id }) => ({ key, connection_id: id }))
  for (let from = 0; from < held.length; from += 100)
    await db
      .insertInto('connection_scopes')
      .values(held.slice(from, from + 100))
      .onConflict((c) => c.doNothing())
      .execute()
  tokens = await signInTo(server, bor, app, { scope: SCOPES })
})

/** Connections with the scope in their list, rows of it, and the scope. */
async function rows(): Promise<number[]> {
  const { read } = server.store
  const lists = [
    read.selectFrom('connections').select('id').where('scopes', 'like', `%"${key}"%`),
    read.selectFrom('connection_scopes').select('connection_id as id').where('key', '=', key),
    read.selectFrom('scopes').select('key as id').where('key', '=', key),
  ]
  return await Promise.all(lists.map(async (list) => (await list.execute()).length))
}

async function expectGone(): Promise<void> {
  expect(good(await ana.call(scopes.listScopes, { id: maker.client_id }))).toEqual([])
  expect(good(await ana.call(clients.getClientInfo, { id: app.client_id })).scopes).toEqual(['openid'])
  const children = good(await ana.call(scopes.exploreScopes, { path: 'root', mode: 'direct-children' }))
  expect(children.map((child) => child.key)).not.toContain('poems')
  const [connected] = good(await bor.call(connections.listConnections))
  expect(JSON.stringify(connected)).not.toContain(key)
  const consent = await bor.call(connections.submitConsent, { client: app.client_id, scopes: [key] })
  expect(consent).toMatchObject({ problem: { code: 'unknown_scope' } })
  const answer = await refresh(server, app, tokens.refresh_token)
  expect(answer.json()).toMatchObject({ scope: 'openid' })
  tokens = answer.json()
}

async function written(): Promise<void> {
  for (let turn = 0; turn < 30 && (await rows())[2] === 1; turn += 1) await server.outbox()
}

test('a scope that many people have granted disappears at once, and its rows are deleted later', async () => {
  good(await ana.call(scopes.removeScope, { id: maker.client_id, key }))
  expect(await rows()).toEqual([MANY + 1, MANY + 1, 1])
  await expectGone()
  const again = () => ana.call(scopes.defineScope, { id: maker.client_id, key, title })
  expect(await again()).toMatchObject({ problem: { code: 'scope_being_removed', fields: { key: 'taken' } } })
  await written()
  expect(await rows()).toEqual([0, 0, 0])
  await expectGone()
  good(await again())
  good(await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', key] }))
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ scope: 'openid' })
})

test('a job that is killed after a step continues, and one that is lost is completed by pruning', async () => {
  good(await ana.call(scopes.removeScope, { id: maker.client_id, key }))
  expect(await deleteScopeFor(server.deps, key, 0)).toBe(false)
  const [held = 0, listed] = await rows()
  expect(held).toBeLessThan(MANY)
  expect(listed).toBe(held)
  await expectGone()
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'delete_scope').execute()
  await pruneAll(server.deps)
  expect(await rows()).toEqual([0, 0, 0])
})

test('a connection that gets a new id during the last step loses the scope, too', async () => {
  good(await ana.call(scopes.removeScope, { id: maker.client_id, key }))
  const held = server.store.read.selectFrom('connection_scopes').select('connection_id as id').where('key', '=', key)
  const { id } = await held.orderBy('connection_id', 'desc').executeTakeFirstOrThrow()
  const renew = (deps: TransactionDeps) => renewConnection(deps, id)
  const deleting = () => deleteScopeFor(server.deps, key, Number.POSITIVE_INFINITY)
  expect(await whileUncommitted(server, renew, deleting)).toBe(true)
  expect(await rows()).toEqual([0, 0, 0])
})

test('a scope of an app that is deleted disappears at once, and its rows are deleted later', async () => {
  good(await ana.call(clients.deleteClient, { id: maker.client_id }))
  expect(await rows()).toEqual([MANY + 1, MANY + 1, 1])
  expect(await ana.call(clients.getClientInfo, { id: maker.client_id })).toMatchObject({ http: 404 })
  expect(await ana.call(scopes.exploreScopes, { path: 'poems', mode: 'self' })).toMatchObject({ http: 404 })
  await written()
  await server.outbox()
  expect(await rows()).toEqual([0, 0, 0])
  const left = server.store.read.selectFrom('clients').select('name').where('client_id', '=', maker.client_id)
  expect(await left.execute()).toEqual([])
})
