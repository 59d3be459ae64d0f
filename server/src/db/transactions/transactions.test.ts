import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { isUnavailable, isUniqueViolation } from '../dialect.ts'
import type { Db, ReadDb } from '../open.ts'

const note = (db: Db, key: string) => db.insertInto('settings').values({ key, value: 'x' }).execute()
const noted = async (db: ReadDb) =>
  (await db.selectFrom('settings').select('key').orderBy('key').execute()).map((row) => row.key)

test('changes of a transaction are visible after its commit', async () => {
  const { store } = await openStore()
  const answer = await store.transaction(async ({ db }) => {
    await note(db, 'a')
    expect(await noted(store.read)).toEqual([])
    expect(await noted(db)).toEqual(['a'])
    return 'done'
  })
  expect(answer).toBe('done')
  expect(await noted(store.read)).toEqual(['a'])
})

test('a transaction that throws is rolled back alone', async () => {
  const { store } = await openStore()
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((key) =>
      store.transaction(async ({ db }) => {
        await note(db, key)
        if (key === 'b') throw new Error('no')
      }),
    ),
  )
  expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await noted(store.read)).toEqual(['a', 'c', 'd'])
})

test('hooks run after the commit, in order, and not after a rollback', async () => {
  const { store, reported } = await openStore()
  const seen: unknown[] = []
  await store.transaction(async ({ db, after }) => {
    await note(db, 'a')
    after(async () => seen.push(await noted(store.read)))
    after(() => seen.push('second'))
    after(() => Promise.reject(new Error('a hook failed')))
  })
  await expect(
    store.transaction(async ({ after }) => {
      after(() => seen.push('never'))
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await expect.poll(() => seen).toEqual(['second', ['a']])
  expect(reported).toEqual([expect.objectContaining({ message: 'a hook failed' })])
})

test('a failed statement dooms its transaction, on both engines', async () => {
  const { store } = await openStore()
  await note(store.db, 'taken')
  const swallowed = store.transaction(async ({ db }) => {
    await note(db, 'before')
    await note(db, 'taken').catch(() => {})
  })
  await expect(swallowed).rejects.toThrow('cannot be committed')
  const goesOn = store.transaction(async ({ db }) => {
    await note(db, 'taken').catch(() => {})
    await note(db, 'later')
  })
  await expect(goesOn).rejects.toThrow('nothing more can be done')
  expect(await noted(store.read)).toEqual(['taken'])
})

test('a unique violation is recognized, and `on conflict` continues the transaction', async () => {
  const { store } = await openStore()
  await note(store.db, 'a')
  const error = await note(store.db, 'a').catch((caught: unknown) => caught)
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(new Error('something else'))).toBe(false)
  const inserted = await store.transaction(({ db }) =>
    db
      .insertInto('settings')
      .values({ key: 'a', value: 'y' })
      .onConflict((c) => c.doNothing())
      .executeTakeFirst(),
  )
  expect(inserted.numInsertedOrUpdatedRows).toBe(0n)
})

test('a nested transaction throws instead of waiting forever', async () => {
  const { store } = await openStore()
  await expect(store.transaction(() => store.transaction(async () => {}))).rejects.toThrow('inside a transaction')
  await store.transaction(async ({ db }) => void (await note(db, 'still works')))
})

test('a transaction that does not finish is rolled back, and the next one runs', async () => {
  const { store } = await openStore()
  let straggler: Db | undefined
  const stuck = store.transaction(
    async ({ db }) => {
      straggler = db
      await note(db, 'stuck')
      await pause(60_000, undefined, { ref: false })
    },
    { timeout: 50 },
  )
  const next = store.transaction(async ({ db }) => void (await note(db, 'next')))
  await expect(stuck).rejects.toThrow('rolled back')
  // A machine that is suspended for ten seconds causes this, too: the request may succeed later.
  await expect(stuck).rejects.toSatisfy(isUnavailable)
  await next
  await expect(note(straggler as Db, 'late')).rejects.toThrow('has ended')
  expect(await noted(store.read)).toEqual(['next'])
})

test('distinct rows are distinct on both engines, also where rows are locked', async () => {
  const { store } = await openStore()
  for (const key of ['a', 'b']) await note(store.db, key)
  const values = store.read.selectFrom('settings').select('value').where('key', 'in', ['a', 'b'])
  expect(await values.distinct().execute()).toEqual([{ value: 'x' }])
  const locked = store.transaction(({ db }) => db.selectFrom('settings').select('key').forUpdate().execute())
  expect((await locked).length).toBeGreaterThan(1)
})

test('exactly one of fifty concurrent uses succeeds', async () => {
  const { store } = await openStore()
  await note(store.db, 'once')
  const use = () =>
    store.transaction(async ({ db }) => {
      const used = await db
        .updateTable('settings')
        .set({ value: 'used' })
        .where('key', '=', 'once')
        .where('value', '=', 'x')
        .executeTakeFirst()
      return used.numUpdatedRows
    })
  const wins = await Promise.all(Array.from({ length: 50 }, use))
  expect(wins.filter((n) => n === 1n)).toHaveLength(1)
})

test('a read-only handle cannot write', async () => {
  const { store } = await openStore()
  // @ts-expect-error: a read-only handle has no `insertInto`
  expect(() => store.read.insertInto).not.toThrow()
  if (store.engine === 'sqlite') await expect(note(store.read as Db, 'a')).rejects.toThrow('readonly')
})
