import { account, clients, connections, developers, scopes, users } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whileUncommitted } from '../../../test/databases/while-uncommitted.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people, studio } from '../../../test/people.ts'
import { registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorizeUrl, type ThirdParty } from '../../../test/third-party.ts'
import { findUserForUpdate, updatePerson } from '../account/public.ts'
import { grantTrusted } from './consent/grant-trusted.ts'
import { disconnect } from './disconnect.ts'
import { disconnectAll } from './public.ts'
import { renewConnection } from './renew-connection.ts'

/** A race depends on timing, so each test runs several times. */
const ROUNDS = Array.from({ length: 6 }, (_, round) => round + 1)

let server: TestServer
let ana: SignedIn
let bor: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  bor = await server.as(people.bor)
})
afterAll(() => server.close())

/** Creates a new developer account with two clients, so that rounds are independent. */
async function twoApps(): Promise<{ organization: Organization; app: ThirdParty; other: ThirdParty }> {
  ana = await server.as(people.ana)
  const organization = await createOrganization(server, ana)
  return { organization, app: await organization.app(), other: await organization.app({ name: 'Burja' }) }
}

async function found(query: string): Promise<number> {
  const answer = await ana.call(users.listUsers, { query })
  return answer.ok ? answer.data.length : 0
}

test.each(ROUNDS)('indexes the search terms of two concurrent consents (%i)', async () => {
  const { app, other } = await twoApps()
  await Promise.all([allow(bor, app, 'openid profile'), allow(bor, other, 'openid email')])
  expect([await found(people.bor.last_name), await found(people.bor.email)]).toEqual([1, 1])
})

test.each(ROUNDS)('indexes the new name when a scope is revoked at the same time (%i)', async (round) => {
  const { app } = await twoApps()
  await allow(bor, app, 'openid profile email')
  const last_name = `Horvat${'abcdefgh'[round - 1]}`
  const answers = await Promise.all([
    bor.call(connections.revokeScope, { client: app.client_id, key: 'email' }),
    bor.call(account.updateAccount, { last_name }),
    bor.call(account.setLanguage, { language: ['hr-HR'] }),
  ])
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true])
  expect([await found(last_name), await found(people.bor.email)]).toEqual([1, 0])
})

test.each(ROUNDS)('deletes a client and its developer account during sign-ins without errors (%i)', async () => {
  const { app, other } = await twoApps()
  await allow(bor, app, 'openid profile email')
  await allow(bor, other, 'openid profile email')
  const signIn = (at: ThirdParty) => bor.request({ url: authorizeUrl(at, { scope: 'openid profile' }) })
  const [deleted, ...atApp] = await Promise.all([
    ana.call(clients.deleteClient, { id: app.client_id }),
    ...[app, app, app].map(signIn),
  ])
  const [gone, renamed, ...atOther] = await Promise.all([
    ana.call(developers.deleteDeveloper, { name: studio.name }),
    bor.call(account.updateAccount, { last_name: people.bor.last_name }),
    ...[other, other, other].map(signIn),
  ])
  expect([deleted.ok, gone.ok, renamed.ok]).toEqual([true, true, true])
  // A code, or the error page about the client.
  for (const { statusCode } of [...atApp, ...atOther]) expect(statusCode).toBe(303)
})

test('a consent that commits while its app is being deleted leaves no row in the list of users', async () => {
  const { app } = await twoApps()
  await server.store.db.updateTable('clients').set({ trusted: 1 }).where('client_id', '=', app.client_id).execute()
  const { id: user_id, session_id } = bor.user
  const actor = { user_id, session_id, ip: '127.0.0.1', os: null, browser: null, request_id: 'request' }
  let granted = false
  const deleted = await whileUncommitted(
    server,
    async (deps) => {
      granted = await grantTrusted(deps, actor, { client_id: app.client_id, scopes: ['openid', 'profile'] })
    },
    () => ana.call(clients.deleteClient, { id: app.client_id }),
  )
  expect([granted, deleted.ok]).toEqual([true, true])
  const listed = await ana.call(users.listUsers, {})
  expect(listed).toMatchObject({ data: [] })
})

/** Makes a change that waits for a transaction which gives a connection a new id (decision 0145). */
async function whileRenewing<Answer>(app: ThirdParty, change: () => Promise<Answer>): Promise<Answer> {
  const { read } = server.store
  const ids = read.selectFrom('connections').select('id').where('client_id', '=', app.client_id)
  const { id } = await ids.executeTakeFirstOrThrow()
  return await whileUncommitted(server, (deps) => renewConnection(deps, id), change)
}

test('a connection that is getting a new id is removed, and loses a scope', async () => {
  const { app } = await twoApps()
  await allow(bor, app, 'openid profile email')
  const client = app.client_id
  const revoked = await whileRenewing(app, () => bor.call(connections.revokeScope, { client, key: 'email' }))
  expect(good(revoked).scopes).not.toContain('email')
  good(await whileRenewing(app, () => bor.call(connections.removeConnection, { client })))
  expect(JSON.stringify(good(await bor.call(connections.listConnections)))).not.toContain(client)
})

test('a connection that is getting a new id loses a scope that is deleted', async () => {
  const { app } = await twoApps()
  const key = 'poems.read'
  const id = app.client_id
  good(await ana.call(scopes.defineScope, { id, key, title: { 'en-US': 'Read poems' } }))
  good(await ana.call(clients.updateClientInfo, { id, scopes: ['openid', key] }))
  await allow(bor, app, `openid ${key}`)
  good(await whileRenewing(app, () => ana.call(scopes.removeScope, { id, key })))
  const stored = server.store.read.selectFrom('connections').select('scopes').where('client_id', '=', id)
  expect(await stored.execute()).toEqual([{ scopes: '["openid"]' }])
})

test('a user who is disconnected twice at once is not left in the list of users', async () => {
  const { app } = await twoApps()
  await allow(bor, app)
  await whileUncommitted(
    server,
    (deps) => disconnect(deps, bor.user.id, app.client_id),
    () => server.deps.transaction((deps) => disconnectAll(deps, bor.user.id)),
  )
  expect(await ana.call(users.listUsers, {})).toMatchObject({ data: [] })
})

test('a user whose name changes during the first consent is found by the new one', async () => {
  const { app } = await twoApps()
  const person = await registerConfirmedUser(server)
  const consented = await whileUncommitted(
    server,
    async (deps) => {
      const user = await findUserForUpdate(deps.db, person.user.id)
      if (user) await updatePerson(deps, user, { last_name: 'Kobal' }, { at_once: true })
    },
    () => person.call(connections.submitConsent, { client: app.client_id, scopes: ['openid', 'profile'] }),
  )
  expect([consented.ok, await found('Kobal')]).toEqual([true, 1])
})

test('a user whose name changes during the first request of a trusted app is found by the new one', async () => {
  const { app } = await twoApps()
  await server.store.db.updateTable('clients').set({ trusted: 1 }).where('client_id', '=', app.client_id).execute()
  const { user, call } = await registerConfirmedUser(server)
  const actor = { user_id: user.id, session_id: user.session_id, ip: '127.0.0.1', os: null, browser: null }
  const granting = { ...actor, request_id: 'request' }
  const named = await whileUncommitted(
    server,
    (deps) => grantTrusted(deps, granting, { client_id: app.client_id, scopes: ['openid', 'profile'] }),
    () => call(account.updateAccount, { last_name: 'Kobal' }),
  )
  expect([named.ok, await found('Kobal')]).toEqual([true, 1])
})
