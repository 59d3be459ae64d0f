import { clients } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addTokens } from '../../../../test/many-users.ts'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { good } from '../../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allow, post, refresh, signInTo, type ThirdParty, type Tokens, userinfo } from '../../../../test/third-party.ts'
import { toTime } from '../../../db/values.ts'
import { pruneAll } from '../../../prune.ts'
import { findToken } from '../store.ts'
import { tokenKey } from '../token-keys.ts'

/** More than one transaction deletes. */
const MANY = 1200

let server: TestServer
let ana: SignedIn
let organization: Organization
let app: ThirdParty
let tokens: Tokens
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())
beforeEach(async () => {
  app = await organization.app()
  await allow(ana, app)
  tokens = await signInTo(server, ana, app)
  await addTokens(server, { app, like: ana, count: MANY })
})

const enable = async (enabled: boolean) =>
  good(await ana.call(clients.updateClientInfo, { id: app.client_id, enabled }))

async function stored(): Promise<number> {
  const rows = await server.store.db
    .selectFrom('tokens')
    .select('token_hash')
    .where('client_id', '=', app.client_id)
    .execute()
  return rows.length
}

async function areEnded({ access_token, refresh_token }: Tokens): Promise<boolean> {
  const { statusCode } = await userinfo(server, access_token)
  const seen = (await post(server, app, '/introspect', { token: refresh_token })).json()
  const refreshed = (await refresh(server, app, refresh_token)).json()
  return statusCode === 401 && seen.active === false && refreshed.error === 'invalid_grant'
}

/** Signs in, and expects the tokens to live, also after the job has deleted the ended ones. */
async function expectNewTokensLive(): Promise<void> {
  const fresh = await signInTo(server, ana, app)
  expect((await userinfo(server, fresh.access_token)).statusCode).toBe(200)
  await server.outbox()
  const next = (await refresh(server, app, fresh.refresh_token)).json()
  expect((await userinfo(server, next.access_token)).statusCode).toBe(200)
  expect(await stored()).toBeLessThan(10)
}

test('all tokens of an app with many end when it is disabled, and stay ended when it is enabled before they are deleted', async () => {
  await enable(false)
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect(await stored()).toBeGreaterThan(100)
  server.clock.advance(60)
  await enable(true)
  expect(await areEnded(tokens)).toBe(true)
  server.clock.advance(60)
  await expectNewTokensLive()
  expect(await areEnded(tokens)).toBe(true)
})

test('an app that is enabled a second after it was disabled gets tokens that live', async () => {
  server.clock.advance(60)
  await enable(false)
  server.clock.advance(1)
  await enable(true)
  server.clock.advance(1)
  expect(await areEnded(tokens)).toBe(true)
  await expectNewTokensLive()
  server.clock.advance(60)
})

test('tokens of a server whose clock is ahead end with the others', async () => {
  const { db } = server.store
  const ahead = (seconds: number) => toTime(new Date(server.clock.now().getTime() + seconds * 1000))
  await enable(false)
  await db
    .updateTable('tokens')
    .set({ created_at: ahead(3) })
    .where('client_id', '=', app.client_id)
    .execute()
  expect(await findToken(db, 'RefreshToken', tokenKey(tokens.refresh_token), ahead(0))).toBeUndefined()
  server.clock.advance(10)
  await enable(true)
  expect(await areEnded(tokens)).toBe(true)
})

test('they are deleted in the background, also when the job is lost', async () => {
  await enable(false)
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'end_tokens').execute()
  await pruneAll(server.deps)
  expect(await stored()).toBe(0)
  server.clock.advance(60)
  await enable(true)
  const { access_token } = await signInTo(server, ana, app)
  expect((await userinfo(server, access_token)).statusCode).toBe(200)
})

test('an app that is disabled a second time meanwhile loses its newer tokens, too', async () => {
  await enable(false)
  server.clock.advance(60)
  await enable(true)
  server.clock.advance(60)
  const fresh = await signInTo(server, ana, app)
  await enable(false)
  server.clock.advance(60)
  await enable(true)
  expect(await areEnded(fresh)).toBe(true)
  await server.outbox()
  expect(await areEnded(fresh)).toBe(true)
  expect(await stored()).toBe(0)
})
