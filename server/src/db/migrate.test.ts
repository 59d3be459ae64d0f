import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../test/open-store.ts'
import { emptyDatabase } from '../../test/template-db.ts'
import { up as providerModels } from './migrations/0015-provider-models.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'

test('two servers that start together migrate once', async () => {
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

test('moves the rows of oidc_temp to provider_models', async () => {
  const { store } = await openStore()
  const { db } = store
  await db.schema.dropTable('provider_models').execute()
  const row = {
    id_hash: 'a',
    model: 'DeviceCode',
    user_code_hash: 'b',
    payload: '{}',
    created_at: '1',
    expires_at: '2',
  }
  await sql`insert into oidc_temp (id_hash, model, user_code_hash, payload, created_at, expires_at)
    values (${row.id_hash}, ${row.model}, ${row.user_code_hash}, ${row.payload}, ${row.created_at}, ${row.expires_at})`.execute(
    db,
  )
  await providerModels(db as never)
  expect(await db.selectFrom('provider_models').selectAll().execute()).toMatchObject([row])
  expect((await sql`select * from oidc_temp`.execute(db)).rows).toEqual([])
})
