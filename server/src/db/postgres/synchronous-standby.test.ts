import { sql } from 'kysely'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
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
  const reported: string[] = []
  beforeAll(async () => {
    primary = await startPostgres({ replicated: true })
    store = await openDatabase({
      url: primary.url,
      dataDir: '',
      timeouts: { answer: 800, statement: 700, lock: 600, connect: 400 },
      report: (error) => reported.push(String(error)),
    })
    await store.migrate()
    standby = await startReplica(primary)
    await sql`alter system set synchronous_standby_names = '*'`.execute(store.db)
    await sql`select pg_reload_conf()`.execute(store.db)
    await vi.waitUntil(hasSynchronousStandby, { timeout: 60_000 })
    await standby.stop()
  })
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

  const insert = (key: string) => store.db.insertInto('settings').values(row(key)).execute()

  // A connection that is given up stays in PostgreSQL while its commit waits, until there are as many as it allows.
  test('no connections are added to those that wait, and what was not sent yet is never done', async () => {
    for (let round = 0; round < 4; round += 1) {
      const writes = Array.from({ length: 12 }, (_, n) => insert(`round ${round} ${n}`))
      for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected')
    }
    const operator = postgres(primary.url, { max: 1, fetch_types: false })
    onTestFinished(() => operator.end())
    const [waiting] = await operator`select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'`
    expect(waiting?.count).toBeLessThanOrEqual(5)
    expect(reported).toContainEqual(expect.stringContaining('synchronous standby'))

    await operator`alter system set synchronous_standby_names = ''`
    await operator`select pg_reload_conf()`
    await expect
      .poll(() =>
        insert(crypto.randomUUID()).then(
          () => 'done',
          () => 'rejected',
        ),
      )
      .toBe('done')
    const done = await store.read.selectFrom('settings').select('key').where('key', 'like', 'round%').execute()
    expect(done.length).toBeLessThanOrEqual(5)
  })
})
