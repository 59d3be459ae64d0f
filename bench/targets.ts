import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../scripts/build/server-bundle.ts'
import { freePort } from '../scripts/free-port.ts'
import type { Postgres } from '../scripts/suites/postgres.ts'

export interface Target {
  url: string
  /** Milliseconds from the start to the first successful response. */
  ready_ms: number
  /** CPU time used so far, user and system: of the server, and of a database in another process. */
  cpu_ms(): { server: number; database: number }
  /** CPU time of the server's main thread, part of `cpu_ms`. */
  main_thread_ms(): number
  /** CPU time of the server's threads of libuv, part of `cpu_ms`: in sign-ins they only hash, because mails are written to files by the main thread. */
  pool_ms(): number
  memory_mib(): number
  /** Lets the server use these cores instead of the one on which it was started. Without `taskset` it uses all of them anyway. */
  useCores(cores: string): void
  readonly pid: number
  stop(): Promise<void>
  /** Kills the process with SIGKILL and starts it again with the same port and data; resolves with `ready_ms` of this start. */
  crash(): Promise<number>
  /** The same with SIGTERM, as a supervisor restarts it; resolves when it is ready. */
  restart(): Promise<void>
}

/** Name of the threads of libuv. */
const POOL = 'libuv-worker'

/** A Vrata server, with its data folder and the one in it to which it writes mails. */
export type VrataTarget = Target & { data: string; outbox: string }

/** Servers of this process, and data folders that are deleted. */
const running = new Set<ChildProcess>()
const temporary = new Set<string>()
// No started program outlives this process, however it ends.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true })
})

/** Makes Ctrl-C and SIGTERM end this process by `process.exit`, so that what it has started ends with it. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
}

/** Length of a clock tick in /proc; USER_HZ is 100 on every Linux that Node supports. */
const TICK_MS = 10

/** Starts node:http alone. */
export function startBare(): Promise<Target> {
  return start([join(import.meta.dirname, 'reference/bare.ts')], {}, '/')
}

/** Starts Fastify alone, the baseline. */
export function startHello(): Promise<Target> {
  return start([join(import.meta.dirname, 'reference/hello.ts')], {}, '/')
}

/** Starts oidc-provider alone: with an in-memory adapter, or with one that writes a row of SQLite for each artifact. */
export function startReferenceProvider(adapter: 'map' | 'rows' = 'map'): Promise<Target> {
  const settings = { REFERENCE_ADAPTER: adapter }
  return start(
    [join(import.meta.dirname, 'reference/reference-provider.ts')],
    settings,
    '/.well-known/openid-configuration',
  )
}

export interface VrataOptions {
  database?: Postgres | undefined
  /** Arguments of Node that start the server; the built bundle by default. */
  program?: string[]
  /** Additional environment variables. */
  settings?: Record<string, string>
  /** A data folder that stays; otherwise a new one is deleted at the end. */
  data?: string
  /** A file that receives the log; without it the log is thrown away. */
  log?: string
}

/** The built server. */
export const SERVER = join(import.meta.dirname, '../server/dist/cli.js')

/** Starts the real server with its own database, or that of a kept data folder. */
export async function startVrata({
  database,
  program = [...SERVER_FLAGS, SERVER],
  settings: more,
  data: kept,
  log,
}: VrataOptions = {}): Promise<VrataTarget> {
  const data = kept ?? mkdtempSync(join(tmpdir(), 'vrata-bench-'))
  if (!kept) temporary.add(data)
  const settings = {
    ...SERVER_ENVIRONMENT,
    VRATA_DATA_DIR: data,
    VRATA_LOG_LEVEL: 'warn',
    VRATA_DRAIN_SECONDS: '0',
    // Each operation comes from another network, so that no rate limit is reached.
    VRATA_TRUST_PROXY: 'loopback',
    ...(database ? { VRATA_DATABASE_URL: database.url } : {}),
    ...more,
  }
  const target = await start([...program, 'serve'], settings, '/readyz', { database: database?.pid, log })
  const stop = target.stop
  target.stop = async () => {
    await stop()
    if (kept) return
    rmSync(data, { recursive: true, force: true })
    temporary.delete(data)
  }
  return Object.assign(target, { data, outbox: join(data, 'outbox') })
}

type StartOptions = { database?: number | undefined; log?: string | undefined }

/** Starts a server and waits until `path` answers; `database` is the process id of its database. */
async function start(
  args: string[],
  env: Record<string, string>,
  path: string,
  { database, log }: StartOptions = {},
): Promise<Target> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const launch = async () => {
    const [program, ...before] = nodeCommand()
    const output = log === undefined ? undefined : openSync(log, 'a')
    const child = spawn(program ?? process.execPath, [...before, ...args], {
      env: { ...process.env, ...env, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', output ?? 'ignore', 'inherit'],
    })
    if (output !== undefined) closeSync(output)
    running.add(child)
    child.once('exit', () => running.delete(child))
    await waitUntilReady(`${url}${path}`, child)
    const end = (signal: 'SIGTERM' | 'SIGKILL') =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.kill(signal)
      })
    return { pid: child.pid ?? 0, end }
  }
  const began = performance.now()
  let server = await launch()
  return {
    url,
    ready_ms: Math.round(performance.now() - began),
    cpu_ms: () => ({ server: cpuOf(server.pid), database: database === undefined ? 0 : cpuOfProcessTree(database) }),
    main_thread_ms: () => cpuOf(`${server.pid}/task/${server.pid}`),
    pool_ms: () => cpuOfThreads(server.pid, POOL),
    memory_mib: () =>
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024),
    useCores: (cores) => {
      if (hasTaskset()) execFileSync('taskset', ['-apc', cores, String(server.pid)], { stdio: 'ignore' })
    },
    stop: () => server.end('SIGTERM'),
    get pid() {
      return server.pid
    },
    async crash() {
      await server.end('SIGKILL')
      const killed = performance.now()
      server = await launch()
      return Math.round(performance.now() - killed)
    },
    async restart() {
      await server.end('SIGTERM')
      server = await launch()
    },
  }
}

/** Parent, user and system time of a process (proc_pid_stat(5)); fields are counted after the command name. */
function statOf(pid: number | string): { parent: number; cpu_ms: number } {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return { parent: Number(fields[1]), cpu_ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
}

const cpuOf = (pid: number | string) => statOf(pid).cpu_ms

/** CPU time of the threads of a process with this name. */
function cpuOfThreads(pid: number, name: string): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => `${pid}/task/${id}`)
  const named = threads.filter((thread) => readFileSync(`/proc/${thread}/comm`, 'utf8').trim() === name)
  return named.reduce((sum, thread) => sum + cpuOf(thread), 0)
}

/** CPU time of a process and its children; PostgreSQL has a child process for each connection. */
function cpuOfProcessTree(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const { parent, cpu_ms } = statOf(name)
      return parent === pid || Number(name) === pid ? [cpu_ms] : []
    } catch {
      // The process has ended.
      return []
    }
  })
  return all.reduce((sum, one) => sum + one, 0)
}

/** Open sockets of a process: its connections, and those on which it listens. */
export function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:')
    } catch {
      // The connection was closed meanwhile.
      return false
    }
  }).length
}

/** Command that runs Node on one core, if the machine has several and `taskset`; the load uses the others. */
function nodeCommand(): string[] {
  return availableParallelism() > 1 && hasTaskset() ? ['taskset', '-c', '0', process.execPath] : [process.execPath]
}

function hasTaskset(): boolean {
  return spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 4000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server exited with code ${child.exitCode}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${url} did not answer`)
}
