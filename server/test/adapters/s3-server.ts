import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/free-port.ts'

/** A running S3-compatible store with one bucket. */
export interface S3Server {
  /** Settings of a server that keeps its files there. */
  settings: { VRATA_MEDIA_URL: string; AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  /** The folder in which the store keeps the objects of the bucket. */
  folder: string
  close(): Promise<void>
}

/** The Versity S3 gateway, which keeps objects as files; undefined where it is not installed. */
export function findVersityGateway(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'versitygw'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export async function startS3Server(program: string): Promise<S3Server> {
  const root = mkdtempSync(join(tmpdir(), 'vrata-s3-'))
  const [store, attributes] = [join(root, 'store'), join(root, 'attributes')]
  mkdirSync(join(store, 'vrata-files'), { recursive: true })
  mkdirSync(attributes)
  const port = await freePort()
  const [user, password] = ['vrata', 'a password of the store']
  const child = spawn(program, ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', attributes, store], {
    env: { ...process.env, ROOT_ACCESS_KEY: user, ROOT_SECRET_KEY: password },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const endpoint = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await fetch(endpoint).catch(() => undefined)); tries += 1) {
    if (tries > 400 || child.exitCode !== null) throw new Error(`the store did not start: ${log}`)
    await pause(50)
  }
  return {
    settings: {
      VRATA_MEDIA_URL: `s3://vrata-files/installation?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: user,
      AWS_SECRET_ACCESS_KEY: password,
    },
    folder: join(store, 'vrata-files'),
    async close() {
      child.kill()
      await exited
      rmSync(root, { recursive: true, force: true })
    },
  }
}
