import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { pausingProxy } from '../../test/databases/pausing-proxy.ts'
import { emptyDatabase, testEngine } from '../../test/databases/template-db.ts'
import { settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { fillDatabase } from '../db/copy/fill.ts'
import { inRehearsalSchema } from '../db/copy/rehearsal-place.ts'
import { rehearseMigrations } from '../db/copy/rehearse.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { Interrupted } from '../lib/interruption.ts'
import { failureSentence } from './failure.ts'

/** Migrations from 0036 on are pending; the first user is there. */
async function olderDatabase() {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const names = Object.keys(migrations)
  const pending = names.slice(names.indexOf('0036-ciba'))
  await fillDatabase(place, async (target) => {
    await target.migrate(names.filter((name) => !pending.includes(name)))
    await target.prepare()
    await target.load({ name: 'settings', columns: ['key', 'value'] }, once([['kept', 'yes']]))
    await target.finish()
  })
  return { place, pending }
}

async function* once<T>(batch: T) {
  yield batch
}

test('a rehearsal says how long each pending migration takes and who waits, and changes nothing', async () => {
  const { place, pending } = await olderDatabase()
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  const results = await rehearseMigrations(place)
  expect(results.map(({ migration }) => migration)).toEqual(pending)
  // The first one changes `clients`, and creates a table that refers to it.
  const waiting =
    testEngine === 'sqlite' ? { table: '*', waiting: 'writers' } : { table: 'clients', waiting: 'readers and writers' }
  expect(results[0]?.locks).toContainEqual(waiting)
  expect(results[0]?.locks.map(({ table }) => table)).not.toContain('ciba_requests')
  expect(await store.pendingMigrations()).toEqual(pending)
  if (testEngine === 'sqlite') expect(readdirSync(place.dataDir)).not.toContain('rehearsal')
  else {
    const { rows } = await sql`select 1 from pg_namespace where nspname like 'vrata%'`.execute(store.db)
    expect(rows).toEqual([])
  }
  await store.migrate()
  expect(await rehearseMigrations(place)).toEqual([])
})

test('servers start while a rehearsal copies the database', async () => {
  const { place, pending } = await olderDatabase()
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  const [results, ran] = await Promise.all([rehearseMigrations(place), store.migrate()])
  expect(ran).toEqual(pending)
  expect([[], pending]).toContainEqual(results.map(({ migration }) => migration))
})

test('the command needs a database, and says that it only rehearses', async () => {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const missing = await vrata(settingsOf(place), 'upgrade', '--rehearse')
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^(There is no database|The database has no tables)/),
  })
})

test('the copy that a killed rehearsal has left is deleted by the next one, and by the upgrade', async () => {
  const { place } = await olderDatabase()
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  const folder = join(place.dataDir, 'rehearsal')
  const leave = async () => {
    if (testEngine === 'sqlite') {
      mkdirSync(folder)
      for (const name of ['vrata.sqlite', 'vrata.sqlite-wal']) writeFileSync(join(folder, name), 'all people')
    } else await sql`create schema vrata_rehearsal create table users (id text)`.execute(store.db)
  }
  const isThere = async () => {
    if (testEngine === 'sqlite') return existsSync(folder)
    const { rows } = await sql`select 1 from pg_namespace where nspname = 'vrata_rehearsal'`.execute(store.db)
    return rows.length > 0
  }
  await leave()
  expect(await rehearseMigrations(place)).not.toEqual([])
  expect(await isThere()).toBe(false)
  await leave()
  expect(await isThere()).toBe(true)
  expect(await vrata(settingsOf(place), 'migrate')).toMatchObject({ code: 0 })
  expect(await isThere()).toBe(false)
})

test('when two rehearsals run at once, one is refused and leaves the copy of the other', async () => {
  const { place, pending } = await olderDatabase()
  const both = await Promise.allSettled([rehearseMigrations(place), rehearseMigrations(place)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both).toContainEqual(expect.objectContaining({ reason: expect.objectContaining({ name: 'OtherRehearsal' }) }))
  expect((await rehearseMigrations(place)).map(({ migration }) => migration)).toEqual(pending)
})

test.runIf(testEngine === 'postgres')('a rehearsal that loses PostgreSQL says that its copy may be left', async () => {
  const { place } = await olderDatabase()
  const url = new URL(place.url as string)
  const proxy = await pausingProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${proxy.port}`
  const lost = inRehearsalSchema(url.href, async () => {
    proxy.cut()
    throw new Error('no statement arrives any more')
  })
  expect(failureSentence(await lost.catch((error: unknown) => error))).toMatch(/copy .* vrata_rehearsal/)
})

test.runIf(testEngine === 'postgres')(
  'a rehearsal that waits for a migration of another server ends when it is interrupted',
  async () => {
    const { place } = await olderDatabase()
    const store = await openDatabase(place)
    onTestFinished(() => store.close())
    const interruption = new AbortController()
    const rehearsed = store.transaction(async ({ db }) => {
      await sql`lock table users`.execute(db)
      const waiting = rehearseMigrations(place, interruption.signal)
      interruption.abort(new Interrupted('SIGINT'))
      return await waiting.catch(String)
    })
    expect(await rehearsed).toBe('Interrupted: Interrupted by SIGINT.')
  },
)

test('a rehearsal that is interrupted deletes its copy', async () => {
  const { place } = await olderDatabase()
  const interruption = AbortSignal.abort(new Interrupted('SIGTERM'))
  await expect(rehearseMigrations(place, interruption)).rejects.toThrow('Interrupted by SIGTERM.')
  if (testEngine === 'sqlite') expect(readdirSync(place.dataDir)).not.toContain('rehearsal')
  expect(await rehearseMigrations(place)).not.toEqual([])
})
