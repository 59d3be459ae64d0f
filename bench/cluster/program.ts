import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, openSync, readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Whatever ends this process ends its programs. */
const started = new Set<Program>()
process.once('exit', () => {
  for (const one of started) one.signal('SIGKILL')
})

/** A program of the cluster, which can be ended and started again. */
export class Program {
  readonly name: string
  readonly #start: () => ChildProcess
  #child: ChildProcess

  constructor(name: string, start: () => ChildProcess) {
    this.name = name
    this.#start = start
    this.#child = start()
    started.add(this)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  signal(signal: NodeJS.Signals): void {
    // After a program has ended, its number may belong to another process.
    if (!this.hasEnded) this.#child.kill(signal)
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return
    const exit = once(this.#child, 'exit')
    this.signal(signal)
    await exit
  }

  start(): void {
    if (!this.hasEnded) throw new Error(`${this.name} is running`)
    this.#child = this.#start()
  }
}

export type Account = { uid?: number; gid?: number }

export type Spawned = { folder: string; env?: Record<string, string>; account?: Account }

/** Starts a program whose output is a file in the folder. */
export function program(name: string, command: string, args: string[], { folder, env, account }: Spawned): Program {
  return new Program(name, () => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(command, args, {
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LANG: 'C.UTF-8', ...env },
      ...account,
    })
    child.on('error', (error) => console.error(`${name}: ${error.message}`))
    return child
  })
}

/** The account for programs that refuse to run as root. */
export function unprivileged(name: string): Account {
  if (userInfo().uid !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name])))
  return { uid: uid as number, gid: gid as number }
}

/** The first of the files that can be run, or undefined. */
export function findProgram(...files: string[]): string | undefined {
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Processes that a process has started, and theirs. */
export function childrenOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      parents.set(Number(name), Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]))
    } catch {
      // The process has ended meanwhile.
    }
  }
  const under = (one: number): number[] =>
    [...parents].filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...under(child)])
  return under(pid)
}

/** Waits until the check is true; throws after a minute. */
export async function until(what: string, check: () => Promise<boolean>, seconds = 60): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await check().catch(() => false)); await pause(100)) {
    if (Date.now() > end) throw new Error(`${what}: not after ${seconds} s`)
  }
}

/** The status of an HTTP answer, or 0 without one. */
export async function statusOf(url: string): Promise<number> {
  return await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    ({ status }) => status,
    () => 0,
  )
}
