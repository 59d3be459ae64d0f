import { connections, sessions, users } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addTokens } from '../../../../test/many-users.ts'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { good } from '../../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allow, post, refresh, signInTo, type ThirdParty, type Tokens, userinfo } from '../../../../test/third-party.ts'

/** More than one request deletes. */
const MANY = 12_000

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
let app: ThirdParty
let tokens: Tokens
beforeAll(async () => {
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())
beforeEach(async () => {
  bor = await server.as(people.bor)
  app = await organization.app()
  await allow(bor, app)
  tokens = await signInTo(server, bor, app)
  await addTokens(server, { app, like: bor, count: MANY })
})

async function stored(): Promise<number> {
  const rows = server.store.db.selectFrom('tokens').select('kind').where('client_id', '=', app.client_id)
  return (await rows.execute()).length
}

async function expectEnded({ access_token, refresh_token }: Tokens): Promise<void> {
  expect((await userinfo(server, access_token)).statusCode).toBe(401)
  expect((await post(server, app, '/introspect', { token: refresh_token })).json()).toEqual({ active: false })
  expect((await refresh(server, app, refresh_token)).json().error).toBe('invalid_grant')
}

async function expectLive({ access_token, refresh_token }: Tokens): Promise<void> {
  expect((await userinfo(server, access_token)).statusCode).toBe(200)
  expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
}

/** Former tokens have ended and are stored; newer ones live, also when the former are deleted. */
async function expectEndedLater(): Promise<void> {
  expect(await stored()).toBeGreaterThan(100)
  await expectEnded(tokens)
  const fresh = await signInTo(server, bor, app)
  await expectEnded(tokens)
  expect((await userinfo(server, fresh.access_token)).statusCode).toBe(200)
  await server.outbox()
  expect(await stored()).toBeLessThan(10)
  await expectLive(fresh)
  await expectEnded(tokens)
}

test('a removed app with very many tokens is removed at once, and its tokens stay ended when it is allowed again', async () => {
  good(await bor.call(connections.removeConnection, { client: app.client_id }))
  const left = good(await bor.call(connections.listConnections))
  expect(left.map(({ client }) => client.client_id)).not.toContain(app.client_id)
  await expectEnded(tokens)
  await allow(bor, app)
  await expectEndedLater()
})

test('tokens of a blocked person stay ended when the person is unblocked before they are deleted', async () => {
  for (const blocked of [true, false]) good(await ana.call(users.setUserBlocked, { id: bor.user.id, blocked }))
  await expectEndedLater()
})

test('a refresh token that is used again ends very many tokens of its grant', async () => {
  const next = (await refresh(server, app, tokens.refresh_token)).json()
  server.clock.advance(120)
  expect((await refresh(server, app, tokens.refresh_token)).json().error).toBe('invalid_grant')
  await expectEnded(next)
  await expectEndedLater()
})

test('an app that revokes a token ends very many tokens of its grant', async () => {
  expect((await post(server, app, '/revoke', { token: tokens.refresh_token })).statusCode).toBe(200)
  await expectEndedLater()
})

test('signing out of a session ends its very many tokens, and no others', async () => {
  const other = await server.as(people.bor)
  const others = await signInTo(server, other, app)
  good(await other.call(sessions.logoutSession, { id: bor.user.session_id }))
  expect(await stored()).toBeGreaterThan(100)
  await expectEnded(tokens)
  expect((await userinfo(server, others.access_token)).statusCode).toBe(200)
  await server.outbox()
  expect(await stored()).toBeLessThan(10)
  await expectLive(others)
})

test('scopes that the person has granted stay granted', async () => {
  const { db } = server.store
  const granted = () =>
    db
      .selectFrom('connections')
      .innerJoin('connection_scopes', 'connection_scopes.connection_id', 'connections.id')
      .select(['connections.id', 'key'])
      .where('client_id', '=', app.client_id)
      .execute()
  const before = await db
    .selectFrom('connections')
    .select('id')
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
  const scope = {
    client_id: app.client_id,
    sensitive: 0,
    required: 0,
    search: '',
    created_at: '2026-01-01T00:00:00.000Z',
  } as const
  for (const key of ['a.read', 'a.write']) {
    await db
      .insertInto('scopes')
      .values({ ...scope, key })
      .execute()
    await db.insertInto('connection_scopes').values({ key, connection_id: before.id }).execute()
  }
  await post(server, app, '/revoke', { token: tokens.refresh_token })
  const after = await granted()
  expect(after.map(({ key }) => key).sort()).toEqual(['a.read', 'a.write'])
  expect(after[0]?.id).not.toBe(before.id)
})
