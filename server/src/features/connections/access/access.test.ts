import { createHash, randomUUID } from 'node:crypto'
import { clientAccess, groups } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { whileUncommitted } from '../../../../test/databases/while-uncommitted.ts'
import { addTokens, addUsers } from '../../../../test/many-users.ts'
import { createOperator } from '../../../../test/operator.ts'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { good } from '../../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import {
  allow,
  authorize,
  codeFor,
  credentials,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  type Tokens,
  userinfo,
} from '../../../../test/third-party.ts'
import { pruneAll } from '../../../prune.ts'
import { renewConnection } from '../renew-connection.ts'
import { compareSome } from './access.ts'

/** More connections than one transaction compares with the rule. */
const MANY = 1100

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let organization: Organization
let app: ThirdParty
let tokens: Tokens
let others: Tokens
beforeEach(async () => {
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  onTestFinished(() => server.close())
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  cvetka = await server.as(people.cvetka)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  for (const person of [bor, cvetka]) await allow(person, app)
  tokens = await signInTo(server, bor, app)
  others = await signInTo(server, cvetka, app)
  await addUsers(server, { developer_id: organization.developer_id, app, like: bor, count: MANY })
  await addTokens(server, { app, like: bor, count: MANY })
})

const onlyCvetka = { mode: 'people', people: [people.cvetka.email] as string[] } as const
const setAccess = async (access: clientAccess.Access | { mode: 'everyone' } | typeof onlyCvetka) =>
  good(await ana.call(clientAccess.setAccess, { id: app.client_id, ...access } as never))

async function leftOut(): Promise<number> {
  const marked = server.store.read.selectFrom('connections').select('id').where('access_lost_at', 'is not', null)
  return (await marked.where('client_id', '=', app.client_id).execute()).length
}

/** Runs the job, which takes several turns on a slow machine. */
async function written(): Promise<void> {
  const changing = server.store.read.selectFrom('clients').select('client_id').where('access_change', 'is not', null)
  for (let turn = 0; turn < 30 && (await changing.execute()).length > 0; turn += 1) await server.outbox()
}

/** Whether the tokens of Bor are refused, and those of Cvetka accepted. */
async function expectOnlyCvetka(): Promise<void> {
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await authorize(bor, app)).searchParams.has('code')).toBe(false)
  expect((await userinfo(server, others.access_token)).statusCode).toBe(200)
  const answer = await refresh(server, app, others.refresh_token)
  expect(answer.statusCode).toBe(200)
  others = answer.json()
}

async function expectWritten(): Promise<void> {
  expect(await leftOut()).toBe(MANY + 1)
  const { read } = server.store
  const stored = await read.selectFrom('tokens').select('user_id').where('client_id', '=', app.client_id).execute()
  expect(new Set(stored.map(({ user_id }) => user_id))).toEqual(new Set([cvetka.user.id]))
}

test('a rule of an app with many users leaves out at once those whom it does not name, and lets them in again', async () => {
  await setAccess(onlyCvetka)
  expect(await leftOut()).toBe(0)
  await expectOnlyCvetka()
  await written()
  await expectWritten()
  await expectOnlyCvetka()

  await setAccess({ mode: 'everyone' })
  expect(await leftOut()).toBe(MANY + 1)
  const fresh = await signInTo(server, bor, app)
  expect((await userinfo(server, fresh.access_token)).statusCode).toBe(200)
  await written()
  expect(await leftOut()).toBe(0)
  expect((await userinfo(server, fresh.access_token)).statusCode).toBe(200)
})

test('a job that is killed after a step continues, and one that is lost is completed by pruning', async () => {
  await setAccess(onlyCvetka)
  const { access_change: change } = await server.store.read
    .selectFrom('clients')
    .select('access_change')
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
  const { client_id } = app
  const step = { client_id, change: change ?? '', after: '' }
  expect(await server.deps.transaction((tx) => compareSome(tx, step, 50))).toHaveLength(50)
  expect(await leftOut()).toBeGreaterThan(40)
  await expectOnlyCvetka()
  await server.store.db.deleteFrom('jobs').where('kind', '=', 'change_access').execute()
  await pruneAll(server.deps)
  await expectWritten()
})

test('leaves out a user whose connection gets a new id during the last step', async () => {
  await setAccess(onlyCvetka)
  const { read } = server.store
  const ids = read.selectFrom('connections').select('id').where('client_id', '=', app.client_id)
  const { id } = await ids.where('user_id', '!=', cvetka.user.id).orderBy('id', 'desc').executeTakeFirstOrThrow()
  await whileUncommitted(
    server,
    (deps) => renewConnection(deps, id),
    () => pruneAll(server.deps),
  )
  expect(await leftOut()).toBe(MANY + 1)
})

test('a rule that changes again before its rows are written accepts no former tokens', async () => {
  await setAccess(onlyCvetka)
  await setAccess({ mode: 'everyone' })
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  server.clock.advance(1)
  const fresh = await signInTo(server, bor, app)
  await written()
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect((await userinfo(server, fresh.access_token)).statusCode).toBe(200)
  expect(await leftOut()).toBe(0)
})

test('a group that a user joins before the rows are written accepts no former tokens', async () => {
  const operator = await createOperator(server, people.drago, 'admin')
  good(await operator.call(groups.createGroup, { key: 'crew', name: 'Crew' }))
  await setAccess({ mode: 'groups', groups: ['crew'], people: [] })
  good(await operator.call(groups.addGroupMember, { key: 'crew', user_id: bor.user.id }))
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  const fresh = await signInTo(server, bor, app)
  await written()
  expect((await userinfo(server, fresh.access_token)).statusCode).toBe(200)
  expect(await leftOut()).toBe(MANY + 1)
})

test('tokens that the app received in exchange end, too', async () => {
  const other = await organization.app({ name: 'Burja' })
  const values: Record<string, string> = {}
  for (const [name, person] of Object.entries({ bor, cvetka })) {
    await allow(person, other)
    const { access_token } = await signInTo(server, person, other)
    values[name] = access_token
  }
  // Simulates tokens that the app received in exchange for those of the other app.
  const { db, read } = server.store
  const { client_id } = app
  await db
    .updateTable('tokens')
    .set({ client_id })
    .where('client_id', '=', other.client_id)
    .where('kind', '=', 'AccessToken')
    .execute()
  const exchanged = async () => {
    const ids = read.selectFrom('connections').select('id').where('client_id', '=', other.client_id)
    const rows = read.selectFrom('tokens').select('user_id').where('client_id', '=', client_id)
    return (await rows.where('connection_id', 'in', ids).execute()).map(({ user_id }) => user_id)
  }
  expect(await exchanged()).toHaveLength(2)
  await setAccess(onlyCvetka)
  expect((await userinfo(server, values.bor ?? '')).statusCode).toBe(401)
  expect((await userinfo(server, values.cvetka ?? '')).statusCode).toBe(200)
  await written()
  expect(await exchanged()).toEqual([cvetka.user.id])
})

test('tokens that are bound to a key (DPoP) are refused at once, also one that the app received in exchange', async () => {
  const other = await organization.app({ name: 'Burja' })
  const { userinfoOf, tokenOf } = await withKey()
  const exchanged: Record<string, string> = {}
  const bound: Record<string, string> = {}
  for (const [name, person] of Object.entries({ bor, cvetka })) {
    await allow(person, other)
    bound[name] = await tokenOf(person, app)
    exchanged[name] = await tokenOf(person, other)
  }
  // Simulates tokens that the app received in exchange for those of the other app.
  const { client_id } = app
  await server.store.db
    .updateTable('tokens')
    .set({ client_id })
    .where('client_id', '=', other.client_id)
    .where('kind', '=', 'AccessToken')
    .execute()
  const statuses = async () => [
    [await userinfoOf(bound.bor), await userinfoOf(exchanged.bor)],
    [await userinfoOf(bound.cvetka), await userinfoOf(exchanged.cvetka)],
  ]
  expect(await statuses()).toEqual([
    [200, 200],
    [200, 200],
  ])
  await setAccess(onlyCvetka)
  expect(await statuses()).toEqual([
    [401, 401],
    [200, 200],
  ])
  await written()
  expect(await statuses()).toEqual([
    [401, 401],
    [200, 200],
  ])
})

/** Token and userinfo requests with proofs of a key (RFC 9449). */
async function withKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const proof = (htm: string, path: string, claims = {}) =>
    new SignJWT({ htm, htu: server.config.url + path, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey)
  return {
    tokenOf: async (person: SignedIn, to: ThirdParty): Promise<string> => {
      const { form } = await codeFor(person, to)
      const headers = { ...credentials(to), dpop: await proof('POST', '/token') }
      return (await post(server, to, '/token', form, headers)).json().access_token
    },
    userinfoOf: async (token = ''): Promise<number> => {
      const ath = createHash('sha256').update(token).digest('base64url')
      const headers = { authorization: `DPoP ${token}`, dpop: await proof('GET', '/userinfo', { ath }) }
      return (await server.app.inject({ url: '/userinfo', headers })).statusCode
    },
  }
}
