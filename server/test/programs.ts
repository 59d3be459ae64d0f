import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { quickStart } from '@vrata/contract'

const MODULES = join(import.meta.dirname, '../../node_modules')
/** Of a start, in milliseconds. Go compiles in it. */
const PATIENCE = 90_000

/** A program of the quick start in a folder of its own, as somebody has copied it. */
export interface Program {
  folder: string
  /** What it has said so far. */
  said(): string
  /** Waits until it says something. */
  says(words: RegExp): Promise<RegExpExecArray>
  write(line: string): void
  close(): Promise<void>
}

/** Writes the files of a quick start down; `moved` changes what a test cannot leave as it is, such as a port. */
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
  // A group of its own: `go run` and the like start further processes, which must end with it.
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  child.on('error', (error) => (said += error))
  return {
    folder,
    said: () => said,
    async says(words) {
      for (const began = Date.now(); ; await wait(50)) {
        const found = words.exec(said)
        if (found) return found
        if (child.exitCode !== null || Date.now() - began > PATIENCE)
          throw new Error(`it did not say ${words}: ${said}`)
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

/** Whether a preparation succeeds in good time; what needs a network or a tool that is not here fails it. */
export async function prepared(folder: string, command: string, args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore', timeout: PATIENCE, killSignal: 'SIGKILL' })
  return await new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
