import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { killWhileWriting } from '../../../test/processes/kill-while-writing.ts'
import { prepare } from '../compiled-queries/prepare.ts'
import { isUniqueViolation } from '../dialect.ts'
import { FILE, openDatabase } from '../open.ts'
import { TIMEOUTS } from '../timeouts.ts'

const onSqlite = test.runIf(testEngine === 'sqlite')

onSqlite('a killed server has every acknowledged transaction and no partial one', async () => {
  const { store, dataDir } = await openStore()
  await store.close()
  for (let round = 0; round < 3; round += 1) {
    const acknowledged = await killWhileWriting(dataDir, round)
    const file = new DatabaseSync(join(dataDir, FILE))
    const keys = new Set(
      file
        .prepare('select key from settings')
        .all()
        .map((row) => String(row.key)),
    )
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(acknowledged.filter((key) => !keys.has(`${key}/1`) || !keys.has(`${key}/2`))).toEqual([])
    const halves = [...keys].filter(
      (key) => !keys.has(key.endsWith('/1') ? key.replace(/1$/, '2') : key.replace(/2$/, '1')),
    )
    expect(halves).toEqual([])
    expect(file.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    file.close()
  }
})

onSqlite('a write waits for the write lock of another process', async () => {
  const { store, dataDir } = await openStore()
  const other = new DatabaseSync(join(dataDir, FILE))
  other.exec('begin immediate')
  const writing = store.db.insertInto('settings').values({ key: 'a', value: 'x' }).execute()
  await pause(250)
  expect(await store.read.selectFrom('settings').select('key').execute()).toEqual([])
  other.exec('commit')
  await writing
  other.close()
})

onSqlite('work that names a longer time waits longer for the write lock', async () => {
  const { store, dataDir } = await openStore()
  const other = new DatabaseSync(join(dataDir, FILE))
  other.exec('begin immediate')
  const waiting = store.transaction(async () => 'done', { timeout: 30_000 })
  setTimeout(() => other.exec('commit'), TIMEOUTS.answer + 200)
  expect(await waiting).toBe('done')
  other.close()
})

onSqlite('a full queue rejects further transactions with retry_after', async () => {
  const { store } = await openStore()
  const asked = Array.from({ length: 1200 }, () => store.transaction(async () => 'done'))
  const outcomes = await Promise.allSettled(asked)
  const rejected = outcomes.filter((o) => o.status === 'rejected')
  expect(rejected.length).toBeGreaterThan(0)
  for (const one of rejected) expect(one.reason).toMatchObject({ code: 'unavailable', retry_after: 1 })
  expect(await store.transaction(async () => 'done')).toBe('done')
})

onSqlite('close() completes queued transactions and rejects new ones', async () => {
  const { store } = await openStore()
  const queued = Array.from({ length: 40 }, (_, i) =>
    store.db
      .insertInto('settings')
      .values({ key: String(i), value: 'x' })
      .execute(),
  )
  const closing = store.close()
  await expect(store.transaction(async () => {})).rejects.toMatchObject({ code: 'unavailable' })
  await Promise.all(queued)
  await closing
})

test('a write for which no request waits is stored with the next commit, soon without one, and before the database is closed', async () => {
  const { store, url, dataDir } = await openStore()
  const noted = prepare((db, { key }: { key: string }) => db.insertInto('settings').values({ key, value: 'x' }))
  const keys = async (from = store) =>
    (await from.read.selectFrom('settings').select('key').execute()).map(({ key }) => key)
  const first = store.withNextCommit(noted.with({ key: 'first' }))
  if (testEngine === 'sqlite') expect(await keys()).toEqual([])
  await store.db.insertInto('settings').values({ key: 'other', value: 'x' }).execute()
  await first
  expect((await keys()).sort()).toEqual(['first', 'other'])
  // Longer than it would have waited.
  await pause(150)
  await store.withNextCommit(noted.with({ key: 'second' }))
  expect(await keys()).toContain('second')
  const last = store.withNextCommit(noted.with({ key: 'last' }))
  await store.close()
  await last
  const again = await openDatabase({ url, dataDir })
  expect(await keys(again)).toContain('last')
  await again.close()
  await expect(store.withNextCommit(noted.with({ key: 'late' }))).rejects.toThrow()
})

onSqlite('a write with the next commit that fails leaves that commit alone', async () => {
  const { store } = await openStore()
  const noted = prepare((db, { key }: { key: string }) => db.insertInto('settings').values({ key, value: 'x' }))
  await store.db.insertInto('settings').values({ key: 'a', value: 'x' }).execute()
  const refused = expect(store.withNextCommit(noted.with({ key: 'a' }))).rejects.toSatisfy(isUniqueViolation)
  const guarded = { guards: [], writes: [noted.with({ key: 'b' })] }
  expect(await store.together(guarded)).toBe(true)
  await refused
  expect(await store.read.selectFrom('settings').select('key').execute()).toHaveLength(2)
})
