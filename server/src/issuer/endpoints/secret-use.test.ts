import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, type ThirdParty } from '../../../test/third-party.ts'

/** The last use of a secret is recorded whenever it has authenticated its client (decision 0028). */
let server: TestServer
let ana: SignedIn
let organization: Organization

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

async function lastUse({ client_id }: ThirdParty): Promise<string | null | undefined> {
  const row = await server.store.read
    .selectFrom('clients')
    .select('secret_last_used_at')
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row?.secret_last_used_at
}

async function whileWritesFail(work: () => Promise<unknown>): Promise<void> {
  const { transaction, together } = server.deps
  server.deps.transaction = () => Promise.reject(new Error('not now'))
  server.deps.together = () => Promise.reject(new Error('not now'))
  try {
    await work()
  } finally {
    Object.assign(server.deps, { transaction, together })
  }
}

async function appWithCode() {
  const app = await organization.app()
  await allow(ana, app)
  return { app, form: (await codeFor(ana, app)).form }
}

test.each(['/token', '/introspect'])(
  'a use whose record was undone is recorded by the next request: %s',
  async (url) => {
    const { app, form } = await appWithCode()
    const send = () => post(server, app, url, url === '/token' ? form : { token: 'unknown' })
    await whileWritesFail(async () => expect((await send()).statusCode).toBe(500))
    expect(await lastUse(app)).toBeNull()
    expect((await send()).statusCode).toBe(200)
    expect(await lastUse(app)).toBe(server.clock.now().toISOString())
  },
)

test('a use is recorded although the grant is refused at the last moment', async () => {
  const { app, form } = await appWithCode()
  // Simulates a sign-out that commits between the reads of the request and its writes.
  const { transaction, together } = server.deps
  const { db } = server.store
  const end = async () => {
    Object.assign(server.deps, { transaction, together })
    await db.updateTable('sessions').set({ ended_at: server.clock.now().toISOString() }).execute()
  }
  server.deps.together = async (...guarded) => end().then(() => together(...guarded))
  server.deps.transaction = async (work) => end().then(() => transaction(work))
  const answer = await post(server, app, '/token', form)
  await db.updateTable('sessions').set({ ended_at: null }).execute()
  expect(answer.json()).toMatchObject({ error: 'invalid_grant' })
  expect(await lastUse(app)).toBe(server.clock.now().toISOString())
})
