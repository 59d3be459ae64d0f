import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { emptyDatabase } from '../../../test/databases/template-db.ts'
import { migrations } from '../migrations/index.ts'
import { openDatabase } from '../open.ts'
import { fillDatabase } from './fill.ts'
import { type Snapshot, withSnapshot } from './snapshot.ts'
import type { Row } from './tables.ts'
import { NotEmpty, type Target } from './target.ts'

const KEYS = { name: 'settings', columns: ['key', 'value'] }

async function* once(...rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}

async function empty() {
  const database = await emptyDatabase()
  onTestFinished(() => database.remove())
  return database
}

async function rowsOf(source: Pick<Snapshot, 'rows'>, table = KEYS): Promise<Row[]> {
  const all: Row[] = []
  for await (const batch of source.rows(table)) all.push(...batch)
  return all
}

test('a snapshot shows one state of the database while others write', async () => {
  const { store, url, dataDir } = await openStore()
  const note = (key: string) => store.db.insertInto('settings').values({ key, value: 'x' }).execute()
  const notes = Array.from({ length: 2500 }, (_, i) => ({ key: `${i}`, value: 'x' }))
  await store.db.insertInto('settings').values(notes).execute()
  await withSnapshot({ url, dataDir }, async (snapshot) => {
    expect(snapshot.migrations).toEqual(Object.keys(migrations).sort())
    expect(snapshot.tables.map(({ name }) => name)).toContain('users')
    expect(snapshot.tables.map(({ name }) => name)).not.toContain('migrations')
    await note('later')
    expect(await rowsOf(snapshot)).toHaveLength(2500)
    await note('later still')
    expect(await rowsOf(snapshot)).toHaveLength(2500)
  })
})

test('an empty database is filled in one step, with its indexes and references', async () => {
  const place = await empty()
  const strange = 'č, \\N, \\, tab\t, line\n, return\r, "quote" and \'quote\''
  await fillDatabase(place, async (target) => {
    await target.migrate()
    await target.prepare()
    await target.load(KEYS, once(['strange', strange], ['\\N', '']))
    await target.finish()
    const rows: Row[] = []
    await target.each(KEYS, (row) => rows.push(row))
    expect(rows).toEqual(
      expect.arrayContaining([
        ['strange', strange],
        ['\\N', ''],
      ]),
    )
  })
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  expect(await store.pendingMigrations()).toEqual([])
  expect(await store.read.selectFrom('settings').selectAll().execute()).toHaveLength(2)
  await expect(fillDatabase(place, async () => {})).rejects.toThrow(NotEmpty)
  const orphan = { developer_id: 'nobody', user_id: 'nobody', id: '1', sort_name: '' }
  await expect(store.db.insertInto('developer_users').values(orphan).execute()).rejects.toThrow()
})

test('a failure leaves the database empty: a row that refers to a missing one, a row twice, an error of the work', async () => {
  const place = await empty()
  const uris = { name: 'redirect_uris', columns: ['client_id', 'redirect_uri', 'created_at'] }
  const fill = (work: (target: Target) => Promise<void>) =>
    fillDatabase(place, async (target) => {
      await target.migrate(['0001-foundation'])
      await target.prepare()
      await work(target)
      await target.finish()
    })
  await expect(fill((target) => target.load(uris, once(['nobody', 'https://a.example', ''])))).rejects.toThrow(
    /redirect_uris/,
  )
  await expect(fill((target) => target.load(KEYS, once(['a', '1'], ['a', '2'])))).rejects.toThrow(/unique/i)
  const failing = async function* () {
    yield [['a', '1']]
    throw new Error('The file ends here.')
  }
  await expect(fill((target) => target.load(KEYS, failing()))).rejects.toThrow('The file ends here.')
  // PostgreSQL finds it when it has got all rows, and while it still gets some.
  const many = async function* () {
    for (let i = 0; i < 100; i += 1)
      yield Array.from({ length: 1000 }, (_, n): Row => [`${i} ${n}`, i === 2 ? null : 'x'])
  }
  for (const rows of [once(['a', null]), many()])
    await expect(fill((target) => target.load(KEYS, rows))).rejects.toThrow(/null/i)
  if (!place.url) expect(readdirSync(place.dataDir)).toEqual([])
  else await expect(withSnapshot(place, async () => {})).rejects.toThrow('no tables')
})
