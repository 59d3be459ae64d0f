import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/template-db.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'

test('two servers that start together migrate once, and nothing is pending afterwards', async () => {
  const { url, dataDir, remove } = await emptyDatabase()
  const one = await openDatabase({ url, dataDir })
  const two = await openDatabase({ url, dataDir })
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()])
    await remove()
  })
  expect(await one.pendingMigrations()).toEqual(Object.keys(migrations))
  const ran = await Promise.all([one.migrate(), two.migrate()])
  expect(ran.flat().sort()).toEqual(Object.keys(migrations))
  expect(await two.pendingMigrations()).toEqual([])
  await one.ping()
})
