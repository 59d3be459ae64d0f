import { spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { delimiter, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** A program that writes to a pipe cannot detect the terminal that shows its output in the end. */
const COLOR: Record<string, string> = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }

/** Added to the niceness of this process, so that a program gets little more than what the workers leave while they wait. */
const BACKGROUND = 15

export type CommandOptions = {
  env?: Record<string, string>
  /** Connects the program to the terminal: its output appears at once, and it reads input. */
  stream?: boolean
  /** Gives the program, and those that it starts, what others leave of the processor. */
  inBackground?: boolean
}

/** Runs a program (from node_modules/.bin by its bare name); resolves with its exit code and, unless streamed, its output. */
export function runCommand(
  program: string,
  args: string[],
  { env = {}, stream = false, inBackground = false }: CommandOptions = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: {
        ...process.env,
        PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
        ...COLOR,
        ...env,
      },
      stdio: stream ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    if (inBackground && child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + BACKGROUND))
    // Ctrl-C also reaches the program; this process ends after it, to clean up.
    const wait = () => {}
    if (stream) process.on('SIGINT', wait)
    let output = ''
    for (const pipe of [child.stdout, child.stderr]) {
      pipe?.on('data', (chunk) => {
        output += chunk
      })
    }
    child.on('error', (error) => resolve({ code: 127, output: String(error) }))
    child.on('close', (code) => {
      process.removeListener('SIGINT', wait)
      resolve({ code: code ?? 1, output })
    })
  })
}
