import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type CompiledQuery, sql } from 'kysely'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { breakConnections } from '../../../test/databases/break-connections.ts'
import { openStore } from '../../../test/databases/open-store.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { makeHandle } from '../compiled-queries/handle.ts'
import { isUnavailable, isUniqueViolation, lockForMigration } from '../dialect.ts'
import type { Db, ReadDb } from '../open.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { PostgresPool } from './postgres.ts'
import { tlsFor } from './postgres-client.ts'
import { runOn } from './statements.ts'

const onPostgres = test.runIf(testEngine === 'postgres')

test('TLS with a verified certificate is required for other hosts', () => {
  expect(tlsFor('postgres://vrata@db.example.com/vrata')).toBe('verify-full')
  expect(tlsFor('postgres://vrata@db.example.com/vrata?sslmode=require')).toBe('verify-full')
  expect(tlsFor('postgres://vrata@db/vrata?sslmode=disable')).toBe(false)
  expect(tlsFor('postgres://vrata@localhost/vrata')).toBe(false)
  expect(tlsFor('postgres://vrata@127.0.0.1:5433/vrata')).toBe(false)
  expect(tlsFor('postgres://vrata@[::1]/vrata')).toBe(false)
})

onPostgres('a page of a list is read by one process of PostgreSQL, also where its estimates are high', async () => {
  const { store } = await openStore()
  // Estimates that let PostgreSQL use several processes for any table.
  await sql`alter table account_terms set (parallel_workers = 4)`.execute(store.db)
  const plan = await store.transaction(async ({ db }) => {
    for (const name of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size'])
      await sql`select set_config(${name}, '0', true)`.execute(db)
    return await sql`explain select term from account_terms`.execute(db)
  })
  expect(JSON.stringify(plan.rows)).not.toContain('Gather')
})

onPostgres('PostgreSQL compiles no statement, also where its estimates are high', async () => {
  const { store } = await openStore()
  const isCompiled = async (db: ReadDb) => {
    const all = db.selectFrom('signing_keys').select(['kid', 'state'])
    const plan = JSON.stringify(await all.explain('json'))
    const setting = await db.selectNoFrom(sql<string>`current_setting('jit')`.as('jit')).executeTakeFirst()
    return [plan.includes('"JIT"'), setting?.jit]
  }
  // Where rows are found by an index, reading a table without one has the highest estimate.
  expect(await isCompiled(store.db)).toEqual([false, 'off'])
  expect(await store.transaction(({ db }) => isCompiled(db))).toEqual([false, 'off'])
  expect(await isCompiled(store.longReads)).toEqual([false, 'off'])
})

onPostgres('a row of a small table is found by its index, because the plan stays when it grows', async () => {
  const { store } = await openStore()
  await store.db.insertInto('settings').values({ key: 'one', value: '' }).execute()
  // PostgreSQL now knows that all rows are on one page.
  await sql`analyze settings`.execute(store.db)
  const plan = async (db: ReadDb) => {
    const byKey = db.selectFrom('settings').select('value').where('key', '=', 'one')
    return JSON.stringify(await byKey.explain('json'))
  }
  expect(await plan(store.db)).toContain('"Index Scan"')
  expect(await store.transaction(({ db }) => plan(db))).toContain('"Index Scan"')
  // Lists and statistics may read most rows of a table.
  expect(await plan(store.longReads)).toContain('"Seq Scan"')
  const inMigration = async ({ db }: { db: Db }) => {
    await lockForMigration('postgres', db)
    return await plan(db)
  }
  expect(await store.transaction(inMigration)).toContain('"Seq Scan"')
})

onPostgres('statements that are sent at once are prepared once on a connection', async () => {
  const { store } = await openStore()
  const answers = await store.transaction(async ({ db }) => {
    const ask = async (value: string) => (await sql<{ asked: string }>`select ${value}::text as asked`.execute(db)).rows
    const rows = (await Promise.all(['a', 'b', 'c', 'd'].map(ask))).flat()
    const known = sql<{ count: number }>`select count(*) from pg_prepared_statements where statement like '%as asked%'`
    return { rows, prepared: (await known.execute(db)).rows[0]?.count }
  })
  expect(answers).toEqual({ rows: ['a', 'b', 'c', 'd'].map((asked) => ({ asked })), prepared: 1 })
})

onPostgres.each([{ prepare: true }, { prepare: false }])(
  'a statement takes one round trip, also the first time; prepared: $prepare',
  async ({ prepare }) => {
    const { url = '' } = await openStore()
    const { hostname: host, port } = new URL(url)
    let turns = 0
    const proxy = createServer((client) => {
      const server = connect({ host, port: Number(port) })
      let answered = true
      client.on('data', () => {
        if (answered) turns += 1
        answered = false
      })
      server.on('data', () => {
        answered = true
      })
      client.pipe(server).pipe(client)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const through = new URL(url)
    through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const client = postgres(through.href, { max: 1, prepare, fetch_types: false })
    onTestFinished(async () => {
      await client.end()
      proxy.close()
    })
    await client.unsafe('select 1')
    turns = 0
    const ask = async (value: string) => {
      const query = { sql: 'select $1::text as asked', parameters: [value] } as unknown as CompiledQuery
      return (await runOn(client, query)).rows
    }
    expect([await ask('a'), await ask('b')]).toEqual([[{ asked: 'a' }], [{ asked: 'b' }]])
    expect(turns).toBe(2)
  },
)

onPostgres('parameters are sent as they are, and never without a value', async () => {
  const { store } = await openStore()
  const query = sql<object>`select ${'č'}::text as text, ${7}::integer as number, ${null}::text as nothing`
  expect((await query.execute(store.db)).rows).toEqual([{ text: 'č', number: 7, nothing: null }])
  await expect(sql`select ${undefined}::text as missing`.execute(store.db)).rejects.toThrow('undefined')
})

onPostgres(
  'a transaction that PostgreSQL ends while the process stands still does not fail the next statement',
  async () => {
    const { url = '' } = await openStore()
    const timeouts = { ...TIMEOUTS, idle_in_transaction: 200 }
    const pool = new PostgresPool(url, { connections: 1, timeouts, pooled: false, report() {} })
    onTestFinished(() => pool.close())
    const ended = pool.transaction(async ({ db }) => {
      await sql`select 1`.execute(db)
      // Simulates a suspended machine.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
      await sql`select 2`.execute(db)
    })
    await expect(ended).rejects.toSatisfy(isUnavailable)
    expect((await sql`select 3 as value`.execute(makeHandle('postgres', pool.run))).rows).toEqual([{ value: 3 }])
  },
)

onPostgres('a short read waits neither for lists nor for writes that wait for a lock', async () => {
  const { store } = await openStore()
  await store.db.insertInto('settings').values({ key: 'locked', value: '0' }).execute()
  const settled: string[] = []
  const note = (name: string) => () => void settled.push(name)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const change = (db: Db) => db.updateTable('settings').set({ value: '1' }).where('key', '=', 'locked').execute()
  const holding = store.transaction(async ({ db }) => {
    await change(db)
    await sql`select pg_advisory_xact_lock(7)`.execute(db)
    isLocked()
    await released
  })
  await locked
  const writes = Array.from({ length: 12 }, () => change(store.db).then(note('write')))
  // Long lists: they end after the transaction.
  const long = sql<number>`(select count(*) from pg_advisory_xact_lock_shared(7))`.as('long')
  const lists = Array.from({ length: 6 }, () => store.longReads.selectNoFrom(long).execute().then(note('list')))
  await pause(50)
  await store.read.selectFrom('settings').select('value').where('key', '=', 'locked').execute().then(note('read'))
  release()
  await Promise.all([holding, ...writes, ...lists])
  expect(settled[0]).toBe('read')
  expect(settled).toHaveLength(1 + 12 + 6)
})

onPostgres('a broken connection fails what was under way as unavailable, and the pool recovers', async () => {
  const { store } = await openStore()
  const note = (key: string) => store.db.insertInto('settings').values({ key, value: 'x' }).execute()
  for (let round = 0; round < 5; round += 1) {
    const [begun, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const open = store.transaction(async ({ db }) => {
      await db
        .insertInto('settings')
        .values({ key: `open${round}`, value: 'x' })
        .execute()
      begun.resolve()
      await broken.promise
      await db
        .insertInto('settings')
        .values({ key: `late${round}`, value: 'x' })
        .execute()
    })
    const failed = open.catch((error: unknown) => error)
    await begun.promise
    await breakConnections(store.db)
    broken.resolve()
    expect(isUnavailable(await failed)).toBe(true)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => note(`${round}-${i}`)))
    for (const one of outcomes) if (one.status === 'rejected') expect(isUnavailable(one.reason)).toBe(true)
    await note(`recovered${round}`)
  }
  const rows = await store.read.selectFrom('settings').select('key').where('key', 'like', 'recovered%').execute()
  expect(rows).toHaveLength(5)
  const half = await store.read.selectFrom('settings').select('key').where('key', 'like', 'open%').execute()
  expect(half).toEqual([])
})

onPostgres('a connection that breaks inside a statement ends neither the process nor another transaction', async () => {
  const { store } = await openStore()
  for (let round = 0; round < 5; round += 1) {
    const transactions = ['swallows', 'translates', 'passes on'].map((habit) =>
      store.transaction(async ({ db }) => {
        await sql`select pg_sleep(10)`.execute(db).catch((error: unknown) => {
          if (habit === 'translates') throw new Error('something else')
          if (habit === 'passes on') throw error
        })
      }),
    )
    const failed = Promise.allSettled(transactions)
    const sleeping = store.db
      .selectFrom(sql`pg_stat_activity`.as('activity'))
      .select(sql`1`.as('one'))
      .where(sql<boolean>`datname = current_database() and query = 'select pg_sleep(10)' and state = 'active'`)
    await expect.poll(async () => (await sleeping.execute()).length).toBe(3)
    await breakConnections(store.db)
    for (const one of await failed) expect(one.status === 'rejected' && isUnavailable(one.reason)).toBe(true)
    // The idle connections were broken, too; a transaction that starts before this is noticed is rejected as unavailable.
    await pause(100)
    const notes = Array.from({ length: 10 }, (_, i) =>
      store.transaction(async ({ db }) => {
        await db
          .insertInto('settings')
          .values({ key: `${round}/${i}`, value: 'x' })
          .execute()
        await pause(5)
      }),
    )
    await Promise.all(notes)
  }
  expect(await store.read.selectFrom('settings').select('key').execute()).toHaveLength(50)
})

onPostgres('two transactions that block each other are done again until both succeed', async () => {
  const { store } = await openStore()
  await store.db
    .insertInto('settings')
    .values([
      { key: 'a', value: '0' },
      { key: 'b', value: '0' },
    ])
    .execute()
  const both = (first: string, second: string) =>
    store.transaction(async ({ db }) => {
      await db.updateTable('settings').set({ value: first }).where('key', '=', first).execute()
      await pause(50)
      await db.updateTable('settings').set({ value: first }).where('key', '=', second).execute()
    })
  await Promise.all([both('a', 'b'), both('b', 'a')])
})

onPostgres('counts are numbers, as on SQLite', async () => {
  const { store } = await openStore()
  const row = await store.read
    .selectFrom('settings')
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  expect(row.n).toBe(0)
})

onPostgres('work that another overtook is done again, and sees what the other made', async () => {
  const { store } = await openStore()
  const put = (value: string) =>
    store.transaction(async ({ db }) => {
      const there = await db.selectFrom('settings').select('value').where('key', '=', 'one').executeTakeFirst()
      await pause(30)
      if (there) return there.value
      await db.insertInto('settings').values({ key: 'one', value }).execute()
      return value
    })
  const [first, second] = await Promise.all([put('a'), put('b')])
  expect(second).toBe(first)
})

onPostgres('work whose own fault it is fails in the end', async () => {
  const { store } = await openStore()
  let attempts = 0
  const work = store.transaction(async ({ db }) => {
    attempts += 1
    for (const value of ['x', 'y']) await db.insertInto('settings').values({ key: 'one', value }).execute()
  })
  expect(isUniqueViolation(await work.catch((error: unknown) => error))).toBe(true)
  expect(attempts).toBe(4)
})
