import { expect, test } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import type { Db } from './open.ts'

const inTransaction = async (work: (db: Db) => Promise<unknown>) => {
  const { store } = await openStore()
  return store.transaction(async ({ db }) => void (await work(db)))
}
const updateUser = (db: Db) => db.updateTable('users').set({ first_name: 'Ana' }).where('id', '=', 'x').execute()
const deleteTokens = (db: Db) => db.deleteFrom('tokens').where('user_id', '=', 'x').execute()
const lockSession = (db: Db) => db.selectFrom('sessions as s').select('id').where('id', '=', 'x').forUpdate().execute()

test('tables are locked in the listed order', async () => {
  await inTransaction(async (db) => {
    await updateUser(db)
    await lockSession(db)
    await deleteTokens(db)
  })
})

test.each([
  ['an update', updateUser, /locks users after sessions/],
  [
    'a lock with an alias',
    (db: Db) => db.selectFrom('developers as d').select('id').forNoKeyUpdate().execute(),
    /locks developers after sessions/,
  ],
])('%s against the order is rejected', async (_, statement, message) => {
  const rejected = inTransaction(async (db) => {
    await lockSession(db)
    await statement(db)
  })
  await expect(rejected).rejects.toThrow(message)
})

test('a table can be locked again after later ones', async () => {
  await inTransaction(async (db) => {
    await updateUser(db)
    await deleteTokens(db)
    await updateUser(db)
  })
})

test('shared locks and reads are not checked', async () => {
  await inTransaction(async (db) => {
    await deleteTokens(db)
    await db.selectFrom('users').select('id').where('id', '=', 'x').forKeyShare().execute()
    await db.selectFrom('developers').select('id').where('id', '=', 'x').execute()
  })
})
