import { sessions } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import * as sessionClients from '../../db/migrations/0082-session-clients.ts'

let server: TestServer
let person: SignedIn
let [jadrolet, planinar]: ThirdParty[] = []

beforeAll(async () => {
  server = await startTestServer()
  const organization = await createOrganization(server, await server.as(people.ana))
  ;[jadrolet, planinar] = [await organization.app(), await organization.app()]
})
afterAll(() => server?.close())

beforeEach(async () => {
  person = await server.as(people.bor)
  for (const app of [jadrolet, planinar] as ThirdParty[]) await allow(person, app)
})

async function signIn(app: ThirdParty | undefined): Promise<void> {
  server.clock.advance(61)
  await signInTo(server, person, app as ThirdParty)
}

/** The apps of the current session, as its user sees them. */
async function apps(): Promise<string[]> {
  const own = good(await person.call(sessions.listSessions)).find(({ current }) => current)
  return own?.apps.map(({ client_id }) => client_id) ?? []
}

const ids = (...of: (ThirdParty | undefined)[]) => of.map((app) => app?.client_id)

test('the apps of a session begin with the one that it signed in to last', async () => {
  await signIn(jadrolet)
  await signIn(planinar)
  expect(await apps()).toEqual(ids(planinar, jadrolet))
  await signIn(jadrolet)
  expect(await apps()).toEqual(ids(jadrolet, planinar))
})

test('another session has apps of its own, and has none of a session that has ended', async () => {
  await signIn(jadrolet)
  person = await server.as(people.bor)
  expect(await apps()).toEqual([])
  await signIn(planinar)
  expect(await apps()).toEqual(ids(planinar))
})

test('an upgrade takes the apps of open sessions from the activity', async () => {
  await signIn(jadrolet)
  await signIn(planinar)
  const { db } = server.store
  await db.schema.dropTable('session_clients').execute()
  await db.schema
    .createIndex('activities_of_session')
    .on('activities')
    .columns(['session_id', 'client_id', 'created_at'])
    .execute()
  await sessionClients.up(db as never)
  expect(await apps()).toEqual(ids(planinar, jadrolet))
})
