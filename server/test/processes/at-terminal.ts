import { spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { CLI } from './programs-under-test.ts'

/** Whether `script` of util-linux is here, which makes terminals. */
export const hasTerminals = spawnSync('script', ['--version']).error === undefined

/** Runs `vrata …` at a terminal, and types a line as soon as each question appears. */
export async function atTerminal(settings: Record<string, string>, args: string[], answers: string[]) {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    VRATA_LOG_LEVEL: 'silent',
    SHELL: '/bin/sh',
    ...settings,
  } as NodeJS.ProcessEnv
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env })
  onTestFinished(() => void child.kill())
  const left = [...answers]
  let said = ''
  let asked = 0
  child.stdout.on('data', (data) => {
    said += data
    const questions = said.match(/(backup|more): /g)?.length ?? 0
    for (; asked < questions; asked += 1) child.stdin.write(left.shift() ?? '')
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, said }
}
