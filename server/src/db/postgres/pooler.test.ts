import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPgBouncer, startPgBouncer } from '../../../test/databases/pgbouncer.ts'
import { emptyDatabase, freshDatabase, type TestDatabase, testEngine } from '../../../test/databases/template-db.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { startTestServer } from '../../../test/test-server.ts'
import { allow, codeFor } from '../../../test/third-party.ts'
import { isUnavailable } from '../dialect.ts'
import { type OpenOptions, openDatabase } from '../open.ts'

const program = findPgBouncer()
const absent =
  testEngine === 'sqlite'
    ? 'a pooler is for PostgreSQL'
    : program
      ? undefined
      : 'PgBouncer is not installed (Debian: apt-get install pgbouncer)'

describe('behind PgBouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>

  beforeAll(async () => {
    if (!absent) pooler = await startPgBouncer(program as string, process.env.VRATA_TEST_PG_URL as string)
  })
  afterAll(async () => await pooler?.close())

  /** Opens a store of the database; by default behind the pooler. */
  async function open({ url, dataDir }: TestDatabase, options: Partial<OpenOptions> = {}) {
    const store = await openDatabase({ url: pooler.through(url as string), dataDir, ...options })
    onTestFinished(() => store.close())
    return store
  }
  async function database(kind = freshDatabase) {
    const made = await kind()
    onTestFinished(() => made.remove())
    return made
  }

  test('two servers that start together migrate once', async (context) => {
    if (absent) return context.skip(absent)
    const made = await database(emptyDatabase)
    const [one, two] = await Promise.all([open(made), open(made)])
    const ran = await Promise.all([one.migrate(), two.migrate()])
    expect(new Set(ran.flat()).size).toBe(ran.flat().length)
    expect(await two.pendingMigrations()).toEqual([])
  })

  test('statements and transactions of more clients than there are connections do not mix', async (context) => {
    if (absent) return context.skip(absent)
    const made = await database()
    // They wait for each other, on a busy machine for longer than a request may.
    const timeouts = { answer: 60_000, statement: 60_000, lock: 60_000 }
    const stores = await Promise.all([open(made, { timeouts }), open(made, { timeouts })])
    const works = Array.from({ length: 100 }, async (_, i) => {
      const store = stores[i % 2]
      await store?.transaction(async ({ db }) => {
        await db
          .insertInto('settings')
          .values({ key: `${i}`, value: 'first' })
          .execute()
        await db
          .updateTable('settings')
          .set({ value: `${i}` })
          .where('key', '=', `${i}`)
          .execute()
      })
      return await store?.read.selectFrom('settings').select('value').where('key', '=', `${i}`).executeTakeFirst()
    })
    expect((await Promise.all(works)).map((row) => row?.value)).toEqual(works.map((_, i) => `${i}`))
  })

  test('a transaction has its limits, and leaves none on the connection', async (context) => {
    if (absent) return context.skip(absent)
    const store = await open(await database(), { timeouts: { statement: 200 } })
    const slow = store.transaction(({ db }) => sql`select pg_sleep(3)`.execute(db))
    await expect(slow).rejects.toSatisfy(isUnavailable)
    const limits = await Promise.all(
      Array.from({ length: 6 }, () => sql<{ statement_timeout: string }>`show statement_timeout`.execute(store.db)),
    )
    expect(limits.map(({ rows }) => rows[0]?.statement_timeout)).toEqual(limits.map(() => '0'))
  })

  test('signals reach servers that poll and servers that listen, from each of them', async (context) => {
    if (absent) return context.skip(absent)
    const made = await database()
    const stores = {
      polls: await open(made),
      pollsToo: await open(made),
      listensDirectly: await open(made, { listenUrl: made.url }),
      isDirect: await open(made, { url: made.url }),
    }
    const received = Object.values(stores).map((store) => {
      const payloads = new Set<string | undefined>()
      store.signals.on('clients', (payload) => payloads.add(payload))
      return payloads
    })
    const kept = () =>
      stores.isDirect.read.selectFrom('settings').select('key').where('key', '=', 'signals_polled_until').execute()
    await expect.poll(kept).toHaveLength(1)
    for (const [name, store] of Object.entries(stores)) {
      await store.transaction(() => store.signals.announce('clients', name))
      const undone = store.transaction(async () => {
        await store.signals.announce('clients', 'undone')
        throw new Error('no')
      })
      await undone.catch(() => {})
    }
    for (const payloads of received) {
      await expect.poll(() => [...payloads].sort()).toEqual(Object.keys(stores).sort())
    }
  })

  test('an app signs a person in at one server and uses the token at another', async (context) => {
    if (absent) return context.skip(absent)
    const made = await database()
    const VRATA_DATABASE_URL = pooler.through(made.url as string)
    const server = await startTestServer({ VRATA_DATABASE_URL })
    onTestFinished(() => server.close())
    const ana = await server.as(people.ana)
    const app = await (await createOrganization(server, ana)).app()
    await allow(ana, app)
    const { form } = await codeFor(ana, app)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = new URLSearchParams({ ...form, client_id: app.client_id, client_secret: app.client_secret ?? '' })
    const other = await server.secondNode()
    onTestFinished(() => other.close())
    const token = await other.app.inject({ method: 'POST', url: '/token', headers, payload: payload.toString() })
    expect([token.statusCode, token.body]).toEqual([200, expect.stringContaining('access_token')])
    const authorization = `Bearer ${token.json().access_token}`
    const claims = await server.app.inject({ url: '/userinfo', headers: { authorization } })
    expect(claims.json()).toMatchObject({ sub: ana.user.id })
  })
})
