import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const COMPILED = join(import.meta.dirname, '../node_modules/.cache/node')
/** How long a program may take to open, on a machine that is busy with other tests. */
const PATIENCE_MS = 20_000

export type Running = {
  output(): string
  /** Waits until it has said something. */
  says(words: RegExp): Promise<RegExpExecArray>
  /** The exit code, once it has ended by itself. */
  ended: Promise<number | null>
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts a Node program and waits until `ready`, which is told what it has said, answers true. It is killed with the process that started it, if that
 * forgets to end it.
 */
export async function runNode(
  args: string[],
  env: Record<string, string>,
  ready: (output: string) => boolean | Promise<boolean>,
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    // Each journey starts a server: compiled once, it starts in two thirds of the time.
    env: { ...withoutSettings(), NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let isOver = false
  // Not `exit`: what it has said last may come after that.
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      isOver = true
      resolve(code)
    }),
  )
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)

  async function end(signal: NodeJS.Signals) {
    process.removeListener('exit', killNow)
    child.kill(signal)
    await ended
  }

  async function until<T>(found: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
    for (const started = Date.now(); ; await wait(50)) {
      const wasOver = isOver
      const it = await found()
      if (it) return it
      if (wasOver || Date.now() - started > PATIENCE_MS) {
        await end('SIGKILL')
        throw new Error(`${args.join(' ')} did not ${what}:\n${output}`)
      }
    }
  }

  await until(() => ready(output), 'open')
  return { output: () => output, says: (words) => until(() => words.exec(output), `say ${words}`), ended, end }
}

/** A port of this machine that nobody listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, 'localhost', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** What somebody has set for their own server is not for the one under test. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VRATA_|PORT$|HOST$|CLIENT_|ISSUER$|SCOPE$|NODE_OPTIONS$)/.test(name),
    ),
  )
}
