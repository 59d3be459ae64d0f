import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { SERVER } from '../scripts/server-bundle.ts'
import { freePort, type Running, runNode } from './child.ts'

/** A server of one journey, as `npm start` would run it, on an empty data folder. */
export type House = {
  url: string
  /** The link in the newest mail to an address whose page begins with `page`; waits for the mail. */
  mailedLink(email: string, page: string): Promise<string>
  /** Waits for a mail to an address that says something: plain words, or the source of a regular expression. */
  mailed(email: string, words: string): Promise<void>
  /** What the server reported as an error of its own. */
  errors(): string[]
  /** Lets everybody's sign-in be of an hour ago, so that what needs a fresh one asks for it. */
  ageSignIns(): void
  /** Ends it as a power cut would, and starts it again on the same data. */
  crash(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openHouse(): Promise<House> {
  const data = await mkdtemp(join(tmpdir(), 'vrata-journey-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const logs: string[] = []
  let server: Running

  async function start() {
    const settings = { PORT: String(port), VRATA_DATA_DIR: data, VRATA_LOG_LEVEL: 'warn' }
    server = await runNode(
      [SERVER],
      settings,
      async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false,
    )
  }

  async function crash() {
    await server.end('SIGKILL')
    logs.push(server.output())
  }

  await start().catch(async (error) => {
    await rm(data, { recursive: true, force: true })
    throw error
  })
  return {
    url,
    mailedLink: (email, page) => inMail(join(data, 'outbox'), email, new RegExp(`http://localhost:\\d+${page}[\\w-]*`)),
    mailed: async (email, words) => void (await inMail(join(data, 'outbox'), email, new RegExp(words))),
    errors: () => [...logs, server.output()].flatMap((log) => log.split('\n').filter((line) => ERROR.test(line))),
    ageSignIns() {
      const database = new DatabaseSync(join(data, 'vrata.sqlite'), { timeout: 5000 })
      const hour_ago = new Date(Date.now() - 3_600_000).toISOString()
      database.prepare('UPDATE sessions SET authenticated_at = ?').run(hour_ago)
      database.close()
    },
    crash,
    restart: start,
    async close() {
      await server.end('SIGTERM')
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Levels 50 and 60 of pino. */
const ERROR = /^\{"level":[56]0,/

/** What matches in the newest mail to an address. Mails leave through a job shortly after what they tell about. */
async function inMail(outbox: string, email: string, wanted: RegExp): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const files = (await readdir(outbox).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .reverse()
    for (const file of files) {
      // Quoted-printable breaks long lines with "=".
      const mail = (await readFile(join(outbox, file), 'utf8')).replaceAll(/=\r?\n/g, '')
      const found = wanted.exec(mail)?.[0]
      if (found && new RegExp(`^To: .*${email}`, 'm').test(mail)) return found
    }
    await wait(50)
  }
  throw new Error(`No mail to ${email} with ${wanted} came.`)
}
