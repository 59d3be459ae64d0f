import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { pausingProxy } from '../../../test/databases/pausing-proxy.ts'
import { emptyDatabase, testEngine } from '../../../test/databases/template-db.ts'
import type { Db } from '../compiled-queries/handle.ts'
import { isLockTimeout, isUnavailable, lockForMigration } from '../dialect.ts'
import { migrations } from '../migrations/index.ts'
import { FILE, openDatabase } from '../open.ts'
import { fillDatabase } from './fill.ts'
import { type DatabaseLocation, NoDatabase, type Snapshot, withSnapshot } from './snapshot.ts'
import type { Row } from './tables.ts'
import { NotEmpty, OutcomeUnknown, type Target } from './target.ts'

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

describe.runIf(testEngine === 'postgres')('a snapshot beside a migration', () => {
  /** A migration that changes the table of users, and that of settings half a second later. */
  async function migration(db: Db) {
    await lockForMigration('postgres', db)
    await sql`lock table users`.execute(db)
    await pause(500)
    await sql`lock table settings`.execute(db)
  }

  test('keeps tables unchanged that it has not read yet, so that neither waits for the other', async () => {
    const { store, url, dataDir } = await openStore()
    await withSnapshot({ url, dataDir }, async (snapshot) => {
      await rowsOf(snapshot)
      const changed = store.transaction(({ db }) => migration(db))
      const refused = expect(changed).rejects.toSatisfy(isLockTimeout)
      await pause(200)
      expect(await rowsOf(snapshot, { name: 'users', columns: ['id'] })).toEqual([])
      await refused
    })
  })

  test('of one table leaves the other tables to migrations', async () => {
    const { store, url, dataDir } = await openStore()
    const pictures = { name: 'pictures', columns: ['file'] }
    const read = async (snapshot: Snapshot) => {
      await store.transaction(({ db }) => migration(db))
      return await rowsOf(snapshot, pictures)
    }
    expect(await withSnapshot({ url, dataDir }, read, { only: 'pictures' })).toEqual([])
  })

  test('begins after one that has begun, and sees its result', async () => {
    const { store, url, dataDir } = await openStore()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const migrated = store.transaction(async ({ db }) => {
      await migration(db)
      begin()
      await pause(700)
      await db.insertInto('settings').values({ key: 'migrated', value: 'yes' }).execute()
      await sql`create table provider_models_next (id text)`.execute(db)
    })
    await begun
    const seen = await withSnapshot({ url, dataDir }, async (snapshot) => ({
      rows: await rowsOf(snapshot),
      others: snapshot.others,
    }))
    await migrated
    expect(seen).toEqual({ rows: [['migrated', 'yes']], others: ['provider_models_next'] })
  })
})

test.runIf(testEngine === 'postgres')('a snapshot does not wait for tables that Vrata has not created', async () => {
  const place = await empty()
  await fillDatabase(place, async (target) => void (await target.migrate()))
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  await sql`create table notes (id text)`.execute(store.db)
  const others = await store.transaction(async ({ db }) => {
    // No other user can lock it now, as when it belongs to another user.
    await sql`lock table notes`.execute(db)
    return await withSnapshot(place, async (snapshot) => snapshot.others)
  })
  expect(others).toEqual(['notes'])
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

test.runIf(testEngine === 'sqlite')(
  'the last changes of a database that was moved away without them are not deleted',
  async () => {
    const place = await empty()
    const wal = join(place.dataDir, `${FILE}-wal`)
    writeFileSync(wal, 'changes')
    const filled = () => fillDatabase(place, async (target) => void (await target.migrate()))
    await expect(filled()).rejects.toThrow(/last changes of a database that was moved away/)
    expect(readFileSync(wal, 'utf8')).toBe('changes')
    rmSync(wal)
    await filled()
  },
)

test.runIf(testEngine === 'sqlite')(
  'a file that another command has put in the place of the new one is not taken for it, and stays',
  async () => {
    const { dataDir } = await empty()
    const part = join(dataDir, `${FILE}.part`)
    const filled = fillDatabase({ dataDir }, async (target) => {
      await target.migrate()
      // Both began at the same moment, and neither saw the other.
      rmSync(part)
      writeFileSync(part, 'of the other')
    })
    await expect(filled).rejects.toThrow('Another command fills')
    expect(readdirSync(dataDir)).toEqual([`${FILE}.part`])
    expect(readFileSync(part, 'utf8')).toBe('of the other')
  },
)

test.runIf(testEngine === 'sqlite')('another command finds the file locked until it has its name', async () => {
  const place = await empty()
  const part = join(place.dataDir, `${FILE}.part`)
  let isFilled = false
  const filled = fillDatabase(place, async (target) => {
    await target.migrate()
    isFilled = true
  })
  let turns = 0
  for (; !isFilled || existsSync(part); await Promise.resolve()) {
    if (!isFilled) continue
    turns += 1
    const other = new DatabaseSync(part, { timeout: 0 })
    try {
      expect(() => other.exec('begin exclusive')).toThrow('database is locked')
    } finally {
      other.close()
    }
  }
  await filled
  expect(turns).toBeGreaterThan(0)
  // The lock of the new database has ended.
  await (await openDatabase(place)).close()
})

describe.runIf(testEngine === 'postgres')('a connection to PostgreSQL that is lost', () => {
  /** An empty database, and the way to it over a proxy. */
  async function overProxy() {
    const place = await empty()
    const url = new URL(place.url as string)
    const proxy = await pausingProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${proxy.port}`
    return { place, proxy, through: { ...place, url: url.href } }
  }
  const hasTables = (place: DatabaseLocation) =>
    withSnapshot(place, async () => true).catch((error) => {
      if (error instanceof NoDatabase) return false
      throw error
    })

  test('between two statements ends the filling, once the work that still runs has ended', async () => {
    const { place, proxy, through } = await overProxy()
    let hasEnded = false
    const filled = fillDatabase(through, async (target) => {
      await target.migrate()
      proxy.cut()
      await pause(200)
      await target.load(KEYS, once(['a', '1'])).finally(() => {
        hasEnded = true
      })
    })
    await expect(filled).rejects.toSatisfy(isUnavailable)
    expect(hasEnded).toBe(true)
    // The driver would send this in the next turn.
    await pause(50)
    expect(await hasTables(place)).toBe(false)
  })

  test('between two statements ends a snapshot', async () => {
    const { place, proxy, through } = await overProxy()
    await fillDatabase(place, async (target) => void (await target.migrate()))
    const read = withSnapshot(through, async (snapshot) => {
      proxy.cut()
      await pause(200)
      await rowsOf(snapshot)
    })
    await expect(read).rejects.toSatisfy(isUnavailable)
    await pause(50)
  })

  test('with the answer to the commit does not make it fail', async () => {
    const { place, proxy, through } = await overProxy()
    const filled = fillDatabase(through, async (target) => {
      await target.migrate()
      proxy.loseNextAnswer()
      return 'filled'
    })
    expect(await filled).toBe('filled')
    expect(await hasTables(place)).toBe(true)
  })

  test('with the answer to the commit, for longer, is reported as an unknown outcome', async () => {
    const { place, proxy, through } = await overProxy()
    const work = async (target: Target) => {
      await target.migrate()
      proxy.loseNextAnswer()
      proxy.refuse()
    }
    await expect(fillDatabase(through, work, { patience: 1500 })).rejects.toThrow(OutcomeUnknown)
    expect(await hasTables(place)).toBe(true)
  })
})
