import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase, testEngine } from '../../../test/databases/template-db.ts'
import { withSnapshot } from '../copy/snapshot.ts'
import { isUnavailable } from '../dialect.ts'
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
    // Connections of reads and writes; the LISTEN connection is open.
    connect: (_, options) => connectClient(options.byIndex ? refused.href : url, options),
  })
  await expect(opened).rejects.toMatchObject({ code: '53300' })
  const others = () =>
    admin.unsafe('select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
  await expect.poll(async () => [...(await others())]).toEqual([])
})

test('a proxy that has no PostgreSQL behind it does not hold up a start or a command for ever', async () => {
  const proxy = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const url = `postgres://vrata@127.0.0.1:${(proxy.address() as AddressInfo).port}/vrata`
  const options = { listenUrl: undefined, replicaUrl: undefined, report: () => {} }
  const started = openPostgres(url, { ...options, timeouts: { ...TIMEOUTS, answer: 300 } })
  const backup = withSnapshot({ url, dataDir: '' }, async () => {})
  await expect(started).rejects.toSatisfy(isUnavailable)
  await expect(backup).rejects.toSatisfy(isUnavailable)
})
