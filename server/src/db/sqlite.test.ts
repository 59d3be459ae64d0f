import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FILE, openDatabase } from './open.ts'
import { SqliteConnection } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'vrata-sqlite-'))
const file = join(folder, 'test.sqlite')
const one = new SqliteConnection(file, 'writer')
const another = new SqliteConnection(file, 'writer')
afterAll(() => {
  one.close()
  another.close()
  rmSync(folder, { recursive: true })
})

test('answers rows by the names of their columns, also after another process has changed the table', () => {
  one.execute('create table things (id text, old text, note text) strict')
  one.execute('insert into things values (?, ?, ?)', ['a', 'b', null])
  const all = () => one.execute('select * from things').rows
  const named = () => one.execute('select id, note, 1 as one from things where id = ?', ['a']).rows
  expect(all()).toEqual([{ id: 'a', old: 'b', note: null }])
  expect(named()).toEqual([{ id: 'a', note: null, one: 1 }])

  another.execute('alter table things drop column old')
  another.execute("alter table things add column last text not null default 'c'")
  expect(all()).toEqual([{ id: 'a', note: null, last: 'c' }])
  expect(named()).toEqual([{ id: 'a', note: null, one: 1 }])
})

test('a row has the names of its columns from here, also where it counts (decision 0009)', () => {
  one.execute('create table shaped (id text) strict')
  one.execute('insert into shaped values (?)', ['a'])
  const shapeOf = (statement: string) => Object.getPrototypeOf(one.execute(statement).rows[0])
  expect(shapeOf('select id from shaped')).toBe(Object.prototype)
  expect(shapeOf('select id, (select count(*) from shaped) as others from shaped')).toBe(Object.prototype)
  // Objects of node:sqlite, whose names follow the table.
  expect(shapeOf('select shaped.*, (select count(*) from shaped) as others from shaped')).toBe(null)
  expect(shapeOf('select * from shaped')).toBe(null)
})

test('returns how many rows a statement without an answer has changed', () => {
  one.execute('create table counted (id integer) strict')
  expect(one.execute('insert into counted values (1), (2)')).toEqual({ rows: [], numAffectedRows: 2n })
  expect(one.execute('select id from counted where id > ?', [2]).rows).toEqual([])
})

test('while the file of the database is another one, nothing is written, and the server is not ready', async () => {
  const dataDir = join(folder, 'moved')
  const store = await openDatabase({ dataDir })
  await store.migrate()
  const note = (key: string) => store.db.insertInto('settings').values({ key, value: 'x' }).execute()
  await note('before')
  const [path, away] = [join(dataDir, FILE), join(dataDir, 'away.sqlite')]
  renameSync(path, away)
  await expect(note('lost')).rejects.toMatchObject({ code: 'unavailable', cause: { name: 'OtherFile' } })
  await expect(store.ping()).rejects.toThrow('was moved, deleted or replaced')
  writeFileSync(path, '')
  await expect(note('lost')).rejects.toMatchObject({ code: 'unavailable' })
  renameSync(away, path)
  await note('after')
  await store.ping()
  expect((await store.read.selectFrom('settings').select('key').execute()).map(({ key }) => key)).toEqual(
    expect.arrayContaining(['before', 'after']),
  )
  await store.close()
})

test('a write after the end says that the database is closed, as a read does', async () => {
  const store = await openDatabase({ dataDir: join(folder, 'closed') })
  await store.close()
  const cause = { message: 'database is not open' }
  await expect(store.transaction(async () => {})).rejects.toMatchObject({ code: 'unavailable', cause })
  await expect(store.ping()).rejects.toMatchObject(cause)
})
