import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestDatabase } from '../databases/template-db.ts'
import { BUNDLE, CLI } from './programs-under-test.ts'

const SERVING = join(import.meta.dirname, 'serving.ts')

export type Answer = { code: number; stdout: string; stderr: string }

/** Runs `vrata …` as an operator does, in a process of its own without a terminal. */
export async function vrata(settings: Record<string, string>, ...words: string[]): Promise<Answer> {
  return await run([CLI, ...words], settings)
}

/** Runs `vrata serve`, without pages where they may not be built, with settings that keep it from starting. */
export async function refusedStart(settings: Record<string, string>): Promise<Answer> {
  return await run(BUNDLE ? [CLI, 'serve'] : [SERVING], settings)
}

/** Runs `vrata …` for a program that reads nothing of what it prints. */
export async function vrataUnread(
  settings: Record<string, string>,
  ...words: string[]
): Promise<Pick<Answer, 'code' | 'stderr'>> {
  const child = spawn(process.execPath, [CLI, ...words], { env: environment(settings) })
  child.stdout.destroy()
  const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  return { code, stderr }
}

/** Runs `vrata …` with its output in a file on a full disk. */
export async function vrataOnFullDisk(
  settings: Record<string, string>,
  ...words: string[]
): Promise<Pick<Answer, 'code' | 'stderr'>> {
  const output = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [CLI, ...words], {
    env: environment(settings),
    stdio: ['ignore', output, 'pipe'],
  })
  closeSync(output)
  const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr as Readable)])
  return { code, stderr }
}

/** Starts `vrata …` for a test that ends it. */
export function startVrata(settings: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, [CLI, ...words], { env: environment(settings), stdio: 'ignore' })
  const exited = once(child, 'exit')
  return {
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    exit: exited.then(([code]) => code as number | null),
  }
}

function environment(settings: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, VRATA_LOG_LEVEL: 'silent', ...settings }
}

async function run(program: string[], settings: Record<string, string>): Promise<Answer> {
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, program, { env: environment(settings) }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0
      resolve({ code, stdout, stderr })
    })
    child.stdin?.end()
  })
}

/** The settings that name a database. */
export function settingsOf({ url, dataDir }: Pick<TestDatabase, 'url' | 'dataDir'>): Record<string, string> {
  return { VRATA_DATA_DIR: dataDir, VRATA_DATABASE_URL: url ?? 'sqlite' }
}
