import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { adminUsers, clients, LIFETIMES, privacy, security, sessions } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { addSessions } from '../../../test/many-users.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type RegisteredUser, registerConfirmedUser, signInAgain } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'
import { newId } from '../../lib/ids.ts'
import { pruneAll } from '../../prune.ts'
import { findUser } from '../account/public.ts'

/** More than one transaction ends. */
const MANY = 700

let server: TestServer
let operator: Operator
let app: ThirdParty
let person: RegisteredUser
beforeAll(async () => {
  server = await startTestServer()
  operator = await createOperator(server, people.drago, 'support')
  app = await (await createOrganization(server, await server.as(people.ana))).app()
})
afterAll(() => server.close())
beforeEach(async () => {
  person = await registerConfirmedUser(server)
  await allow(person, app)
})

/** Sessions that are written as ended, and those that are not. */
async function written() {
  const own = server.store.read.selectFrom('sessions').selectAll().where('user_id', '=', person.user.id)
  const rows = await own.execute()
  const ended = rows.filter(({ ended_at }) => ended_at !== null).length
  return { ended, open: rows.length - ended }
}

const isSignedIn = async (browser: Pick<RegisteredUser, 'call'>) =>
  (await browser.call(sessions.refresh, {})).ok && (await browser.call(sessions.listSessions, {})).ok

test('very many sessions end at once, and a job writes them', async () => {
  await addSessions(server, { like: person, count: MANY })
  const { access_token } = await signInTo(server, person, app)
  good(await operator.call(adminUsers.endUserSessions, { id: person.user.id }))
  expect(await isSignedIn(person)).toBe(false)
  expect((await userinfo(server, access_token)).statusCode).toBe(401)
  expect((await written()).open).toBe(MANY + 1)
  await pruneAll(server.deps)
  expect(await written()).toEqual({ ended: MANY + 1, open: 0 })
})

test('a session that begins before they are written lives, also afterwards', async () => {
  await addSessions(server, { like: person, count: MANY })
  good(await person.call(sessions.logoutAll, { include_current: true }))
  const next = await signInAgain(server, person)
  const { access_token } = await signInTo(server, { ...next, user: person.user }, app)
  for (const when of ['before', 'after']) {
    expect(await isSignedIn(next), when).toBe(true)
    expect((await userinfo(server, access_token)).statusCode, when).toBe(200)
    await server.outbox()
  }
  expect(await written()).toEqual({ ended: MANY + 1, open: 1 })
  const later = await signInAgain(server, person)
  expect(await isSignedIn(later)).toBe(true)
})

test('the session that changes the password stays, without its tokens', async () => {
  await addSessions(server, { like: person, count: MANY })
  const other = await signInAgain(server, person)
  const { access_token } = await signInTo(server, person, app)
  const passwords = { current_password: person.password, new_password: 'drugacna-gora-17' }
  good(await person.call(security.changePassword, passwords))
  for (const when of ['before', 'after']) {
    expect(await isSignedIn(person), when).toBe(true)
    expect(await isSignedIn(other), when).toBe(false)
    expect((await userinfo(server, access_token)).statusCode, when).toBe(401)
    await server.outbox()
  }
  expect(await written()).toEqual({ ended: MANY + 1, open: 1 })
})

test('a second end before the first is written also ends what began meanwhile', async () => {
  await addSessions(server, { like: person, count: MANY })
  good(await operator.call(adminUsers.endUserSessions, { id: person.user.id }))
  const [kept, meanwhile] = [await signInAgain(server, person), await signInAgain(server, person)]
  good(await kept.call(sessions.logoutAll, {}))
  for (const when of ['before', 'after']) {
    expect(await isSignedIn(kept), when).toBe(true)
    expect(await isSignedIn(meanwhile), when).toBe(false)
    expect(await isSignedIn(person), when).toBe(false)
    await server.outbox()
  }
  expect(await written()).toEqual({ ended: MANY + 2, open: 1 })
})

test('an ended session does not live again when another one ends all others', async () => {
  await addSessions(server, { like: person, count: MANY })
  const kept = await signInAgain(server, person)
  good(await kept.call(sessions.logoutAll, {}))
  expect((await person.call(sessions.logoutAll, {})).ok).toBe(false)
  await server.outbox()
  expect(await isSignedIn(kept)).toBe(true)
  expect(await isSignedIn(person)).toBe(false)
})

test('pruning writes what a lost job has left', async () => {
  await addSessions(server, { like: person, count: MANY })
  good(await operator.call(adminUsers.endUserSessions, { id: person.user.id }))
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'end_sessions').execute()
  await pruneAll(server.deps)
  expect(await written()).toEqual({ ended: MANY + 1, open: 0 })
})

test('apps are notified of the ended sessions', async () => {
  const told: unknown[] = []
  const listener = createServer(async (request: IncomingMessage, response) => {
    told.push(decodeJwt(new URLSearchParams(await text(request)).get('logout_token') ?? '').sid)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close())
  const ana = await server.as(people.ana)
  const telling = await (await createOrganization(server, ana)).app()
  const backchannel_logout_uri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/signed-out`
  good(await ana.call(clients.updateAdvanced, { id: telling.client_id, backchannel_logout_uri }))
  await allow(person, telling)
  const { id_token } = await signInTo(server, person, telling)
  await addSessions(server, { like: person, count: MANY })
  good(await operator.call(adminUsers.endUserSessions, { id: person.user.id }))
  await server.outbox()
  await expect.poll(() => told).toEqual([decodeJwt(id_token).sid])
})

// Last, because it moves the clock by days.
test('a person with very many sessions and activities is deleted when the time has come', async () => {
  const { db } = server.store
  await addSessions(server, { like: person, count: 1200 })
  const own = db.selectFrom('activities').selectAll().where('user_id', '=', person.user.id)
  const activity = await own.executeTakeFirstOrThrow()
  const copies = Array.from({ length: 1200 }, () => ({ ...activity, id: newId(server.clock) }))
  await db.insertInto('activities').values(copies).execute()
  good(await person.call(privacy.deleteAccount, { password: person.password }))
  server.clock.advance(LIFETIMES.deletion + 1)
  await pruneAll(server.deps)
  expect(await findUser(db, person.user.id)).toBeUndefined()
  expect(await own.execute()).toEqual([])
  expect(await written()).toEqual({ ended: 0, open: 0 })
})
