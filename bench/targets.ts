import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Postgres } from '../scripts/postgres.ts'

export interface Target {
  url: string
  /** From start to the first good answer. */
  ready_ms: number
  /** CPU time used so far, user and system: of the server, and of a database that is a program of its own. */
  cpu_ms(): { server: number; database: number }
  /** Of that, what the thread has used that answers. */
  main_thread_ms(): number
  memory_mb(): number
  stop(): Promise<void>
  /** Ends it as a power cut would, and starts it again at the same address over the same data. */
  crash(): Promise<void>
}

/** Clock ticks a second of /proc (USER_HZ), which is 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** The floor: a server that only says hello. */
export function startHello(): Promise<Target> {
  return start([join(import.meta.dirname, 'hello.ts')], {}, '/')
}

/** The engine alone, on a Map. */
export function startBareEngine(): Promise<Target> {
  return start([join(import.meta.dirname, 'bare-engine.ts')], {}, '/.well-known/openid-configuration')
}

export interface Kind {
  database?: Postgres | undefined
  /** What the server is started from, and how; as people start it, if not given. */
  program?: string[]
  /** More of its environment. */
  settings?: Record<string, string>
}

const SERVER = join(import.meta.dirname, '../server/dist/cli.js')

/** The real server, over a database of its own. */
export async function startVrata({ database, program = [SERVER], settings: more }: Kind = {}): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'vrata-bench-'))
  const settings = {
    VRATA_DATA_DIR: data,
    VRATA_LOG_LEVEL: 'warn',
    // Each operation comes from an address of its own, so that the limits stand but do not bite.
    VRATA_TRUST_PROXY: 'loopback',
    ...(database ? { VRATA_DATABASE_URL: database.url } : {}),
    ...more,
  }
  const target = await start([...program, 'serve'], settings, '/readyz', database?.pid)
  const stop = target.stop
  target.stop = async () => {
    await stop()
    rmSync(data, { recursive: true, force: true })
  }
  return target
}

async function start(args: string[], env: Record<string, string>, path: string, database?: number): Promise<Target> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const launch = async () => {
    const [program, ...before] = pinned()
    const child = spawn(program ?? process.execPath, [...before, ...args], {
      env: { ...process.env, ...env, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await answering(`${url}${path}`, child)
    const end = (signal: 'SIGTERM' | 'SIGKILL') =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.kill(signal)
      })
    return { pid: child.pid ?? 0, end }
  }
  const began = performance.now()
  let running = await launch()
  return {
    url,
    ready_ms: Math.round(performance.now() - began),
    cpu_ms: () => ({ server: cpuOf(running.pid), database: database === undefined ? 0 : cpuOfFamily(database) }),
    main_thread_ms: () => cpuOf(`${running.pid}/task/${running.pid}`),
    memory_mb: () =>
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024),
    stop: () => running.end('SIGTERM'),
    async crash() {
      await running.end('SIGKILL')
      running = await launch()
    },
  }
}

/** Fields of proc_pid_stat(5), counted after the name: parent, user and system time. */
function statOf(pid: number | string): { parent: number; cpu_ms: number } {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return { parent: Number(fields[1]), cpu_ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
}

const cpuOf = (pid: number | string) => statOf(pid).cpu_ms

/** PostgreSQL works in a process per connection, all of them children of one. */
function cpuOfFamily(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const { parent, cpu_ms } = statOf(name)
      return parent === pid || Number(name) === pid ? [cpu_ms] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
  return all.reduce((sum, one) => sum + one, 0)
}

/** Gives the server one core and leaves the others to the load, where the machine can. */
function pinned(): string[] {
  if (availableParallelism() < 2) return [process.execPath]
  try {
    execFileSync('taskset', ['-V'], { stdio: 'ignore' })
    return ['taskset', '-c', '0', process.execPath]
  } catch {
    return [process.execPath]
  }
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${url} did not answer`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
