import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Postgres, startPostgres, startReplica } from '../../../../scripts/suites/postgres.ts'
import { pausingProxy } from '../../../test/databases/pausing-proxy.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { makeHandle, type RunQuery } from '../compiled-queries/handle.ts'
import { isUnavailable } from '../dialect.ts'
import { openDatabase } from '../open.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { PostgresPool } from './postgres.ts'
import { Replica } from './replica.ts'

describe.runIf(testEngine === 'postgres')('a streaming replica of PostgreSQL', () => {
  let primary: Postgres
  let standby: Postgres
  beforeAll(async () => {
    primary = await startPostgres({ replicated: true })
    const store = await openDatabase({ url: primary.url, dataDir: '' })
    await store.migrate()
    await store.close()
    standby = await startReplica(primary)
  })
  afterAll(async () => {
    await standby.stop()
    await primary.stop()
  })

  /** Reads that are checked by hand; `first` names the primary, `second` the server that is to be its replica. */
  function open({ first: one = primary.url, second: other = standby.url } = {}) {
    const reported: unknown[] = []
    const report = (error: unknown) => void reported.push(error)
    const pools = [one, other].map(
      (url) => new PostgresPool(url, { connections: 2, timeouts: TIMEOUTS, pooled: false, report }),
    )
    const [first, second] = pools as [PostgresPool, PostgresPool]
    const replica = new Replica({ primary: first, replica: second, report, interval: 1e9 })
    onTestFinished(async () => {
      await replica.stop()
      await Promise.all(pools.map((pool) => pool.close()))
    })
    const keys = async () =>
      (await handle(replica.run).selectFrom('settings').select('key').execute()).map((r) => r.key)
    const put = (key: string) => handle(first.run).insertInto('settings').values({ key, value: 'x' }).execute()
    return { replica, keys, put, reported, isAsked: () => isStandby(replica.run) }
  }

  test('answers while it keeps up, and again once it has caught up', async () => {
    const { replica, keys, put, reported, isAsked } = open()
    expect(await isAsked()).toBe(false)
    await expect.poll(() => replica.check().then(isAsked)).toBe(true)
    await untilCaughtUp()
    await onStandby('select pg_wal_replay_pause()')
    // It is only asked for, and what comes before it takes place would still be replayed.
    await expect.poll(() => onStandby('select pg_get_wal_replay_pause_state()')).toBe('paused')
    await put('late')
    await replica.check()
    expect(await isAsked()).toBe(true)
    expect(await keys()).not.toContain('late')
    // One interval later it still lacks the row.
    await replica.check()
    expect(await isAsked()).toBe(false)
    expect(await keys()).toContain('late')
    await replica.check()
    expect(reported.map(String)).toEqual(['Error: Reads go to the primary, not to the replica'])
    await onStandby('select pg_wal_replay_resume()')
    await expect.poll(() => replica.check().then(isAsked)).toBe(true)
    expect(await keys()).toContain('late')
  })

  test('is not asked when the address is that of a primary', async () => {
    const { replica, reported, isAsked } = open({ second: primary.url })
    await replica.check()
    expect(await isAsked()).toBe(false)
    expect(reported).toMatchObject([{ cause: { message: expect.stringContaining('is not a replica') } }])
  })

  test('is not asked while it follows a server that another one has replaced', async () => {
    const promoted = await startReplica(primary)
    onTestFinished(() => promoted.stop())
    const { replica, keys, put, reported, isAsked } = open({ first: promoted.url })
    await query(promoted.url, 'select pg_promote()')
    // Written by the replaced primary only, so the replica is ahead of the new one.
    await query(
      primary.url,
      `insert into settings (key, value) select 'lost ' || n, 'x' from generate_series(1, 1000) n`,
    )
    await put('kept')
    await replica.check()
    await replica.check()
    expect(await isAsked()).toBe(false)
    expect(await keys()).toContain('kept')
    expect(reported).toMatchObject([{ cause: { message: 'The replica does not follow this primary' } }])
  })

  test('is not used as primary by a server whose address leads to it during a failover', async () => {
    let target = new URL(primary.url)
    const sockets = new Set<Socket>()
    const proxy = createServer((near) => {
      const far = connect(Number(target.port), target.hostname)
      for (const one of [near, far]) sockets.add(one.on('error', () => {}))
      near.pipe(far).pipe(near)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const leadTo = ({ url }: Postgres) => {
      target = new URL(url)
      for (const one of sockets) one.destroy()
      sockets.clear()
    }
    const through = new URL(primary.url)
    through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const store = await openDatabase({ url: through.href, dataDir: '', report: () => {} })
    onTestFinished(async () => {
      await store.close()
      leadTo(primary)
      proxy.close()
    })
    const read = () => store.read.selectNoFrom(sql<boolean>`pg_is_in_recovery()`.as('standby')).executeTakeFirst()
    const write = () => store.db.insertInto('settings').values({ key: 'after a failover', value: 'x' }).execute()
    leadTo(standby)
    for (let i = 0; i < 3; i += 1) {
      await expect(read()).rejects.toSatisfy(isUnavailable)
      await expect(write()).rejects.toSatisfy(isUnavailable)
    }
    // Connections that are there stay.
    target = new URL(primary.url)
    await expect.poll(() => write().then(() => 'written', String)).toBe('written')
    await expect.poll(() => read().catch(String)).toEqual({ standby: false })
  })

  test('is refused as the database of a server, which says why', async () => {
    const opened = openDatabase({ url: standby.url, dataDir: '' })
    await expect(opened).rejects.toSatisfy(isUnavailable)
    await expect(opened).rejects.toThrow('leads to a standby')
  })

  test('that was down at the start has the limits of the primary once it answers', async () => {
    const { hostname, port } = new URL(standby.url)
    const proxy = await pausingProxy({ host: hostname, port: Number(port) })
    const through = new URL(standby.url)
    through.host = `127.0.0.1:${proxy.port}`
    proxy.refuse()
    const store = await openDatabase({
      url: primary.url,
      replicaUrl: through.href,
      dataDir: '',
      timeouts: { replica: 50 },
      report: () => {},
    })
    onTestFinished(() => store.close())
    proxy.resume()
    const settings = () =>
      store.replica
        ?.selectNoFrom([
          sql<boolean>`pg_is_in_recovery()`.as('standby'),
          sql<string>`current_setting('jit')`.as('jit'),
          sql<string>`current_setting('statement_timeout')`.as('statement_timeout'),
        ])
        .executeTakeFirst()
    await expect.poll(settings).toMatchObject({ standby: true })
    expect(await settings()).toEqual({ standby: true, jit: 'off', statement_timeout: '3500ms' })
  })

  test('is replaced by the primary when it ends, and the server starts without it', async () => {
    const { replica, keys, put, reported, isAsked } = open()
    await put('before the end')
    await expect.poll(() => replica.check().then(isAsked)).toBe(true)
    await standby.stop()
    expect(await keys()).toContain('before the end')
    await replica.check()
    expect(reported).toHaveLength(1)
    const store = await openDatabase({ url: primary.url, replicaUrl: standby.url, dataDir: '', report: () => {} })
    onTestFinished(() => store.close())
    expect(await store.replica?.selectFrom('settings').select('key').execute()).not.toHaveLength(0)
  })

  const handle = (run: RunQuery) => makeHandle('postgres', run)
  async function isStandby(run: RunQuery): Promise<boolean | undefined> {
    const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(handle(run))
    return rows[0]?.standby
  }
  const onStandby = (statement: string) => query(standby.url, statement)
  /** The replica has what the primary had committed at the last check. */
  async function untilCaughtUp(): Promise<void> {
    const position = await query(primary.url, 'select pg_current_wal_lsn()')
    const isThere = () => onStandby(`select pg_last_wal_replay_lsn() >= '${position}'`)
    await expect.poll(isThere).toBe(true)
  }
  /** Resolves with the first value of the first row. */
  async function query(url: string, statement: string): Promise<unknown> {
    const pool = new PostgresPool(url, { connections: 2, timeouts: TIMEOUTS, pooled: false, report: () => {} })
    const { rows } = await sql.raw<object>(statement).execute(handle(pool.run))
    await pool.close()
    return Object.values(rows[0] ?? {})[0]
  }
})
