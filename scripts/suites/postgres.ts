import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'

const run = promisify(execFile)

export type Postgres = {
  url: string
  readonly pid: number | undefined
  stop(): Promise<void>
  /** Ends the server, fast (SIGINT) or as in a crash (SIGQUIT), and starts it again with the same port and data. */
  restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>
  /** Makes a replica a primary; resolves when it takes writes. */
  promote(): Promise<void>
}

type ClusterOptions = {
  replicated?: boolean
  /** A folder for the data, which stays when the server ends; it is used again when it has data. */
  kept?: string
  /** With the settings of a real server, for measurements: commits are on the disk when they are acknowledged. */
  durable?: boolean
}

/** Gives the command that fills the data folder. */
type Fill = (bin: string, data: string) => [file: string, args: string[]]

type Account = { uid?: number; gid?: number }

const INITDB = ['-U', 'vrata', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']

/**
 * Starts a private PostgreSQL cluster in a temporary folder, on a free loopback port and a socket in that folder.
 * For tests: `fsync` is off, and `stop` deletes the data. The server is killed when this process ends without calling
 * `stop`.
 */
export async function startPostgres({ replicated, kept, durable }: ClusterOptions = {}): Promise<Postgres> {
  const fill: Fill = (bin, data) => [join(bin, 'initdb'), ['-D', data, ...INITDB]]
  return await startCluster([...(replicated ? REPLICATED : []), ...(durable ? DURABLE : [])], fill, kept)
}

/** Starts a streaming replica of a server that was started as `replicated`. */
export async function startReplica(primary: Postgres): Promise<Postgres> {
  const copy = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', `--dbname=${primary.url}`]
  return await startCluster(REPLICATED, (bin, data) => [join(bin, 'pg_basebackup'), ['-D', data, ...copy]])
}

async function startCluster(settings: string[], fill: Fill, kept?: string): Promise<Postgres> {
  const bin = (await findBinaries()) ?? (await installBinaries())
  const account = await unprivileged()
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'vrata-postgres-')))
  await mkdir(folder, { recursive: true })
  if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const port = await freePort('127.0.0.1')
  if (!existsSync(data)) await run(...fill(bin, data), { ...account, cwd: folder })
  const launch = () => {
    const child = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, ...[...SETTINGS, ...settings].flatMap((s) => ['-c', s])],
      { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    return { child, ended: once(child, 'exit') }
  }
  let server = launch()
  const end = async (signal: NodeJS.Signals) => {
    server.child.kill(signal)
    await server.ended
  }
  const killNow = () => void server.child.kill('SIGQUIT')
  process.once('exit', killNow)
  const stop = async () => {
    process.removeListener('exit', killNow)
    await end('SIGINT')
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
  const started = async () => {
    const problem = await untilReady(server.child.stderr)
    if (problem === undefined) return
    await stop()
    throw new Error(`PostgreSQL did not start:\n${problem}`)
  }
  await started()
  return {
    url: `postgres://vrata@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.child.pid
    },
    stop,
    async restart(signal) {
      await end(signal)
      server = launch()
      await started()
    },
    async promote() {
      await run(join(bin, 'pg_ctl'), ['promote', '-D', data], { ...account, cwd: folder })
    },
  }
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  // Test servers keep connections for the next one: 110 with three workers of Vitest, at most.
  'max_connections=300',
  'shared_buffers=64MB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum_naptime=5min',
]
/** Later settings win. A commit must be in the log when it is acknowledged, as in production. */
const REPLICATED = ['wal_level=replica', 'max_wal_senders=4', 'synchronous_commit=on']
const DURABLE = [
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'shared_buffers=1GB',
  'maintenance_work_mem=256MB',
  'max_wal_size=4GB',
  'autovacuum_naptime=1min',
]

/** Reads the server's log; resolves with the log when the server ends before it is ready, otherwise with undefined. */
async function untilReady(stderr: Readable): Promise<string | undefined> {
  let log = ''
  return new Promise((resolve) => {
    stderr.on('data', (chunk) => {
      if (log.length < LOG_KEPT) log += String(chunk)
      if (/ready to accept (read-only )?connections/.test(log)) resolve(undefined)
    })
    stderr.once('end', () => resolve(log))
  })
}

const LOG_KEPT = 20_000

const PROGRAMS = ['initdb', 'postgres', 'pg_basebackup']

/** The folder with these programs: in PATH, or in Debian's folders with the newest version first. */
async function findBinaries(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? (await readdir(debian)).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
}

async function installBinaries(): Promise<string> {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('PostgreSQL is not installed; installing it with apt-get for the tests.')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = (name: string) =>
      run('apt-get', ['install', '-y', '--no-install-recommends', name], { env, ...LOUD })
    await run('apt-get', ['update'], { env, ...LOUD })
    // Installed first, to configure it not to create and start a cluster.
    await install('postgresql-common')
    await appendFile('/etc/postgresql-common/createcluster.conf', '\ncreate_main_cluster = false\n')
    await install('postgresql')
    const found = await findBinaries()
    if (found) return found
  }
  throw new Error(
    'PostgreSQL (initdb, postgres, pg_basebackup) was found neither in PATH nor in /usr/lib/postgresql. Install it (Debian: ' +
      '`apt-get install postgresql`, macOS: `brew install postgresql`), or set VRATA_TEST_PG_URL to a server on which ' +
      'the tests may create databases.',
  )
}

/** For the long output of apt-get. */
const LOUD = { maxBuffer: 64 * 1024 * 1024 }

/** PostgreSQL does not run as root; returns another system account in that case. */
async function unprivileged(): Promise<Account> {
  if (userInfo().uid !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
      )
      return { uid, gid }
    } catch {
      // The account does not exist.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody"')
}
