import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { quickStart } from '@vrata/contract'

const MODULES = join(import.meta.dirname, '../../../node_modules')
/** Timeout of a start in milliseconds, including compilation by Go. */
const START_TIMEOUT = 90_000

/** A running quick start program in its own folder. */
export interface Program {
  folder: string
  /** Its output so far. */
  output(): string
  /** Resolves once the output matches. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  write(line: string): void
  close(): Promise<void>
}

/** Writes the files of a quick start to a new folder; `moved` replaces values such as the port. */
export async function copyOut(
  { files }: Pick<quickStart.QuickStart, 'files'>,
  moved: (code: string) => string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vrata-quick-start-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  for (const { name, code } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), moved(code))
  }
  return folder
}

export function run(folder: string, command: string, args: string[], env: Record<string, string> = {}): Program {
  // Its own process group: child processes, as of `go run`, must end with it.
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.on('error', (error) => (output += error))
  return {
    folder,
    output: () => output,
    async prints(pattern) {
      for (const began = Date.now(); ; await wait(50)) {
        const found = pattern.exec(output)
        if (found) return found
        if (child.exitCode !== null || Date.now() - began > START_TIMEOUT)
          throw new Error(`no output matches ${pattern}: ${output}`)
      }
    },
    write: (line) => void child.stdin.write(`${line}\n`),
    async close() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
  await ended
}

/** Whether a preparation succeeds in time; fails without the network or tool that it needs. */
export async function prepared(folder: string, command: string, args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore', timeout: START_TIMEOUT, killSignal: 'SIGKILL' })
  return await new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}
