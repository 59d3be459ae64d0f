import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'

/** A server in a process of its own, for tests that end it; removed after the calling test. */
export interface ServerProcess {
  port: number
  kill(signal: NodeJS.Signals): void
  /** The exit code; null after a signal that the process does not handle. */
  exit: Promise<number | null>
}

/** Starts a server without pages on SQLite; resolves once it is ready. */
export async function startServerProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const server = await spawnServer(settings)
  const ready = async () => (await fetch(`http://localhost:${server.port}/readyz`)).status
  await expect.poll(() => ready().catch(String), { timeout: 60_000 }).toBe(200)
  return server
}

/** Like `startServerProcess`, but does not wait. */
export async function spawnServer(settings: Record<string, string>): Promise<ServerProcess> {
  const data = await mkdtemp(join(tmpdir(), 'vrata-process-'))
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serving.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), VRATA_DATA_DIR: data, VRATA_LOG_LEVEL: 'error', ...settings },
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(data, { recursive: true, force: true })
  })
  return {
    port,
    kill: (signal) => void child.kill(signal),
    exit: exited.then(([code]) => code as number | null),
  }
}
