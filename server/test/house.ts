import { type Api, type account, auth, createApi } from '@vrata/contract'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { openDatabase, type Store } from '../src/db/open.ts'
import type { OpenDeps } from '../src/deps.ts'
import { surroundings } from '../src/main.ts'
import { type TestClock, testClock } from '../src/ports/clock.ts'
import { startJobs } from '../src/ports/jobs/runner.ts'
import { type Letter, MAIL_JOB, mailJob } from '../src/ports/mail/mail.ts'
import { memoryMailer } from '../src/ports/mail/memory.ts'
import { passwords } from '../src/ports/passwords.ts'
import { realtime } from '../src/ports/realtime/realtime.ts'
import { sealing } from '../src/ports/sealing.ts'
import type { PersonData } from './people.ts'
import { freshDatabase, type TestDatabase } from './template-db.ts'

const ORIGIN = 'http://localhost:3000'

/** The real server over a database of its own; only the clock stands still, and mails stay in the outbox. */
export interface House {
  app: FastifyInstance
  store: Store
  config: Config
  clock: TestClock
  /** What rules are handed. */
  deps: OpenDeps
  /** Somebody at the door: a browser with its own cookies and address. */
  visitor(browser?: Partial<BrowserOptions>): Caller
  /** Somebody signed in; registers them the first time. */
  as(person: PersonData): Promise<SignedIn>
  /** Mails that have left so far, oldest first; sends those that wait. */
  outbox(): Promise<Letter[]>
  /** One more server process over the same database, to be closed before this one. */
  neighbour(): Promise<House>
  /** Log lines written so far, as JSON text. */
  logged(): string
  close(): Promise<void>
}

export type BrowserOptions = { ip: string; user_agent: string; language: string }

/** One browser: calls like the pages do, and keeps its cookies. */
export interface Caller {
  call: Api
  /** A raw request with this browser's cookies; for what is not a call of the contract. */
  request(options: InjectOptions): Promise<LightMyRequestResponse>
  cookies: Map<string, string>
}
export interface SignedIn extends Caller {
  user: account.UserInfo
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'

/** Opens a house; `settings` are environment variables. */
export async function openHouse(settings: Record<string, string> = {}): Promise<House> {
  return await openNode(settings, await freshDatabase())
}

async function openNode(settings: Record<string, string>, database: TestDatabase): Promise<House> {
  const config = readConfig({
    VRATA_DATA_DIR: database.dataDir,
    VRATA_SECRET: 'a secret for tests, of a good length, and of nobody',
    VRATA_URL: ORIGIN,
    VRATA_TRUST_PROXY: 'loopback',
    ...(database.url ? { VRATA_DATABASE_URL: database.url } : {}),
    ...settings,
  })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const store = await openDatabase({
    url: config.database_url,
    dataDir: config.data_dir,
    report: (err) => log.error({ err }),
  })
  const clock = testClock()
  const world = {
    config,
    clock,
    passwords: passwords(),
    sealing: sealing(config.secret),
    ...surroundings(config, log),
    signals: store.signals,
    realtime: realtime(store.signals),
    log,
  }
  const { app, deps, handlers } = await buildApp({ world, store, pages: false, strict: true })
  await app.ready()
  const mailer = memoryMailer()
  const jobs = startJobs({
    store,
    clock,
    log,
    poll: false,
    handlers: { ...handlers, [MAIL_JOB]: mailJob({ mailer, sealing: world.sealing, clock, url: config.url }) },
  })

  let visitors = 0
  const visitor = (browser: Partial<BrowserOptions> = {}) => {
    visitors += 1
    return openBrowser(app, {
      // A network of its own each: what is bounded per network does not bound a test of many people.
      ip: `127.${1 + (visitors >> 8)}.${visitors & 255}.1`,
      user_agent: FIREFOX,
      language: 'en-US',
      ...browser,
    })
  }
  const registered = new Map<string, true>()

  return {
    app,
    store,
    config,
    clock,
    deps,
    visitor,
    async as(person) {
      const browser = visitor()
      if (!registered.has(person.email)) {
        registered.set(person.email, true)
        const answer = await browser.call(auth.register, person)
        if (!answer.ok) throw new Error(`${person.email} could not register: ${JSON.stringify(answer.problem)}`)
        await store.db
          .updateTable('users')
          .set({ email_verified_at: clock.now().toISOString() })
          .where('email', '=', person.email)
          .execute()
        return { ...browser, user: { ...answer.data, email_verified: true } }
      }
      const answer = await browser.call(auth.login, { username: person.email, password: person.password })
      if (!answer.ok) throw new Error(`${person.email} could not sign in: ${JSON.stringify(answer.problem)}`)
      if (answer.data.next !== 'done') throw new Error(`${person.email} is asked for a second factor`)
      return { ...browser, user: answer.data.user }
    },
    async outbox() {
      // A job may leave a mail behind.
      await jobs.runDue()
      await jobs.runDue()
      return mailer.sent
    },
    neighbour: () => openNode(settings, { ...database, remove: async () => {} }),
    logged: () => lines.join(''),
    async close() {
      await app.close()
      await jobs.stop()
      await store.close()
      await database.remove()
    },
  }
}

function openBrowser(app: FastifyInstance, browser: BrowserOptions): Caller {
  const cookies = new Map<string, string>()
  const request = async (options: InjectOptions) => {
    const answer = await app.inject({
      ...options,
      headers: {
        origin: ORIGIN,
        'user-agent': browser.user_agent,
        'accept-language': browser.language,
        'x-forwarded-for': browser.ip,
        ...(cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...options.headers,
      },
    })
    for (const { name, value, maxAge } of answer.cookies as { name: string; value: string; maxAge?: number }[]) {
      if (value === '' || maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const call = createApi(async ({ method, url, body }) => {
    const answer = await request({ method: method as 'GET', url, ...(await payloadOf(body)) })
    const json = answer.headers['content-type']?.toString().includes('json') ? answer.json() : undefined
    return { status: answer.statusCode, json, retry_after: answer.headers['retry-after']?.toString() ?? null }
  })
  return { call, request, cookies }
}

async function payloadOf(body: unknown): Promise<Pick<InjectOptions, 'payload' | 'headers'>> {
  if (body === undefined) return {}
  if (!(body instanceof FormData))
    return { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const form = new Response(body)
  const type = form.headers.get('content-type') ?? ''
  return { payload: Buffer.from(await form.arrayBuffer()), headers: { 'content-type': type } }
}
