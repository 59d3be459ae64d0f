import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { pausingProxy } from '../../../test/databases/pausing-proxy.ts'
import { freshDatabase, testEngine } from '../../../test/databases/template-db.ts'
import { isUnavailable } from '../dialect.ts'
import { openDatabase } from '../open.ts'
import type { Timeouts } from '../timeouts.ts'

const onPostgres = test.runIf(testEngine === 'postgres')

/** Milliseconds for an answer, where the test is about a shorter time. */
const LONG = 6000

/** Repeats what is unavailable; a busy machine may need longer than these short times. */
async function eventually(work: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => work().then(() => 'done', String)).toBe('done')
}

/** A store behind a proxy that can be paused, with shorter times than in production, and one that is always connected. */
async function storeBehindProxy(longer: Partial<Timeouts> = {}) {
  const { url = '', dataDir, remove } = await freshDatabase()
  const { hostname: host, port } = new URL(url)
  const proxy = await pausingProxy({ host, port: Number(port) })
  const through = new URL(url)
  through.host = `127.0.0.1:${proxy.port}`
  const reported: unknown[] = []
  const store = await openDatabase({
    url: through.href,
    dataDir,
    timeouts: {
      answer: 800,
      answer_again: 400,
      statement: 700,
      lock: 600,
      connect: 400,
      beat: 200,
      close: 500,
      ...longer,
    },
    report: (error) => reported.push(error),
  })
  const other = await openDatabase({ url, dataDir })
  onTestFinished(async () => {
    await Promise.all([store.close(), other.close()])
    await remove()
  })
  const put = (key: string) =>
    store.db
      .insertInto('settings')
      .values({ key, value: 'x' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const keys = async () =>
    (await store.read.selectFrom('settings').select('key').orderBy('key').execute()).map(({ key }) => key)
  return { store, other, proxy, put, keys, reported }
}

onPostgres.each([
  { afterwards: 'the connections answer again', forgetful: false },
  { afterwards: 'only new connections answer, as after a change of the primary', forgetful: true },
])(
  'while PostgreSQL is paused, everything fails as unavailable; $afterwards, and all goes on',
  async ({ forgetful }) => {
    const { store, proxy, put, keys, reported } = await storeBehindProxy()
    await eventually(() => put('before'))
    const half = store.transaction(async ({ db }) => {
      await db.insertInto('settings').values({ key: 'half', value: 'x' }).execute()
      proxy.pause()
      await db.insertInto('settings').values({ key: 'other half', value: 'x' }).execute()
    })
    await expect(half).rejects.toSatisfy(isUnavailable)
    // On a slow machine the first statement may have been late already.
    proxy.pause()
    const underWay = await Promise.allSettled([
      keys(),
      put('during'),
      store.transaction(({ db }) =>
        db.insertInto('settings').values({ key: 'in a transaction', value: 'x' }).execute(),
      ),
      store.ping(),
    ])
    for (const one of underWay) expect(one.status === 'rejected' && isUnavailable(one.reason)).toBe(true)
    await expect
      .poll(() => reported.map(String), { timeout: 60_000 })
      .toContainEqual(expect.stringContaining('does not answer'))
    proxy.resume(forgetful)
    await eventually(() => put('after'))
    // More than there are connections: none stays in an open transaction.
    const many = Array.from({ length: 30 }, (_, i) =>
      eventually(() =>
        store.transaction(({ db }) =>
          db
            .insertInto('settings')
            .values({ key: `many ${i}`, value: 'x' })
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        ),
      ),
    )
    await Promise.all(many)
    await expect.poll(keys).toEqual(expect.arrayContaining(['after', 'before', 'many 29']))
    await expect.poll(keys).not.toContain('half')
    await expect.poll(keys).not.toContain('in a transaction')
  },
)

onPostgres('a commit whose answer is lost is reported as unavailable, whether it took place or not', async () => {
  const { store, proxy, put, keys } = await storeBehindProxy()
  await eventually(() => put('before'))
  const work = store.transaction(async ({ db }) => {
    await db.insertInto('settings').values({ key: 'unknown', value: 'x' }).execute()
    proxy.pause()
  })
  await expect(work).rejects.toSatisfy(isUnavailable)
  proxy.resume()
  await eventually(keys)
})

onPostgres(
  'after a pause, a server is told that signals may be missing, and receives those of others again',
  async () => {
    const { store, proxy, other } = await storeBehindProxy()
    const received: unknown[] = []
    store.signals.on('clients', (payload) => received.push(payload))
    proxy.pause()
    await other.signals.announce('clients', 'during')
    await expect(store.ping()).rejects.toSatisfy(isUnavailable)
    proxy.resume(true)
    await expect.poll(() => received).toContain(undefined)
    await other.signals.announce('clients', 'after')
    await expect.poll(() => new Set(received)).toEqual(new Set([undefined, 'after']))
  },
)

onPostgres('a write waits a short time only after a read has waited in vain', async () => {
  const { proxy, put, keys } = await storeBehindProxy({ answer: LONG, answer_again: 100 })
  await eventually(() => put('before'))
  await eventually(keys)
  proxy.pause()
  await expect(keys()).rejects.toSatisfy(isUnavailable)
  const began = performance.now()
  await expect(put('during')).rejects.toSatisfy(isUnavailable)
  expect(performance.now() - began).toBeLessThan(LONG)
  proxy.resume(true)
  await eventually(() => put('after'))
})

onPostgres('a write waits a short time only after a read has found no connection', async () => {
  const { proxy, put, keys } = await storeBehindProxy({ connect: 300, answer: LONG, answer_again: 100 })
  await eventually(() => put('before'))
  proxy.pause()
  await pause(300)
  await expect(keys()).rejects.toSatisfy(isUnavailable)
  const began = performance.now()
  await expect(put('during')).rejects.toSatisfy(isUnavailable)
  expect(performance.now() - began).toBeLessThan(LONG)
  proxy.resume(true)
  await eventually(keys)
})

// Like behind a pooler, where PostgreSQL limits no statement outside transactions.
onPostgres('a list that takes too long is not taken for a silent database, and leaves others their time', async () => {
  const { store, reported } = await storeBehindProxy({ answer: 4000, answer_again: 100, statement: 20_000 })
  const list = (seconds: number) =>
    store.longReads
      .selectNoFrom(sql<number>`(select count(*) from pg_sleep(${sql.lit(seconds)}))`.as('slept'))
      .execute()
  await list(0)
  let outcome: unknown
  const long = list(10).then(
    () => (outcome = 'listed'),
    (error: unknown) => (outcome = error),
  )
  for (; outcome === undefined; await pause(50)) await store.ping()
  expect(isUnavailable(await long)).toBe(true)
  expect(await list(0.5)).toHaveLength(1)
  expect(reported).toEqual([])
})

onPostgres('a transaction whose last answer comes too late is not committed', async () => {
  const { store, put, keys } = await storeBehindProxy({ statement: 20_000, lock: 20_000 })
  const late = store.transaction(async ({ db }) => {
    await db.insertInto('settings').values({ key: 'late', value: 'x' }).execute()
    await sql`select pg_sleep(1.5)`.execute(db)
  })
  const outcome = late.then(
    () => 'committed',
    (error) => isUnavailable(error),
  )
  // The pool is not silent, so that its connections are kept; on a slow machine a write may be late, too.
  for (const until = performance.now() + 2500; performance.now() < until; await pause(100))
    await put('meanwhile').catch(() => {})
  expect(await outcome).toBe(true)
  await eventually(() => put('meanwhile'))
  await expect.poll(keys).toEqual(['meanwhile'])
})

onPostgres('a statement that PostgreSQL ends for its length leaves the connections as they are', async () => {
  const { store, reported } = await storeBehindProxy({ answer: 4000 })
  const slow = sql`select pg_sleep(20)`.execute(store.db)
  await expect(slow).rejects.toSatisfy(isUnavailable)
  await pause(1000)
  expect(reported).toEqual([])
  // Work that names a longer time may take it.
  const long = store.transaction(({ db }) => sql`select pg_sleep(1)`.execute(db), { timeout: 20_000 })
  await expect(long).resolves.toBeDefined()
})

onPostgres(
  'a pause of this process is not taken for one of the database, also between the statements of a transaction',
  async () => {
    const { store } = await storeBehindProxy({ answer: 2000 })
    const work = store.transaction(async ({ db }) => {
      await sql`select 1`.execute(db)
      // The answer to the next statement comes while this process does nothing, for longer than it waits for one.
      setTimeout(() => {
        for (const until = performance.now() + 2500; performance.now() < until; );
      }, 50)
      await sql`select pg_sleep(0.3)`.execute(db)
      await sql`select pg_sleep(0.1)`.execute(db)
      await db.insertInto('settings').values({ key: 'after the pause', value: 'x' }).execute()
      return 'done'
    })
    expect(await work).toBe('done')
  },
)
