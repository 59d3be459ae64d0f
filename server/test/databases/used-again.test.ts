import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Store } from '../../src/db/open.ts'
import { createOrganization } from '../organization.ts'
import { people } from '../people.ts'
import { startTestServer } from '../test-server.ts'
import { allow } from '../third-party.ts'
import { freshDatabase, freshRows } from './template-db.ts'
import { makeUsableAgain, putBack } from './used-again.ts'

const onTemporaryPostgres = test.runIf(process.env.VRATA_TEST_PG_TEMPORARY)

async function opened(url: string | undefined): Promise<Store> {
  const store = await openDatabase({ url, dataDir: '' })
  onTestFinished(() => store.close())
  return store
}

/** A database of its own, which is used again only by the calling test. */
async function usableAgain() {
  const { url = '', remove } = await freshDatabase()
  const used = await makeUsableAgain(url)
  onTestFinished(async () => {
    await used.connection.end()
    await remove()
  })
  return used
}

/** All rows of all tables, and the positions of all sequences. */
async function contentOf({ db }: Store): Promise<Record<string, unknown>> {
  const names = sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  const content: Record<string, unknown> = {}
  for (const { name } of (await names.execute(db)).rows)
    content[name] = (await sql`select t::text as row from ${sql.table(`public.${name}`)} t order by 1`.execute(db)).rows
  content.sequences = (await sql`select * from pg_sequences where schemaname = 'public'`.execute(db)).rows
  return content
}

onTemporaryPostgres('a database that is used again has the rows of a fresh one', async () => {
  const used = await usableAgain()
  const server = await startTestServer({ VRATA_DATABASE_URL: used.url })
  const ana = await server.as(people.ana)
  await allow(ana, await (await createOrganization(server, ana)).app())
  await sql`update migrations set applied_at = 'never' where name like '%1%'`.execute(server.store.db)
  await sql`delete from migrations where name like '%2%'`.execute(server.store.db)
  const before = await contentOf(server.store)
  await server.close()

  const fresh = await freshDatabase()
  onTestFinished(() => fresh.remove())
  const expected = await contentOf(await opened(fresh.url))
  const changed = Object.keys(expected).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(expected[name]),
  )
  expect(changed).toEqual(expect.arrayContaining(['clients', 'connections', 'migrations', 'sessions', 'users']))
  expect(await putBack(used)).toBe(true)
  expect(await contentOf(await opened(used.url))).toEqual(expected)
})

onTemporaryPostgres.each([
  'alter table users add column shoe_size int',
  'create index shoes on users (first_name)',
  'drop table branding',
  'truncate throttles',
  'vacuum migrations',
  'analyze migrations',
  "insert into settings (key, value) select 'key ' || i, repeat('x', 1000) from generate_series(1, 3000) i",
])('a database is not used again after: %s', async (statement) => {
  const used = await usableAgain()
  expect(await putBack(used)).toBe(true)
  await used.connection.unsafe(statement)
  expect(await putBack(used)).toBe(false)
})

onTemporaryPostgres('a database is not used again while another connection to it is open', async () => {
  const used = await usableAgain()
  const store = await openDatabase({ url: used.url, dataDir: '' })
  expect(await putBack(used)).toBe(false)
  await store.close()
  expect(await putBack(used)).toBe(true)
})

onTemporaryPostgres(
  'a database is not used again while a store uses its connections, and is with those given back',
  async () => {
    const used = await usableAgain()
    const { url, clients } = used
    const store = await openDatabase({ url, dataDir: '', connect: clients.connect })
    expect(await putBack(used)).toBe(false)
    await store.close()
    expect(await putBack(used)).toBe(true)
    expect(clients.pids.length).toBeGreaterThan(1)
    await clients.end()
  },
)

onTemporaryPostgres('a database that is removed is used again once, however often it is removed', async () => {
  const { url, remove } = await freshRows()
  await remove()
  await remove()
  const next = [await freshRows(), await freshRows(), await freshRows()]
  onTestFinished(async () => {
    for (const one of next) await one.remove()
  })
  expect(next.filter((one) => one.url === url)).toHaveLength(1)
})
