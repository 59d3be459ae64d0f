import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node')
/** How long a program may take to become ready on a machine that is busy with other tests. */
const TIMEOUT_MS = 60_000

export type NodeProcess = {
  /** Output on stdout and stderr so far. */
  output(): string
  /** Writes a line to stdin. */
  write(line: string): void
  /** Waits until the output matches. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code, once the program has ended by itself. */
  exitCode: Promise<number | null>
  stop(signal: NodeJS.Signals): Promise<void>
}

type Ready = (output: string) => boolean | Promise<boolean>

/** Starts a Node program; see {@link startProcess}. */
export function startNodeProcess(args: string[], env: Record<string, string>, ready: Ready): Promise<NodeProcess> {
  return startProcess(process.execPath, args, env, ready)
}

/**
 * Starts a program and waits until `ready` returns true. The program is killed when this process ends without calling
 * `stop`.
 */
export async function startProcess(
  command: string,
  args: string[],
  env: Record<string, string>,
  ready: Ready,
  timeout = TIMEOUT_MS,
): Promise<NodeProcess> {
  const child = spawn(command, args, {
    // Each journey starts a server. The compile cache reduces its start time by a third.
    env: { ...inheritedEnv(), NODE_COMPILE_CACHE: COMPILE_CACHE, VRATA_DRAIN_SECONDS: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let isClosed = false
  // `close` rather than `exit`, after which output may still arrive.
  const exitCode = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      isClosed = true
      resolve(code)
    }),
  )
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)

  async function stop(signal: NodeJS.Signals) {
    process.removeListener('exit', killNow)
    child.kill(signal)
    await exitCode
  }

  async function until<T>(attempt: () => T | Promise<T>, description: string): Promise<NonNullable<T>> {
    for (const started = Date.now(); ; await wait(20)) {
      const wasClosed = isClosed
      const result = await attempt()
      if (result) return result
      if (wasClosed || Date.now() - started > timeout) {
        await stop('SIGKILL')
        throw new Error(`${[command, ...args].join(' ')} did not ${description}:\n${output}`)
      }
    }
  }

  await until(() => ready(output), 'become ready')
  return {
    output: () => output,
    write: (line) => void child.stdin.write(`${line}\n`),
    waitForOutput: (pattern) => until(() => pattern.exec(output), `write ${pattern}`),
    exitCode,
    stop,
  }
}

/** This process's environment without settings of a server or an example. */
function inheritedEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VRATA_|PORT$|HOST$|CLIENT_|ISSUER$|SCOPE$|NODE_OPTIONS$)/.test(name),
    ),
  )
}
