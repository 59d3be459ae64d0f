import { type Api, type account, createApi, type Quotas, signIn } from '@vrata/contract'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Cookies, cookieHeader, storeCookies } from '../../testing/api-client.ts'
import { LOW_COST } from '../../testing/low-cost.ts'
import { countDueJobs } from '../src/adapters/jobs/jobs.ts'
import { OwnJobs } from '../src/adapters/jobs/own-jobs.ts'
import { startJobs } from '../src/adapters/jobs/runner.ts'
import { openLog } from '../src/adapters/log.ts'
import { MAIL_JOB, mailJob, type OutgoingMail } from '../src/adapters/mail/mail.ts'
import { memoryMailer } from '../src/adapters/mail/memory.ts'
import { pictures } from '../src/adapters/media/resize.ts'
import { passwords } from '../src/adapters/passwords/passwords.ts'
import { realtime } from '../src/adapters/realtime/realtime.ts'
import { openTracing } from '../src/adapters/tracing/open-tracing.ts'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config/config.ts'
import { readOrCreateSecret } from '../src/config/secret-files.ts'
import { openDatabase, type Store } from '../src/db/open.ts'
import type { Timeouts } from '../src/db/timeouts.ts'
import type { AppDeps } from '../src/deps.ts'
import { openMetrics } from '../src/http/monitoring/open-metrics.ts'
import { TOKENS_AT_ONCE } from '../src/issuer/tokens/deletion/end-connection-tokens.ts'
import { JOBS_UNTIL_DONE } from '../src/job-handlers.ts'
import { type TestClock, testClock } from '../src/lib/clock.ts'
import { openEncryption, openFileAdapters } from '../src/main.ts'
import { freshRows, type TestDatabase } from './databases/template-db.ts'
import { insertKeptSigningKeys, keepSigningKeys } from './keys/kept-signing-keys.ts'
import type { PersonData } from './people.ts'
import { RENDER_PICTURE } from './processes/programs-under-test.ts'

const ORIGIN = 'http://localhost:3000'
const SECRET = 'a secret for tests, of a good length, and of nobody'

/** The real server over its own database, with a test clock and mails in memory. */
export interface TestServer {
  app: FastifyInstance
  store: Store
  config: Config
  clock: TestClock
  /** The dependencies of rules. */
  deps: AppDeps
  /** A browser with its own cookies and address. */
  browser(browser?: Partial<BrowserOptions>): Caller
  /** A signed-in user; registers them the first time. */
  as(person: PersonData): Promise<SignedIn>
  /** Runs all jobs that are due, which sends queued mails; resolves with all sent ones, oldest first. */
  outbox(): Promise<OutgoingMail[]>
  /** Another server over the same database, perhaps with other settings; close it before this one. */
  secondNode(changes?: Record<string, string>): Promise<TestServer>
  /** Log lines written so far, as JSON text. */
  logged(): string
  /** Deadlocks that PostgreSQL has detected so far; none on SQLite, which has one writer. */
  deadlocks(): unknown[]
  close(): Promise<void>
}

/** Runs `work` once, after the next call has been admitted and before its first transaction begins. */
export function beforeTransaction({ deps }: TestServer, work: () => Promise<unknown>): void {
  const { transaction } = deps
  let next: typeof work | undefined = work
  deps.transaction = async (rule, options) => {
    deps.transaction = transaction
    const now = next
    next = undefined
    await now?.()
    return await transaction(rule, options)
  }
}

export type BrowserOptions = { ip: string; user_agent: string; language: string }

/** A browser: calls like the pages and stores cookies. */
export interface Caller {
  call: Api
  /** A raw request with this browser's cookies; for what is not a call of the contract. */
  request(options: InjectOptions): Promise<LightMyRequestResponse>
  cookies: Cookies
}
export interface SignedIn extends Caller {
  user: account.UserInfo
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'

/** Quotas that tests of other features do not reach. */
const HIGH_QUOTAS: Partial<Quotas> = { organizations_per_person: 1000, invitation_mails_per_day: 1000 }

/** Times of PostgreSQL that a slow machine does not reach, so that many calls at once all get their answer. */
const PATIENT: Partial<Timeouts> = { connect: 20_000, answer: 60_000, statement: 55_000, lock: 50_000 }

/** Rounds of jobs until all should be done; a job that deletes many rows takes one for each second. */
const MOST_ROUNDS = 100

/**
 * Starts a server over its own database; `settings` are environment variables. With the default secret it has the same
 * signing keys as others; with another one it generates them. With a small `tokens_at_once` few tokens are very many.
 */
export async function startTestServer(
  settings: Record<string, string> = {},
  quotas: Partial<Quotas> = HIGH_QUOTAS,
  tokens_at_once = TOKENS_AT_ONCE,
): Promise<TestServer> {
  return await openNode({ settings, quotas, tokens_at_once }, await freshRows())
}

type NodeOptions = { settings: Record<string, string>; quotas: Partial<Quotas>; tokens_at_once: number }

async function openNode(options: NodeOptions, database: TestDatabase): Promise<TestServer> {
  const { settings, quotas, tokens_at_once } = options
  const config = readConfig({
    VRATA_DATA_DIR: database.dataDir,
    VRATA_SECRET: SECRET,
    VRATA_URL: ORIGIN,
    VRATA_TRUST_PROXY: 'loopback',
    // Runs the tests of the issuer over oidc-provider alone.
    ...(process.env.VRATA_NATIVE_TOKENS ? { VRATA_NATIVE_TOKENS: process.env.VRATA_NATIVE_TOKENS } : {}),
    ...(database.url ? { VRATA_DATABASE_URL: database.url } : {}),
    ...settings,
  })
  if (config.secret_is_new) readOrCreateSecret(config.data_dir, config.secret)
  const lines: string[] = []
  const deadlocks: unknown[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  const tracing = await openTracing(config, log)
  const store = await openDatabase({
    url: config.database_url,
    listenUrl: config.database_listen_url,
    replicaUrl: config.database_replica_url,
    dataDir: config.data_dir,
    timeouts: PATIENT,
    connect: database.connect,
    report: (err) => log.error({ err }),
    assertLockOrder: true,
    trace: tracing?.statement,
    onDeadlock: (error) => void deadlocks.push(error),
  })
  const clock = testClock()
  const { meter, metrics } = await openMetrics(config)
  const adapters = {
    config,
    clock,
    passwords: passwords(LOW_COST),
    encryption: openEncryption(config),
    ...openFileAdapters(config, log),
    pictures: pictures({ program: RENDER_PICTURE }),
    signals: store.signals,
    ownJobs: new OwnJobs(),
    realtime: realtime(store.signals),
    log,
    meter,
    traceparent: () => tracing?.traceparent(),
    tokens_at_once,
  }
  const hasDefaultSecret = { VRATA_SECRET: SECRET, ...settings }.VRATA_SECRET === SECRET
  if (hasDefaultSecret) await insertKeptSigningKeys(store)
  const { app, deps, handlers } = await buildApp({
    adapters,
    store,
    metrics,
    tracing,
    pages: false,
    strict: true,
    quotas,
  })
  if (hasDefaultSecret) await keepSigningKeys(store)
  await app.ready()
  const mailer = memoryMailer()
  const jobs = startJobs({
    store,
    clock,
    log,
    meter,
    tracing,
    keep: [MAIL_JOB],
    untilDone: JOBS_UNTIL_DONE,
    poll: false,
    handlers: { ...handlers, [MAIL_JOB]: mailJob({ mailer, ...deps, url: config.url, meter }) },
  })

  let browsers = 0
  const browser = (options: Partial<BrowserOptions> = {}) => {
    browsers += 1
    return openBrowser(app, {
      // A network of its own for each browser: rate limits count per network, and tests use many browsers.
      ip: `127.${1 + (browsers >> 8)}.${browsers & 255}.1`,
      user_agent: FIREFOX,
      language: 'en-US',
      ...options,
    })
  }
  const registered = new Map<string, true>()

  return {
    app,
    store,
    config,
    clock,
    deps,
    browser,
    async as(person) {
      const opened = browser()
      if (!registered.has(person.email)) {
        registered.set(person.email, true)
        const answer = await opened.call(signIn.register, person)
        if (!answer.ok) throw new Error(`${person.email} could not register: ${JSON.stringify(answer.problem)}`)
        await store.db
          .updateTable('users')
          .set({ email_verified_at: clock.now().toISOString() })
          .where('email', '=', person.email)
          .execute()
        return { ...opened, user: { ...answer.data, email_verified: true } }
      }
      const answer = await opened.call(signIn.login, { username: person.email, password: person.password })
      if (!answer.ok) throw new Error(`${person.email} could not sign in: ${JSON.stringify(answer.problem)}`)
      if (answer.data.next !== 'done') throw new Error(`${person.email} is asked for a second factor`)
      return { ...opened, user: answer.data.user }
    },
    async outbox() {
      // A job may queue a mail, and itself for what is left when its time is over. A job of another server stays due.
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        await jobs.runDue()
        if ((await countDueJobs(store.db, clock.now())).length === 0) break
      }
      return mailer.sent
    },
    secondNode: (changes) =>
      openNode({ ...options, settings: { ...settings, ...changes } }, { ...database, remove: async () => {} }),
    logged: () => lines.join(''),
    deadlocks: () => deadlocks,
    async close() {
      await app.close()
      await jobs.stop()
      await store.close()
      await tracing?.close()
      await database.remove()
    },
  }
}

function openBrowser(app: FastifyInstance, browser: BrowserOptions): Caller {
  const cookies: Cookies = new Map()
  const request = async (options: InjectOptions) => {
    const cookie = cookieHeader(cookies)
    const answer = await app.inject({
      ...options,
      headers: {
        origin: ORIGIN,
        'user-agent': browser.user_agent,
        'accept-language': browser.language,
        'x-forwarded-for': browser.ip,
        ...(cookie ? { cookie } : {}),
        ...options.headers,
      },
    })
    storeCookies(cookies, answer.headers['set-cookie'])
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
