import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How long a program may take to open, on a machine that is busy with other tests. */
const PATIENCE_MS = 20_000

export type Running = { output(): string; end(signal: NodeJS.Signals): Promise<void> }

/**
 * Starts a Node program and waits until `ready` answers true. It is killed with the process that started it, if that
 * forgets to end it.
 */
export async function runNode(
  args: string[],
  env: Record<string, string>,
  ready: () => Promise<boolean>,
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    env: { ...withoutSettings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)

  async function end(signal: NodeJS.Signals) {
    process.removeListener('exit', killNow)
    child.kill(signal)
    await ended
  }

  const started = Date.now()
  while (!(await ready())) {
    if (hasEnded(child) || Date.now() - started > PATIENCE_MS) {
      await end('SIGKILL')
      throw new Error(`${args.join(' ')} did not open:\n${output}`)
    }
    await wait(50)
  }
  return { output: () => output, end }
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

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** What somebody has set for their own server is not for the one under test. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VRATA_|PORT$|HOST$|CLIENT_|ISSUER$|NODE_OPTIONS$)/.test(name)),
  )
}
