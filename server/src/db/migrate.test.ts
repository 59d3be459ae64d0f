import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { emptyDatabase, testEngine } from '../../test/databases/template-db.ts'
import { makeHandle, partsOfHandle, type RunQuery } from './compiled-queries/handle.ts'
import { fillDatabase } from './copy/fill.ts'
import { withSnapshot } from './copy/snapshot.ts'
import { pendingMigrations } from './migrate.ts'
import { up as providerModels } from './migrations/0015-provider-models.ts'
import { migrations } from './migrations/index.ts'
import { FILE, openDatabase } from './open.ts'

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

test('a server that starts while another one creates the first table finds nothing to migrate, and does not fail', async () => {
  const { url, dataDir, remove } = await emptyDatabase()
  const other = await openDatabase({ url, dataDir })
  onTestFinished(async () => {
    await other.close()
    await remove()
  })
  const { engine, run } = partsOfHandle(other.read)
  const andThenOther: RunQuery = (query) =>
    run<never>(query).catch(async (error) => {
      await other.migrate()
      throw error
    })
  expect(await pendingMigrations(makeHandle(engine, andThenOther))).toEqual([])
})

test.runIf(testEngine === 'sqlite')('a start with nothing to migrate does not wait for a writer', async () => {
  const { store, dataDir } = await openStore()
  const other = new DatabaseSync(join(dataDir, FILE))
  other.exec('begin immediate')
  // It would wait in vain: nothing else ends this transaction.
  await store.migrate()
  other.exec('commit')
  other.close()
})

test.runIf(testEngine === 'postgres')(
  'whether migrations are pending is read while all connections that write are in use',
  async () => {
    const { store } = await openStore()
    const { promise: end, resolve: finish } = Promise.withResolvers<void>()
    // More than there are connections, so the last ones have not begun.
    const inUse = Array.from({ length: 20 }, () => store.transaction(() => end))
    expect(await store.pendingMigrations()).toEqual([])
    finish()
    await Promise.all(inUse)
  },
)

test.runIf(testEngine === 'postgres')(
  'a migration of a table that a backup reads waits for its end, and lets other servers use the table meanwhile',
  async () => {
    const place = await emptyDatabase()
    const names = Object.keys(migrations)
    const last = names.indexOf('0077-approving-sessions')
    await fillDatabase(place, async (target) => void (await target.migrate(names.slice(0, last))))
    const former = await openDatabase(place)
    const next = await openDatabase(place)
    onTestFinished(async () => {
      await Promise.all([former.close(), next.close()])
      await place.remove()
    })
    let migrated: Promise<string[]> | undefined
    await withSnapshot(place, async (snapshot) => {
      for await (const _ of snapshot.rows({ name: 'qr_codes', columns: ['user_id'] }));
      migrated = next.migrate()
      const until = performance.now() + 6000
      while (performance.now() < until) {
        await former.read.selectFrom('qr_codes').select('user_id').execute()
        await pause(50)
      }
    })
    expect(await migrated).toEqual(names.slice(last))
  },
)

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

test.runIf(testEngine === 'postgres')(
  'a token that is consumed stays on its page, although that was filled in one go',
  async () => {
    const { db } = (await openStore()).store
    const row = { kind: 'RefreshToken', client_id: 'app', payload: 'x'.repeat(300), created_at: '', expires_at: '' }
    const none = { connection_id: null, session_id: null, user_id: null, grant_id: null, consumed_at: null }
    const rows = Array.from({ length: 100 }, (_, n) => ({ ...row, ...none, token_hash: `${n}` }))
    await db.insertInto('tokens').values(rows).execute()
    const page = async () => {
      const place = sql<string>`(ctid::text::point)[0]`.as('place')
      return await db.selectFrom('tokens').select(place).where('token_hash', '=', '3').executeTakeFirstOrThrow()
    }
    const before = await page()
    await db.updateTable('tokens').set({ consumed_at: 'now' }).where('token_hash', '=', '3').execute()
    expect(await page()).toEqual(before)
  },
)
