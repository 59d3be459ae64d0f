import { expect, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { prepare, prepareInsert, prepareUnchanged } from './prepare.ts'

const put = prepareInsert('settings')
const byKey = prepare((db, { key }: { key: string }) => db.selectFrom('settings').selectAll().where('key', '=', key))
const rename = prepare((db, { from, to }: { from: string; to: string }) =>
  db.updateTable('settings').set({ key: to }).where('key', '=', from),
)

test('a prepared query returns the row of its parameters, inside and outside a transaction', async () => {
  const { store } = await openStore()
  await put(store.db, { key: 'a', value: 'first' })
  await store.transaction(async ({ db }) => {
    await put(db, { value: 'second', key: 'b' })
    expect(await byKey.first(db, { key: 'b' })).toEqual({ key: 'b', value: 'second' })
  })
  const answers = await Promise.all(['a', 'b', 'c'].map((key) => byKey.first(store.read, { key })))
  expect(answers.map((row) => row?.value)).toEqual(['first', 'second', undefined])
})

test('a prepared write resolves with the number of changed rows', async () => {
  const { store } = await openStore()
  await put(store.db, { key: 'a', value: 'x' })
  expect(await rename.changed(store.db, { from: 'a', to: 'b' })).toBe(1)
  expect(await rename.changed(store.db, { from: 'a', to: 'b' })).toBe(0)
  expect(await byKey.rows(store.read, { key: 'b' })).toHaveLength(1)
})

test('a prepared insert inserts several rows', async () => {
  const { store } = await openStore()
  await put(store.db, { key: 'a', value: 'x' }, { value: 'y', key: 'b' }, { key: 'c', value: 'z' })
  const rows = await store.read
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('key', 'in', ['a', 'b', 'c'])
    .execute()
  expect(rows.map(({ key, value }) => key + value).sort()).toEqual(['ax', 'by', 'cz'])
})

test('a guard of an unchanged row holds only while the query answers this row, with every column as it was', async () => {
  const { store } = await openStore()
  await put(store.db, { key: 'a', value: 'b' })
  const unchanged = prepareUnchanged((db, { key }: { key: string }) =>
    db
      .selectFrom('settings')
      .leftJoin('settings as next', 'next.key', 'settings.value')
      .select(['settings.value', 'next.value as next_value'])
      .where('settings.key', '=', key),
  )
  const holds = (known: { value: string; next_value: string | null }, key = 'a') =>
    store.together({ guards: [unchanged({ key }, known)], writes: [] })
  expect(await holds({ value: 'b', next_value: null })).toBe(true)
  expect(await holds({ value: 'c', next_value: null })).toBe(false)
  expect(await holds({ value: 'b', next_value: '' })).toBe(false)
  expect(await holds({ value: 'b', next_value: null }, 'x')).toBe(false)
  await put(store.db, { key: 'b', value: 'c' })
  expect(await holds({ value: 'b', next_value: null })).toBe(false)
  expect(await holds({ value: 'b', next_value: 'c' })).toBe(true)
})
