import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase, testEngine } from '../../../test/databases/template-db.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { openPostgres } from './open-postgres.ts'
import { connectClient } from './postgres-client.ts'

test.runIf(testEngine === 'postgres')('PostgreSQL that refuses a connection keeps none of the others', async () => {
  const { url = '', remove } = await freshDatabase()
  const admin = connectClient(url, { max: 1, timeouts: TIMEOUTS, pooled: false })
  onTestFinished(async () => {
    await admin.unsafe('drop role no_connection')
    await admin.end({ timeout: 0 })
    await remove()
  })
  await admin.unsafe('create role no_connection login connection limit 0')
  const refused = new URL(url)
  refused.username = 'no_connection'
  const opened = openPostgres(url, {
    listenUrl: undefined,
    replicaUrl: undefined,
    timeouts: TIMEOUTS,
    report: () => {},
    // Those of reads and writes; the one that listens is opened.
    connect: (_, options) => connectClient(options.byIndex ? refused.href : url, options),
  })
  await expect(opened).rejects.toMatchObject({ code: '53300' })
  const others = () =>
    admin.unsafe('select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
  await expect.poll(async () => [...(await others())]).toEqual([])
})
