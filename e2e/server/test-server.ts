import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { freePort } from '../../scripts/free-port.ts'
import { findInMail, mailedLink } from '../../testing/mail.ts'
import type { HostedServers } from './hosted-servers.ts'
import { errorsIn } from './log-errors.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'

/** The bundled server of one journey, with a data folder and a port of its own. */
export type TestServer = {
  url: string
  /** The link to a page in the newest mail to an address that has one; `page` is the start of its path. Waits for the mail. */
  mailedLink(email: string, page: string): Promise<string>
  /** Waits for a mail to an address that contains `words`, the source of a regular expression. */
  mailed(email: string, words: string): Promise<void>
  /** The link that makes the first operator, which the server has printed at its last start. Waits for it. */
  setupLink(): Promise<string>
  /** Lines of the log with level error or fatal. */
  errors(): string[]
  /** Sets every session's time of authentication back by an hour, so that reauthentication is required. */
  ageSignIns(): void
  /** Lets waiting jobs of a kind run now, whenever they are due. */
  makeJobsDue(kind: string): void
  /** Kills the process with SIGKILL. */
  crash(): Promise<void>
  /** Starts a process again on the same port and data. */
  restart(): Promise<void>
  close(): Promise<void>
}

/**
 * Makes a data folder by the first start of a server: a migrated database with its signing keys, and the secret.
 * A server that starts on a copy saves a quarter of its start time.
 */
export async function createDataTemplate(hosted: HostedServers): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'vrata-template-'))
  const server = await hosted.start(settingsOf(data, await freePort()))
  await server.stop('SIGTERM')
  return data
}

/** Starts a server on a copy of `template`, or on an empty data folder; in the process of `hosted`, or in its own. */
export async function startTestServer(template?: string, hosted?: HostedServers): Promise<TestServer> {
  const data = await mkdtemp(join(tmpdir(), 'vrata-journey-'))
  if (template) await cp(template, data, { recursive: true })
  const port = (await hosted?.port()) ?? (await freePort())
  const url = `http://localhost:${port}`
  const outbox = join(data, 'outbox')
  const logs: string[] = []
  let server: Pick<NodeProcess, 'output' | 'stop'>

  async function start() {
    const settings = settingsOf(data, port)
    server = hosted ? await hosted.start(settings) : await startProcess(settings)
  }

  function change(statement: string, ...values: string[]) {
    const database = new DatabaseSync(join(data, 'vrata.sqlite'), { timeout: 30_000 })
    database.prepare(statement).run(...values)
    database.close()
  }

  async function crash() {
    await server.stop('SIGKILL')
    logs.push(server.output())
  }

  await start().catch(async (error) => {
    await rm(data, { recursive: true, force: true })
    throw error
  })
  return {
    url,
    mailedLink: (email, page) => mailedLink(outbox, email, page),
    mailed: async (email, words) => void (await findInMail(outbox, email, new RegExp(words))),
    async setupLink() {
      for (;;) {
        const [, link] = /To set it up: (\S+)/.exec(server.output()) ?? []
        if (link) return link
        await pause(20)
      }
    },
    errors: () => [...logs, server.output()].flatMap(errorsIn),
    ageSignIns: () =>
      change(
        'UPDATE sessions SET authenticated_at = ?, reauthenticated_at = NULL',
        new Date(Date.now() - 3_600_000).toISOString(),
      ),
    makeJobsDue: (kind) => change('UPDATE jobs SET run_at = ? WHERE kind = ?', new Date().toISOString(), kind),
    crash,
    restart: start,
    async close() {
      await server.stop('SIGTERM')
      await rm(data, { recursive: true, force: true })
    },
  }
}

function settingsOf(data: string, port: number) {
  return {
    PORT: String(port),
    VRATA_DATA_DIR: data,
    VRATA_LOG_LEVEL: 'warn',
    // The pages offer certificates only where the server accepts them.
    VRATA_TRUST_PROXY: 'loopback',
    VRATA_MTLS_HEADER: 'X-Client-Cert pem',
    VRATA_MTLS_VERIFIED_HEADER: 'X-Client-Verify',
  }
}

function startProcess(settings: ReturnType<typeof settingsOf>): Promise<NodeProcess> {
  const ready = async () => (await fetch(`http://localhost:${settings.PORT}/readyz`).catch(() => null))?.ok ?? false
  return startNodeProcess([SERVER], settings, ready)
}
