import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { freePorts } from '../../scripts/free-port.ts'
import { type DatabasePrograms, type Databases, type Member, startDatabases } from './databases.ts'
import { findProgram, type Program, program, statusOf, unprivileged, until } from './program.ts'
import { haproxySettings, pgbouncerSettings } from './settings.ts'

/** A server of Vrata. */
export type Node = {
  name: string
  url: string
  server: Program
  /** Starts another program or with other settings, after the one that runs has ended. */
  replace(built: string, settings?: Record<string, string>): void
}

/** An installation on many machines, as it is on one machine for drills. */
export interface Cluster {
  /** The address of HAProxy, which leads to all nodes. */
  url: string
  folder: string
  outbox: string
  /** Settings of all nodes. */
  settings: Record<string, string>
  nodes: Node[]
  databases: Databases
  haproxy: Program
  pgbouncer: Program
  /** `postgres://…` of the primary, directly. */
  primaryUrl: string
  /** The same through PgBouncer. */
  pooledUrl: string
  /** All nodes are ready, and the proxy sees them. */
  isGreen(): Promise<boolean>
  stop(): Promise<void>
}

export type ClusterOptions = {
  /** How many nodes there are; three by default. */
  servers?: number
  /** Additional settings of the nodes at their first start. */
  settings?: Record<string, string>
  /** Whether the nodes reach PostgreSQL without PgBouncer at their first start. */
  direct?: boolean
  /** The program of the nodes, other than the built one. */
  server?: string
  /** Is called before the nodes start, with their settings; is called again for a minute while it fails. */
  prepare?: (env: Record<string, string>) => Promise<void>
  /** Keeps the folder with the logs. */
  keep?: boolean
}

type Programs = DatabasePrograms & { haproxy: string; pgbouncer: string }

const DEBIAN = 'apt-get install haproxy pgbouncer patroni etcd-server postgresql python3-etcd'

/** The programs of a cluster. Throws a sentence that names what is missing here. */
export function clusterPrograms(): Programs {
  const versions = folders('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
  const found = {
    haproxy: findProgram('/usr/sbin/haproxy', '/usr/local/sbin/haproxy'),
    pgbouncer: findProgram('/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'),
    etcd: findProgram('/usr/bin/etcd', '/usr/local/bin/etcd'),
    // One that comes first on the PATH is newer than that of Debian 12, which has a fault (docs/reliability.md).
    patroni: findProgram(...onPath('patroni'), '/usr/bin/patroni'),
    postgres: findProgram(...versions.map((version) => `/usr/lib/postgresql/${version}/bin/postgres`)),
  }
  const missing = Object.entries(found).flatMap(([name, file]) => (file ? [] : [name]))
  if (missing.length) throw new Error(`not installed: ${missing.join(', ')} (Debian: ${DEBIAN})`)
  const all = found as Programs
  return { ...all, postgres: all.postgres.replace(/\/postgres$/, '') }
}

/** Starts nodes, HAProxy, PgBouncer, and a Patroni cluster of two PostgreSQL servers with etcd; resolves when it is green. */
export async function startCluster({
  servers = 3,
  settings = {},
  direct = false,
  server: built = SERVER,
  prepare,
  keep = false,
}: ClusterOptions = {}): Promise<Cluster> {
  const found = clusterPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'vrata-cluster-'))
  const account = unprivileged('postgres')
  chmodSync(folder, 0o755)
  const [pages = 0, postgres = 0, pooler = 0, ...ports] = await freePorts(3 + servers)
  const running: Program[] = []
  const members: Member[] = []
  const stop = async () => {
    for (const one of running.reverse()) {
      one.signal('SIGCONT')
      // A paused PostgreSQL would keep Patroni from ending.
      for (const member of members) member.signal('SIGCONT')
      await one.end(one.name.startsWith('node') ? 'SIGKILL' : 'SIGTERM')
    }
    for (const member of members) member.signal('SIGKILL')
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const own = join(folder, 'databases')
    mkdirSync(own)
    if (account.uid !== undefined && account.gid !== undefined) chownSync(own, account.uid, account.gid)
    const databases = await startDatabases(own, found, account)
    members.push(...databases.members)
    running.push(databases.etcd, ...databases.members.map(({ patroni }) => patroni))
    const url = `http://127.0.0.1:${pages}`
    const names = ports.map((port, i) => ({ name: `node-${i + 1}`, port }))
    writeFileSync(
      join(folder, 'haproxy.cfg'),
      haproxySettings({ pages, postgres, nodes: names, members: databases.members }),
    )
    const haproxy = program('haproxy', found.haproxy, ['-db', '-f', 'haproxy.cfg'], { folder })
    writeFileSync(join(own, 'pgbouncer.ini'), pgbouncerSettings({ pooler, postgres, folder: own }))
    writeFileSync(join(own, 'users.txt'), '"vrata" ""\n')
    const pgbouncer = program('pgbouncer', found.pgbouncer, ['pgbouncer.ini'], { folder: own, account })
    running.push(haproxy, pgbouncer)
    await until('HAProxy', async () => (await statusOf(url)) === 503)
    // Until the second check of each member, HAProxy takes the standby for a primary.
    await pause(3_000)
    const outbox = join(folder, 'data/outbox')
    const primaryUrl = `postgres://vrata@127.0.0.1:${postgres}/postgres`
    const pooledUrl = `postgres://vrata@127.0.0.1:${pooler}/postgres`
    const env = {
      VRATA_URL: url,
      HOST: '127.0.0.1',
      VRATA_DATABASE_URL: pooledUrl,
      VRATA_DATABASE_LISTEN_URL: primaryUrl,
      VRATA_DATA_DIR: join(folder, 'data'),
      VRATA_SECRET: 'the secret of a cluster for drills, and of nothing else',
      VRATA_TRUST_PROXY: 'loopback',
      VRATA_LIMITS_FACTOR: '1000',
      VRATA_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    }
    if (prepare) await until('the preparation', () => prepare(env).then(() => true))
    const nodes = names.map(({ name, port }) => {
      const start = (file: string, more: Record<string, string> = {}) => {
        const server = program(name, process.execPath, [file, 'serve'], {
          folder,
          env: { ...env, ...more, PORT: String(port) },
        })
        running.push(server)
        return server
      }
      const first = direct ? { VRATA_DATABASE_URL: primaryUrl, ...settings } : settings
      const node: Node = {
        name,
        url: `http://127.0.0.1:${port}`,
        server: start(built, first),
        replace(file, more) {
          node.server = start(file, more)
        },
      }
      return node
    })
    const isGreen = async () => {
      const ready = await Promise.all(nodes.map(async (node) => (await statusOf(`${node.url}/readyz`)) === 200))
      return ready.every(Boolean) && (await statusOf(`${url}/healthz`)) === 200
    }
    await until('the cluster', isGreen, 120)
    return {
      url,
      folder,
      outbox,
      settings: env,
      nodes,
      databases,
      haproxy,
      pgbouncer,
      primaryUrl,
      pooledUrl,
      isGreen,
      stop,
    }
  } catch (error) {
    keep = true
    await stop()
    throw new Error(`The cluster did not start; its logs are in ${folder}`, { cause: error })
  }
}

function onPath(name: string): string[] {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
}

function folders(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
