import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Store } from '../../src/db/open.ts'
import type { Timeouts } from '../../src/db/timeouts.ts'
import { breakConnections } from './break-connections.ts'
import { KeptClients } from './kept-clients.ts'
import { freshDatabase } from './template-db.ts'

const onTemporaryPostgres = test.runIf(process.env.VRATA_TEST_PG_TEMPORARY)

/** A database whose clients only the calling test uses. */
async function database() {
  const { url = '', dataDir, remove } = await freshDatabase()
  const clients = new KeptClients(url)
  onTestFinished(async () => {
    await clients.end()
    await remove()
  })
  const open = async (timeouts: Partial<Timeouts> = {}): Promise<Store> => {
    const store = await openDatabase({ url, dataDir, timeouts, connect: clients.connect, report: () => {} })
    onTestFinished(() => store.close())
    return store
  }
  return { clients, open }
}

const pidOf = async ({ db }: Store) => (await rowsOf<{ pid: number }>(db, 'select pg_backend_pid() as pid'))[0]?.pid
const rowsOf = async <Row>(db: Store['db'], text: string) => (await sql.raw<Row>(text).execute(db)).rows

onTemporaryPostgres('the next store has the connections of the last one and what they have prepared', async () => {
  const { clients, open } = await database()
  const first = await open()
  const prepare = (store: Store) => sql`select ${'x'}::text as x`.execute(store.db)
  await prepare(first)
  const pid = await pidOf(first)
  await first.transaction(async ({ db }) => {
    await sql`select 1`.execute(db)
  })
  await first.close()
  // The one that listens, one for reads and one for writes.
  await expect.poll(() => clients.pids.length).toBe(3)
  const second = await open()
  expect(await pidOf(second)).toBe(pid)
  const prepared = await rowsOf(second.db, 'select statement from pg_prepared_statements')
  expect(prepared).toContainEqual({ statement: 'select $1::text as x' })
})

onTemporaryPostgres.each([
  { what: 'a setting', leave: "set work_mem = '1234kB'", seen: 'show work_mem', fresh: [{ work_mem: '4MB' }] },
  { what: 'a role', leave: 'set role pg_monitor', seen: 'select current_user as me', fresh: [{ me: 'vrata' }] },
  {
    what: 'a setting that all connections have been given',
    leave: 'set statement_timeout = 1',
    seen: 'show statement_timeout',
    fresh: [{ statement_timeout: '3500ms' }],
  },
  {
    what: 'a lock',
    leave: 'select pg_advisory_lock_shared(12)',
    // Those of this database: other workers have locks in theirs.
    seen: "select count(*) from pg_locks join pg_database on oid = database and datname = current_database() where locktype = 'advisory'",
    fresh: [{ count: 0 }],
  },
  {
    what: 'a temporary table',
    leave: 'create temporary table cap as select 1',
    seen: "select count(*) from pg_class where relname = 'cap'",
    fresh: [{ count: 0 }],
  },
  {
    what: 'a channel',
    leave: 'listen street',
    seen: 'select count(*) from pg_listening_channels()',
    fresh: [{ count: 0 }],
  },
  {
    what: 'a cursor',
    leave: 'declare eye cursor with hold for select 1',
    seen: 'select count(*) from pg_cursors',
    fresh: [{ count: 0 }],
  },
])('the next store does not get $what of the last one', async ({ leave, seen, fresh }) => {
  const { open } = await database()
  const first = await open()
  // Each connection of a pool.
  const onAll = (store: Store, text: string) => store.transaction(({ db }) => rowsOf(db, text))
  await Promise.all(
    [1, 2, 3].map(() =>
      first.transaction(async ({ db }) => {
        await sql.raw(leave).execute(db)
        await pause(20)
      }),
    ),
  )
  const left = await onAll(first, seen)
  expect(left).not.toEqual(fresh)
  await first.close()
  const second = await open()
  for (let n = 0; n < 3; n += 1) expect(await onAll(second, seen)).toEqual(fresh)
})

onTemporaryPostgres('a store receives no signal of the time before it', async () => {
  const { open, clients } = await database()
  const sender = await open()
  const announce = (payload: string) => sender.signals.announce('keys', payload)
  const first = await open()
  const received: unknown[] = []
  const listen = (store: Store, name: string) =>
    store.signals.on('keys', (payload) => received.push(`${name} ${payload}`))
  listen(first, 'first')
  await announce('before')
  await expect.poll(() => received).toEqual(['first before'])
  // Sent at the moment at which the first store ends, and while no store uses its connection.
  await Promise.all([announce('at the end'), first.close(), announce('at the end')])
  await announce('between')
  const unused = clients.pids
  const second = await open()
  listen(second, 'second')
  await announce('after')
  await expect.poll(() => received).toContain('second after')
  expect(received.filter((signal) => String(signal).startsWith('second'))).toEqual(['second after'])
  expect(received).not.toContain('first between')
  expect(clients.pids.length).toBeLessThan(unused.length)
})

onTemporaryPostgres('what a store sends after its end is refused and does not reach the next one', async () => {
  const { open } = await database()
  const first = await open()
  await first.close()
  const second = await open()
  const write = (store: Store) => store.db.insertInto('settings').values({ key: 'late', value: 'x' }).execute()
  await expect(write(first)).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  await expect(first.transaction(({ db }) => sql`select 1`.execute(db))).rejects.toMatchObject({
    code: 'CONNECTION_ENDED',
  })
  await expect(first.db.selectFrom('settings').selectAll().execute()).rejects.toMatchObject({
    code: 'CONNECTION_ENDED',
  })
  await write(second)
})

onTemporaryPostgres('a store does not get connections with other timeouts', async () => {
  const { open } = await database()
  await (await open({ statement: 1234 })).close()
  expect(await rowsOf((await open()).db, 'show statement_timeout')).toEqual([{ statement_timeout: '3500ms' }])
})

onTemporaryPostgres('connections are not used again when one of the client is lost, or is still busy', async () => {
  const { clients, open } = await database()
  const first = await open()
  await breakConnections(first.db)
  const lost = await pidOf(first)
  await first.close()
  const second = await open({ close: 50 })
  expect(await pidOf(second)).not.toBe(lost)
  const busy = second.db.executeQuery(sql`select pg_sleep(2)`.compile(second.db))
  const left = expect(busy).rejects.toMatchObject({ code: 'CONNECTION_DESTROYED' })
  await pause(20)
  await second.close()
  await left
  await expect.poll(() => clients.pids.length).toBeGreaterThan(0)
  const third = await open({ close: 50 })
  expect(await rowsOf(third.db, 'select 1 as one')).toEqual([{ one: 1 }])
})

onTemporaryPostgres('connections are not used again that were lost while nobody used them', async () => {
  const { open } = await database()
  const first = await open()
  const other = await open()
  const lost = await pidOf(first)
  await first.close()
  await breakConnections(other.db)
  await expect.poll(() => pidOf(other)).toBeTypeOf('number')
  const next = await open()
  const pid = await pidOf(next)
  expect(pid).not.toBe(lost)
  // A client that has lost a connection would not be handed on.
  await next.close()
  expect(await pidOf(await open())).toBe(pid)
})
