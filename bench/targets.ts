import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Target {
  url: string
  /** From start to the first good answer. */
  ready_ms: number
  /** CPU time used so far, user and system. */
  cpu_ms(): number
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

/** The real server, over a database of its own. */
export async function startVrata(): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'vrata-bench-'))
  const settings = {
    VRATA_DATA_DIR: data,
    VRATA_LOG_LEVEL: 'warn',
    // Each operation comes from an address of its own, so that the limits stand but do not bite.
    VRATA_TRUST_PROXY: 'loopback',
  }
  const target = await start([join(import.meta.dirname, '../server/dist/cli.js'), 'serve'], settings, '/readyz')
  const takeDataAlong = () => {
    const stop = target.stop
    target.stop = async () => {
      await stop()
      rmSync(data, { recursive: true, force: true })
    }
  }
  takeDataAlong()
  const crash = target.crash
  target.crash = async () => {
    await crash()
    takeDataAlong()
  }
  return target
}

async function start(args: string[], env: Record<string, string>, path: string, port?: number): Promise<Target> {
  port ??= await freePort()
  const began = performance.now()
  const [program, ...before] = pinned()
  const child = spawn(program ?? process.execPath, [...before, ...args], {
    env: { ...process.env, ...env, PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://localhost:${port}`
  await answering(`${url}${path}`, child)
  const pid = child.pid ?? 0
  const target: Target = {
    url,
    ready_ms: Math.round(performance.now() - began),
    cpu_ms() {
      const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
      const fields = rest.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS
    },
    memory_mb: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
    async crash() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      // Whoever holds the target goes on with the one that stands there now.
      const { cpu_ms, memory_mb, stop } = await start(args, env, path, port)
      Object.assign(target, { cpu_ms, memory_mb, stop })
    },
  }
  return target
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
