import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { freePort } from '../../../scripts/free-port.ts'
import { type Postgres, startPostgres, startReplica } from '../../../scripts/suites/postgres.ts'
import { childrenOf, findProgram, program, until } from '../../cluster/program.ts'
import { writableSettings } from '../../cluster/settings.ts'
import { requestToken } from '../../operations/workloads.ts'
import { type OneServerDrill, underLoad } from './one-server.ts'

/** A tool that asks once a second and promotes after two failures. */
const NOTICED = 2_000
/** Seconds for which the former primary is back. */
const BACK = 10

const haproxy = () => findProgram('/usr/sbin/haproxy', '/usr/local/sbin/haproxy')

export const FAILOVER_DRILLS: Record<string, OneServerDrill> = {
  'primary-killed': {
    says: 'PostgreSQL is killed (SIGKILL), its synchronous standby is promoted by hand, and the former primary comes back',
    missing: () => (haproxy() ? undefined : 'not installed: haproxy'),
    async run() {
      const { primary, standby, url, stop } = await startPair()
      try {
        let backAfter = Number.POSITIVE_INFINITY
        const { figures, seen } = await underLoad({
          database: { ...primary, url },
          async damage(target, { service }) {
            const killed = performance.now()
            for (const pid of [Number(primary.pid), ...childrenOf(Number(primary.pid))]) process.kill(pid, 'SIGKILL')
            await pause(NOTICED)
            await standby.promote()
            const promoted = performance.now()
            const write = () => requestToken(target.url, { grant_type: 'client_credentials' }, service)
            await until('a write', async () => (await write()) !== undefined)
            backAfter = performance.now() - killed
            await pause(3_000)
            await primary.restart('SIGQUIT')
            const connections: number[] = []
            for (let turn = 0; turn < BACK; turn += 1) {
              await pause(1_000)
              connections.push(await on(url, portBehind))
            }
            return {
              promoted_ms: Math.round(promoted - killed),
              writes_back_ms: Math.round(backAfter),
              connections_to_former: connections.filter((port) => port === portOf(primary)).length,
            }
          },
        })
        const wanted = {
          'nothing but 503 with Retry-After': figures.failed === 0,
          'a write succeeds within 10 s': backAfter <= 10_000,
          'nothing is refused after 10 s, also when the former primary is back': figures.until_s <= 10,
          'HAProxy leads nobody to the former primary': seen.connections_to_former === 0,
        }
        return { figures, seen, wanted }
      } finally {
        await stop()
      }
    },
  },
}

/** A primary with a synchronous standby, and HAProxy in front. */
async function startPair() {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-pair-'))
  const primary = await startPostgres({ replicated: true })
  const pair = [primary]
  const stop = async () => {
    for (const one of pair) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const standby = await startReplica(primary)
    pair.push(standby)
    await on(primary.url, async (sql) => {
      await sql`create role haproxy login`
      // Only here: the standby, once promoted, has no standby to wait for.
      await sql`alter system set synchronous_standby_names = '*'`
      await sql`select pg_reload_conf()`
      const isSynchronous = () => sql`select 1 from pg_stat_replication where sync_state = 'sync'`
      await until('the synchronous standby', async () => (await isSynchronous()).length > 0)
    })
    const port = await freePort('127.0.0.1')
    const members = [primary, standby].map((one, i) => ({ name: `server-${i + 1}`, port: portOf(one) }))
    writeFileSync(join(folder, 'haproxy.cfg'), writableSettings(port, members))
    const proxy = program('haproxy', haproxy() as string, ['-db', '-f', 'haproxy.cfg'], { folder })
    const url = `postgres://vrata@127.0.0.1:${port}/postgres`
    // Until the second check of each, HAProxy takes the standby for a primary.
    await pause(3_000)
    await until('HAProxy', () => on(url, async (sql) => !(await sql`select pg_is_in_recovery() as is`)[0]?.is))
    return {
      primary,
      standby,
      url,
      async stop() {
        await proxy.end()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function portOf({ url }: Postgres): number {
  return Number(new URL(url).port)
}

/** The port of the server to which a new connection leads. */
async function portBehind(sql: Sql): Promise<number> {
  return Number((await sql`select inet_server_port() as port`)[0]?.port)
}

async function on<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
