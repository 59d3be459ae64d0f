import { clients, connections } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorize,
  codeFor,
  post,
  refresh,
  SCOPE,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'
import { type Db, makeHandle } from '../../db/compiled-queries/handle.ts'
import { restoreToken } from '../tokens/store.ts'
import { tokenKey } from '../tokens/token-keys.ts'
import { COMMIT_AGAIN } from './provider-request.ts'
import { UnknownCommits } from './unknown-commits.ts'

/** The connection to the database breaks while a transaction is committed (decision 0035). */
let native: TestServer
let engine: TestServer
let other: TestServer
let ana: SignedIn
let organization: Organization

const { milliseconds } = COMMIT_AGAIN
beforeAll(async () => {
  native = await startTestServer({ VRATA_NATIVE_TOKENS: 'on' })
  engine = await native.secondNode({ VRATA_NATIVE_TOKENS: 'off' })
  other = await native.secondNode()
  ana = await native.as(people.ana)
  organization = await createOrganization(native, ana)
})
afterAll(async () => {
  COMMIT_AGAIN.milliseconds = milliseconds
  await other.close()
  await engine.close()
  await native.close()
})

/** Shorter than four seconds, to keep the test fast. */
const SHORT = 400
const LOST = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
const AWAY = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/**
 * Breaks the connection at the next commit of the server, which takes place or not; afterwards the database is away, unless it is back at
 * once. Returns what brings it back. Requests in progress have a copy of the dependencies.
 */
function breakNextCommit(server: TestServer, { takesPlace, isBack }: { takesPlace: boolean; isBack: boolean }) {
  const { transaction, together, db } = server.deps
  let state: 'intact' | 'away' | 'back' = 'intact'
  const commit = async <T>(by: unknown, work: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> => {
    if (state === 'away') throw AWAY
    // The server itself looks once a second at the commits of former tests.
    if (state === 'back' || by === server.deps) return await work()
    if (takesPlace) {
      const value = await work()
      // Guarded writes whose guard does not hold have written nothing: the transaction follows.
      if (!isDone(value)) return value
    }
    state = isBack ? 'back' : 'away'
    throw LOST
  }
  server.deps.together = function (this: unknown, ...guarded) {
    return commit(
      this,
      () => together(...guarded),
      (done) => done,
    )
  }
  server.deps.transaction = function (this: unknown, work) {
    return commit(
      this,
      () => transaction(work),
      () => true,
    )
  }
  server.deps.db = makeHandle(server.store.engine, async (query) => {
    if (state === 'away') throw AWAY
    return await (db as Db).executeQuery(query as never)
  })
  return () => {
    state = 'back'
    Object.assign(server.deps, { transaction, together, db })
  }
}

async function newApp(): Promise<ThirdParty> {
  const app = await organization.app()
  await allow(ana, app)
  return app
}

/** A request that consumes something, and tokens of the same grant, which end with it. */
const REQUESTS = {
  code: async (server: TestServer) => {
    const app = await newApp()
    const before = await signInTo(server, ana, app)
    const { form } = await codeFor(ana, app)
    return { before, send: (to: TestServer) => post(to, app, '/token', form), app }
  },
  'refresh token': async (server: TestServer) => {
    const app = await newApp()
    const before = await signInTo(server, ana, app)
    const { refresh_token } = await signInTo(server, ana, app)
    return { before, send: (to: TestServer) => refresh(to, app, refresh_token), app }
  },
  'device code': async (server: TestServer) => {
    const created = await ana.call(clients.createClient, { name: 'Televizor', type: 'native' })
    if (!created.ok) throw new Error(created.problem.code)
    const app = { client_id: created.data.client_id, client_secret: null }
    const begin = async () => {
      const started = (await post(server, app, '/device_authorization', { scope: SCOPE })).json()
      const opened = await ana.call(connections.openDeviceCode, { user_code: started.user_code })
      if (!opened.ok) throw new Error(opened.problem.code)
      const { uid } = opened.data
      await ana.call(connections.submitConsent, { client: app.client_id, uid, scopes: SCOPE.split(' ') })
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      return (to: TestServer) => post(to, app, '/token', { grant_type, device_code: started.device_code })
    }
    const before = (await (await begin())(server)).json()
    return { before, send: await begin(), app }
  },
}
const NAMES = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]
const SERVERS = ['native', 'oidc-provider'] as const
const serverOf = (name: (typeof SERVERS)[number]) => (name === 'native' ? native : engine)

async function works(server: TestServer, app: ThirdParty, tokens: { access_token: string; refresh_token: string }) {
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
  const refreshed = await refresh(server, app, tokens.refresh_token)
  expect(refreshed.statusCode).toBe(200)
  return refreshed
}

describe.each(SERVERS)('%s', (name) => {
  describe.each([
    ['takes place', true],
    ['does not take place', false],
  ] as const)('a commit that %s', (_, takesPlace) => {
    test.each(NAMES)('is found out, and the answer is the right one: %s', async (kind) => {
      const server = serverOf(name)
      const { before, send, app } = await REQUESTS[kind](server)
      COMMIT_AGAIN.milliseconds = milliseconds
      const restore = breakNextCommit(server, { takesPlace, isBack: true })
      const answer = await send(server).finally(restore)
      expect(answer.statusCode).toBe(200)
      await works(server, app, answer.json())
      await works(server, app, before)
      // It was used once, and a second use still ends the grant.
      expect((await send(server)).json()).toMatchObject({ error: 'invalid_grant' })
    })

    test('is found out: an authorization request', async () => {
      const server = serverOf(name)
      COMMIT_AGAIN.milliseconds = milliseconds
      const app = await newApp()
      const browser = server.browser()
      for (const [cookie, value] of ana.cookies) browser.cookies.set(cookie, value)
      const restore = breakNextCommit(server, { takesPlace, isBack: true })
      expect((await authorize(browser, app).finally(restore)).searchParams.get('code')).toMatch(/^[\w-]{52}$/)
    })

    test.each(NAMES)(
      'is answered with 503 when nothing is found out; the request can be repeated: %s',
      async (kind) => {
        const server = serverOf(name)
        const { before, send, app } = await REQUESTS[kind](server)
        const restore = breakNextCommit(server, { takesPlace, isBack: false })
        COMMIT_AGAIN.milliseconds = SHORT
        const answer = await send(server).finally(restore)
        expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toMatchObject([
          503,
          '2',
          { error: 'temporarily_unavailable' },
        ])
        const again = await send(server)
        expect(again.statusCode).toBe(200)
        await works(server, app, again.json())
        await works(server, app, before)
      },
      20_000,
    )
  })

  test('the request can be repeated at another server', async () => {
    const server = serverOf(name)
    const { before, send, app } = await REQUESTS['refresh token'](server)
    const restore = breakNextCommit(server, { takesPlace: true, isBack: false })
    COMMIT_AGAIN.milliseconds = SHORT
    expect((await send(server)).statusCode).toBe(503)
    const consumed = () =>
      server.store.read
        .selectFrom('tokens')
        .select('kind')
        .where('client_id', '=', app.client_id)
        .where('kind', '=', 'RefreshToken')
        .where('consumed_at', 'is not', null)
        .execute()
    expect(await consumed()).toHaveLength(1)
    restore()
    await expect.poll(consumed).toEqual([])
    const again = await send(other)
    expect(again.statusCode).toBe(200)
    await works(other, app, again.json())
    await works(other, app, before)
  })
})

describe('a commit that is undone while its request is repeated', () => {
  /** A refresh token that a commit has consumed, whose response was lost. */
  async function unanswered() {
    const app = await newApp()
    const { refresh_token } = await signInTo(native, ana, app)
    const key = tokenKey(refresh_token)
    const lost = (await refresh(native, app, refresh_token)).json()
    const created = [tokenKey(lost.access_token), tokenKey(lost.refresh_token)]
    return {
      app,
      refresh_token,
      key,
      commit: { created, restores: new Map([[key, (db: Db) => restoreToken(db, key)]]) },
    }
  }
  const find = (key: string) =>
    native.store.read.selectFrom('tokens').select('consumed_at').where('token_hash', '=', key).executeTakeFirst()
  const isConsumed = (row: { consumed_at: string | null }) => row.consumed_at !== null

  test('is not found as consumed', async () => {
    const { key, commit } = await unanswered()
    expect(await find(key)).toEqual({ consumed_at: expect.any(String) })
    const commits = new UnknownCommits(native.deps)
    commits.add(commit)
    const finding = commits.find(
      key,
      async (hash) => {
        const row = await find(hash)
        // The timer.
        if (row && isConsumed(row)) await commits.undo(hash)
        return row
      },
      isConsumed,
    )
    expect(await finding).toEqual({ consumed_at: null })
    commits.close()
  })

  test('leaves the grant to a request that has found the token before', async () => {
    const { app, refresh_token, commit } = await unanswered()
    const { transaction } = engine.deps
    engine.deps.transaction = async (work) => {
      engine.deps.transaction = transaction
      const consumed = transaction(work)
      await consumed.catch(async () => {
        const commits = new UnknownCommits(native.deps)
        commits.add(commit)
        for (const hash of commit.restores.keys()) expect(await commits.undo(hash)).toBe(true)
        commits.close()
      })
      return await consumed
    }
    const { db } = engine.deps
    engine.deps.db = makeHandle(engine.store.engine, async (query) => {
      const { rows, ...result } = await (db as Db).executeQuery(query as never)
      // The row as read before the commit.
      return { ...result, rows: rows.map((row) => ({ ...(row as object), consumed_at: null })) } as never
    })
    const answer = await refresh(engine, app, refresh_token).finally(() =>
      Object.assign(engine.deps, { transaction, db }),
    )
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    expect((await refresh(engine, app, refresh_token)).statusCode).toBe(200)
  })
})
