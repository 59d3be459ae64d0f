import { expect, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import type { Guard, Store } from '../open.ts'
import { prepare, prepareInsert } from './prepare.ts'

const insertSettings = prepareInsert('settings')
const insertNames = prepareInsert('device_names')
const renewed = prepare((db, { key, from, to }: { key: string; from: string; to: string }) =>
  db.updateTable('settings').set({ value: to }).where('key', '=', key).where('value', '=', from),
)
const deleted = prepare((db, { key }: { key: string }) =>
  db
    .deleteFrom('settings')
    .where('key', '=', key)
    .returning((e) => e('value', '=', 'open').as('holds')),
)
const isOpen = prepare((db, { key }: { key: string }) =>
  db
    .selectFrom('settings')
    .select((e) => e('value', '=', 'open').as('holds'))
    .where('key', '=', key)
    .forUpdate(),
)

const consumed = (key: string): Guard => ({
  statement: renewed.with({ key, from: 'open', to: 'used' }),
  changes: true,
})
const removed = (key: string, missing: boolean): Guard => ({ statement: deleted.with({ key }), missing })
const open = (key: string, missing: boolean): Guard => ({ statement: isOpen.with({ key }), missing })
const values = async (store: Store) =>
  Object.fromEntries((await store.read.selectFrom('settings').selectAll().execute()).map((row) => [row.key, row.value]))

test('guarded writes write everything when their guards hold, and nothing otherwise', async () => {
  const { store } = await openStore()
  const [a, b] = [
    { key: 'a', value: 'open' },
    { key: 'b', value: 'closed' },
  ]
  await insertSettings(store.db, a, b)
  const kept = (key: string) => [insertSettings.with({ key, value: '' })]
  expect(await store.together({ guards: [consumed('a'), open('b', true)], writes: kept('no') })).toBe(false)
  expect(await store.together({ guards: [consumed('a'), open('c', false)], writes: kept('no') })).toBe(false)
  expect(await values(store)).toEqual({ a: 'open', b: 'closed' })
  const writes = [...kept('first'), insertSettings.with({ key: 'second', value: '' }, { key: 'third', value: '' })]
  expect(await store.together({ guards: [open('c', true), consumed('a')], writes })).toBe(true)
  expect(await values(store)).toEqual({ a: 'used', b: 'closed', first: '', second: '', third: '' })
  expect(await store.together({ guards: [consumed('a')], writes: kept('no') })).toBe(false)
})

test('a guard that returns whether it holds may change rows, too', async () => {
  const { store } = await openStore()
  await insertSettings(store.db, { key: 'a', value: 'open' }, { key: 'b', value: 'closed' })
  const together = (...guards: Guard[]) => store.together({ guards, writes: [] })
  expect(await together(consumed('a'), removed('b', true))).toBe(false)
  expect(await together(consumed('a'), removed('c', false))).toBe(false)
  expect(await values(store)).toEqual({ a: 'open', b: 'closed' })
  expect(await together(removed('c', true), removed('a', false))).toBe(true)
  expect(await values(store)).toEqual({ b: 'closed' })
})

test('when concurrent guarded writes consume the same row, one succeeds', async () => {
  const { store } = await openStore()
  await insertSettings(store.db, { key: 'a', value: 'open' })
  const all = Array.from({ length: 12 }, (_, i) =>
    store.together({ guards: [consumed('a')], writes: [insertSettings.with({ key: `by ${i}`, value: '' })] }),
  )
  expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
  expect(Object.keys(await values(store))).toHaveLength(2)
})

test('guarded writes that refer to a deleted row write nothing; those that break another rule throw', async () => {
  const { store } = await openStore()
  await insertSettings(store.db, { key: 'a', value: 'open' })
  const name = { device_id: 'd', user_id: 'nobody', name: 'Phone' }
  expect(await store.together({ guards: [consumed('a')], writes: [insertNames.with(name)] })).toBe(false)
  const taken = insertSettings.with({ key: 'a', value: '' })
  await expect(store.together({ guards: [consumed('a')], writes: [taken] })).rejects.toThrow(/unique/i)
  expect(await values(store)).toEqual({ a: 'open' })
})

test('guarded writes that fail undo nothing of those with which they are committed', async () => {
  const { store } = await openStore()
  await insertSettings(store.db, { key: 'a', value: 'open' }, { key: 'b', value: 'closed' })
  const kept = (key: string) => [insertSettings.with({ key, value: '' })]
  const outcomes = await Promise.allSettled([
    store.together({ guards: [consumed('a')], writes: kept('first') }),
    store.together({ guards: [consumed('b')], writes: kept('refused') }),
    store.together({ guards: [], writes: [...kept('undone'), ...kept('a')] }),
    store.transaction(async (tx) => await insertSettings(tx.db, { key: 'second', value: '' })),
    store.together({ guards: [open('b', true)], writes: kept('refused') }),
    store.together({ guards: [open('c', true)], writes: kept('third') }),
  ])
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.status))).toEqual([
    true,
    false,
    'rejected',
    undefined,
    false,
    true,
  ])
  expect(await values(store)).toEqual({ a: 'used', b: 'closed', first: '', second: '', third: '' })
})

test('guarded writes inside a transaction throw', async () => {
  const { store } = await openStore()
  await expect(store.transaction(() => store.together({ guards: [], writes: [] }))).rejects.toThrow(/inside/)
})
