import { clients, connections, sessions } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, codeFor, post, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import { findSignedIn, unchangedSignedIn } from '../request/signed-in-store.ts'
import { findToken, unchangedOwner } from '../tokens/store.ts'
import { tokenKey } from '../tokens/token-keys.ts'

/** On PostgreSQL the server remembers rows of what it has issued (decision 0097). On both, answers have what is stored. */
let server: TestServer
let ana: SignedIn
let person: SignedIn
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ana = await server.as(people.ana)
  person = await server.as(people.cvetka)
  app = await (await createOrganization(server, ana)).app()
  await allow(person, app)
})

const update = async (table: 'users' | 'connections' | 'sessions', columns: Record<string, string | null>) => {
  const query = server.store.db.updateTable(table).set(columns as never)
  if (table === 'users') await query.where('id' as never, '=', person.user.id as never).execute()
  else await query.where('user_id' as never, '=', person.user.id as never).execute()
}
const nameIn = (id_token: string) => decodeJwt(id_token).given_name

describe('changes by another server', () => {
  test('is in the tokens of a code and of a refresh', async () => {
    const { form } = await codeFor(person, app)
    await update('users', { first_name: 'Mara' })
    const first = (await post(server, app, '/token', form)).json()
    expect(nameIn(first.id_token)).toBe('Mara')
    await update('users', { first_name: 'Žiga' })
    const second = (await refresh(server, app, first.refresh_token)).json()
    expect(nameIn(second.id_token)).toBe('Žiga')
    await update('connections', { scopes: '["openid"]' })
    const third = (await refresh(server, app, second.refresh_token)).json()
    expect(third.scope).toBe('openid')
    expect(nameIn(third.id_token)).toBeUndefined()
  })

  test('is in the code of an authorization request', async () => {
    await signInTo(server, person, app)
    await update('sessions', { methods: '["pwd","otp"]' })
    const tokens = await signInTo(server, person, app)
    expect(decodeJwt(tokens.id_token)).toMatchObject({ acr: '2', amr: ['pwd', 'otp', 'mfa'] })
    await update('connections', { scopes: '[]' })
    expect((await authorize(person, app)).searchParams.get('code')).toBeNull()
  })

  test.each([
    ['users', { disabled_at: '2026-01-01T00:00:00.000Z' }],
    ['sessions', { ended_at: '2026-01-01T00:00:00.000Z' }],
    ['connections', { blocked_at: '2026-01-01T00:00:00.000Z' }],
  ] as const)('refuses what it has ended: %s %o', async (table, ended) => {
    const { refresh_token } = await signInTo(server, person, app)
    const { form } = await codeFor(person, app)
    await update(table, ended)
    expect((await refresh(server, app, refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await post(server, app, '/token', form)).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await authorize(person, app)).searchParams.get('code')).toBeNull()
    await update(table, Object.fromEntries(Object.keys(ended).map((column) => [column, null])))
  })
})

test('a scope that is revoked while a remembered token is used is not in the new tokens', async () => {
  const { refresh_token } = await signInTo(server, person, app)
  const { together } = server.deps
  server.deps.together = async (...given) => {
    server.deps.together = together
    good(await person.call(connections.revokeScope, { client: app.client_id, key: 'email' }))
    return await together(...given)
  }
  const { access_token } = (await refresh(server, app, refresh_token)).json()
  const introspect = async () => (await post(server, app, '/introspect', { token: access_token })).json()
  expect(await introspect()).toMatchObject({ active: true, scope: 'openid profile' })
  await allow(person, app)
  expect((await introspect()).scope ?? '').not.toContain('email')
})

test('a group that is being deleted while another one is, too, is in no token', async () => {
  const scope = 'openid groups'
  good(await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'groups'] }))
  await allow(person, app, scope)
  const { db } = server.store
  const at = '2026-01-01T00:00:00.000Z'
  const [user_id, group] = [person.user.id, { description: '', search: '', created_at: at }]
  const named = ['crew', 'editors', 'staff'].map((key) => ({ ...group, key, name: key, deleted_at: null }))
  await db.insertInto('groups').values(named).execute()
  onTestFinished(async () => {
    await db.deleteFrom('groups').execute()
    await update('users', { groups: '[]' })
  })
  const own = ['crew', 'staff'].map((group_key) => ({ group_key, user_id, added_at: at }))
  await db.insertInto('group_members').values(own).execute()
  await update('users', { groups: '["crew","staff"]' })
  const remove = (key: string) => db.updateTable('groups').set({ deleted_at: at }).where('key', '=', key).execute()
  const groupsIn = (id_token: string) => decodeJwt(id_token).groups
  await remove('editors')
  const { form } = await codeFor(person, app, { scope })
  await remove('crew')
  const first = (await post(server, app, '/token', form)).json()
  expect(groupsIn(first.id_token)).toEqual(['staff'])
  await update('users', { groups: '["staff"]' })
  const second = (await refresh(server, app, first.refresh_token)).json()
  await remove('staff')
  expect(groupsIn((await refresh(server, app, second.refresh_token)).json().id_token)).toEqual([])
})

test('a refresh token that is sent twice is used once, and all tokens of the grant end', async () => {
  const { refresh_token } = await signInTo(server, person, app)
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(server, app, refresh_token)))
  const issued = answers.filter(({ statusCode }) => statusCode === 200)
  expect(issued).toHaveLength(1)
  expect((await refresh(server, app, issued[0]?.json().refresh_token)).statusCode).toBe(400)
})

test('a code or refresh token that another app sends, or as the other kind, is refused and stays usable', async () => {
  const other = await (await createOrganization(server, ana)).app()
  const { form } = await codeFor(person, app)
  const { code } = form
  expect((await post(server, other, '/token', form)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await refresh(server, app, code)).json()).toMatchObject({ error: 'invalid_grant' })
  const { refresh_token } = (await post(server, app, '/token', form)).json()
  expect((await post(server, app, '/token', { ...form, code: refresh_token })).statusCode).toBe(400)
  expect((await refresh(server, other, refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
})

test('a session that has ended gets no code, and a connection that was removed no tokens', async () => {
  const { refresh_token } = await signInTo(server, person, app)
  good(await person.call(connections.removeConnection, { client: app.client_id }))
  expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
  await allow(person, app)
  await signInTo(server, person, app)
  good(await person.call(sessions.logout))
  expect((await authorize(person, app)).searchParams.get('code')).toBeNull()
})

const now = () => server.clock.now().toISOString()
const other = (value: unknown) => (typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : 'x')

test('a remembered token is used only while each column of its session, connection and user is the same', async () => {
  const { refresh_token } = await signInTo(server, person, app)
  const by = { kind: 'RefreshToken', hash: tokenKey(refresh_token), now: now() } as const
  const row = await findToken(server.store.db, by.kind, by.hash, by.now)
  if (!row) throw new Error('the token is not stored')
  const holds = (known: typeof row) => server.store.together({ guards: [unchangedOwner(by, known)], writes: [] })
  expect(await holds(row)).toBe(true)
  const ofToken = await server.store.db.selectFrom('tokens').selectAll().where('token_hash', '=', by.hash).execute()
  for (const column of Object.keys(row) as (keyof typeof row)[]) {
    if (Object.hasOwn(ofToken[0] ?? {}, column)) continue
    expect([column, await holds({ ...row, [column]: other(row[column]) })]).toEqual([column, false])
  }
  expect(
    await server.store.together({ guards: [unchangedOwner({ ...by, kind: 'AccessToken' }, row)], writes: [] }),
  ).toBe(false)
})

test('a remembered session is used only while each of its columns, and of its connection and user, is the same', async () => {
  await signInTo(server, person, app)
  const query = server.store.db.selectFrom('sessions').select('token_hash').where('user_id', '=', person.user.id)
  const { token_hash } = await query.orderBy('created_at', 'desc').executeTakeFirstOrThrow()
  const by = { token_hash, client_id: app.client_id, now: now() }
  const row = await findSignedIn(server.store.db, by)
  if (!row) throw new Error('the session is not live')
  const holds = (known: typeof row) => server.store.together({ guards: [unchangedSignedIn(by, known)], writes: [] })
  expect(await holds(row)).toBe(true)
  for (const column of Object.keys(row) as (keyof typeof row)[])
    expect([column, await holds({ ...row, [column]: other(row[column]) })]).toEqual([column, false])
})
