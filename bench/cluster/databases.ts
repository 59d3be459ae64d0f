import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../scripts/free-port.ts'
import { type Account, childrenOf, type Program, program, until } from './program.ts'

/** One PostgreSQL server with the Patroni process that runs it. */
export type Member = {
  name: string
  port: number
  rest: number
  patroni: Program
  /** Sends a signal to PostgreSQL and all its processes; Patroni starts it outside its own process tree. */
  signal(signal: NodeJS.Signals): void
}

export type Databases = {
  members: Member[]
  etcd: Program
  /** The member that is primary, as Patroni says; undefined while there is none. */
  leader(): Promise<Member | undefined>
  /** A member whose replication is synchronous exists, so that a failover loses nothing. */
  isComplete(): Promise<boolean>
}

export type DatabasePrograms = { etcd: string; patroni: string; postgres: string }

/** Starts etcd and a Patroni cluster of two PostgreSQL servers with synchronous replication; resolves when both run. */
export async function startDatabases(
  folder: string,
  { etcd: etcdProgram, patroni, postgres }: DatabasePrograms,
  account: Account,
): Promise<Databases> {
  const [client = 0, peer = 0, ...ports] = await freePorts(6)
  const own = { folder, account }
  const etcdUrl = `http://127.0.0.1:${client}`
  const etcd = program(
    'etcd',
    etcdProgram,
    [
      ...['--data-dir', join(folder, 'etcd'), '--name', 'etcd'],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...[
        '--listen-peer-urls',
        `http://127.0.0.1:${peer}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peer}`,
      ],
      ...['--initial-cluster', `etcd=http://127.0.0.1:${peer}`],
    ],
    own,
  )
  await until('etcd', async () => (await fetch(`${etcdUrl}/health`)).ok)
  const members: Member[] = []
  for (const name of ['first', 'second']) {
    const [port = 0, rest = 0] = ports.splice(0, 2)
    const home = join(folder, name)
    mkdirSync(home)
    if (account.uid !== undefined && account.gid !== undefined) chownSync(home, account.uid, account.gid)
    const file = join(home, 'patroni.json')
    const settings = patroniSettings({ name, port, rest, home, bin: postgres, etcd: `127.0.0.1:${client}` })
    writeFileSync(file, JSON.stringify(settings, null, 2))
    const member = { name, port, rest, patroni: program(name, patroni, [file], own), signal: signalTo(home) }
    members.push(member)
    process.once('exit', () => member.signal('SIGKILL'))
    // The second one copies the first.
    if (name === 'first') await until('the primary', async () => (await stateOf(rest)).role === 'primary')
  }
  const databases: Databases = {
    members,
    etcd,
    async leader() {
      // The first that says so: one that is paused does not answer.
      const asked = members.map(async (member) => {
        const { role } = await stateOf(member.rest)
        if (role !== 'primary') throw new Error(`${member.name} is not primary`)
        return member
      })
      return await Promise.any(asked).catch(() => undefined)
    },
    async isComplete() {
      const leader = await databases.leader()
      if (!leader) return false
      const { replication } = await stateOf(leader.rest)
      return replication?.some(({ sync_state }) => sync_state === 'sync') ?? false
    },
  }
  await until('the synchronous standby', databases.isComplete, 120)
  return databases
}

function signalTo(home: string): Member['signal'] {
  return (signal) => {
    try {
      const [pid] = readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n')
      // The file outlives a killed PostgreSQL, and its number may be another process's by now.
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(home)) return
      for (const one of [Number(pid), ...childrenOf(Number(pid))]) process.kill(one, signal)
    } catch {
      // PostgreSQL does not run, or one of its processes has ended meanwhile.
    }
  }
}

/** State of PostgreSQL as Patroni reports it; Patroni 3 says `master`. */
async function stateOf(rest: number): Promise<{ role?: string; replication?: { sync_state: string }[] }> {
  try {
    const answer = await fetch(`http://127.0.0.1:${rest}/patroni`, { signal: AbortSignal.timeout(3_000) })
    const state = (await answer.json()) as { role?: string; replication?: { sync_state: string }[] }
    return { ...state, role: state.role === 'master' ? 'primary' : (state.role ?? '') }
  } catch {
    return {}
  }
}

type MemberSettings = { name: string; port: number; rest: number; home: string; bin: string; etcd: string }

/** JSON is YAML, too. The times are the shortest that Patroni takes. */
function patroniSettings({ name, port, rest, home, bin, etcd }: MemberSettings) {
  return {
    scope: 'vrata',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        // A primary that has ended is not waited for.
        master_start_timeout: 0,
        primary_start_timeout: 0,
        synchronous_mode: true,
        // Without etcd, the primary stays while it reaches the standby.
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, shared_buffers: '32MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(home, 'data'),
      bin_dir: bin,
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'vrata' },
        replication: { username: 'replicator' },
        rewind: { username: 'vrata' },
      },
      parameters: { unix_socket_directories: home },
    },
  }
}
