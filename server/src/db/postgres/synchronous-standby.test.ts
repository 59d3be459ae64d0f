import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Postgres, startPostgres, startReplica } from '../../../../scripts/suites/postgres.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { prepareInsert } from '../compiled-queries/prepare.ts'
import { isOutcomeUnknown, isUnavailable } from '../dialect.ts'
import { openDatabase, type Store } from '../open.ts'

const insertSettings = prepareInsert('settings')

describe.runIf(testEngine === 'postgres')('while a synchronous standby does not answer', () => {
  let primary: Postgres
  let standby: Postgres
  let store: Store
  beforeAll(async () => {
    primary = await startPostgres({ replicated: true })
    store = await openDatabase({ url: primary.url, dataDir: '' })
    await store.migrate()
    standby = await startReplica(primary)
    await sql`alter system set synchronous_standby_names = '*'`.execute(store.db)
    await sql`select pg_reload_conf()`.execute(store.db)
    await vi.waitUntil(hasSynchronousStandby, { timeout: 20_000 })
    await standby.stop()
  }, 60_000)
  afterAll(async () => {
    await store.close()
    await primary.stop()
  })

  async function hasSynchronousStandby(): Promise<boolean> {
    const { rows } = await sql`select 1 from pg_stat_replication where sync_state = 'sync'`.execute(store.db)
    return rows.length > 0
  }

  const row = (key: string) => ({ key, value: 'x' })

  // PostgreSQL would answer with success and a warning if something ended its wait; `statement_timeout` does not end that of a commit.
  test.each([
    { what: 'a statement', write: () => store.db.insertInto('settings').values(row('statement')).execute() },
    {
      what: 'a transaction',
      write: () => store.transaction(({ db }) => db.insertInto('settings').values(row('transaction')).execute()),
    },
    {
      what: 'a unit',
      write: () => store.together({ guards: [], writes: [insertSettings.with(row('unit'))] }),
    },
  ])('$what is not taken for committed', async ({ write }) => {
    await expect(write()).rejects.toSatisfy((error) => isUnavailable(error) && isOutcomeUnknown(error))
  })

  test('reads are answered', async () => {
    await expect(store.db.selectFrom('settings').select('key').execute()).resolves.toBeDefined()
  })
})
