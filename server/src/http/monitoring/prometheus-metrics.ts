import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countDueJobs } from '../../adapters/jobs/jobs.ts'
import { findSetting, LAST_BACKUP } from '../../db/settings.ts'
import { VERSION } from '../../version.ts'
import type { Metrics, Watched } from './metrics.ts'

/** Upper bounds in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const JOB_SECONDS = [0.05, 0.25, 1, 5, 15, 60]

/** Metrics in the text format of Prometheus. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vrata_' })
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `vrata_${name}`, help, labelNames, registers })
  const seconds = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name: `vrata_${name}`, help, labelNames, buckets, registers })

  const requests = counter('requests_total', 'Answered requests.', ['method', 'route', 'status'])
  const requestSeconds = seconds(
    'request_seconds',
    'Time from a request to its answer.',
    ['method', 'route'],
    REQUEST_SECONDS,
  )
  const signIns = counter('sign_ins_total', 'Attempts to sign in.', ['method', 'result'])
  const grants = counter('grants_total', 'Answers of the token endpoint.', ['grant_type', 'result'])
  const tokens = counter('tokens_total', 'Stored tokens and codes.', ['kind'])
  const jobs = counter('jobs_total', 'Attempts to run a job.', ['kind', 'outcome'])
  const jobSeconds = seconds('job_seconds', 'Time of an attempt to run a job.', ['kind'], JOB_SECONDS)
  const mails = counter('mails_total', 'Attempts to send a mail.', ['type', 'outcome'])
  new Gauge({ name: 'vrata_info', help: 'The running version.', labelNames: ['version'], registers }).set(
    { version: VERSION },
    1,
  )

  return {
    request(method, route, status, duration) {
      requests.inc({ method, route, status })
      requestSeconds.observe({ method, route }, duration)
    },
    signIn: (method, result) => signIns.inc({ method, result }),
    grant: (grant_type, result) => grants.inc({ grant_type, result }),
    token: (kind) => tokens.inc({ kind }),
    job(kind, outcome, duration) {
      jobs.inc({ kind, outcome })
      jobSeconds.observe({ kind }, duration)
    },
    jobKind: (kind) => jobs.inc({ kind, outcome: 'failed' }, 0),
    mail: (type, outcome) => mails.inc({ type, outcome }),
    watch: (watched) => watch(registry, watched),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function watch(registry: Registry, { store, health, sockets, clock }: Watched): void {
  const registers = [registry]
  new Gauge({
    name: 'vrata_ready',
    help: 'Whether /readyz answers 200.',
    registers,
    async collect() {
      this.set((await health.problems()).length === 0 ? 1 : 0)
    },
  })
  new Gauge({
    name: 'vrata_signals_missing_seconds',
    help: 'Seconds for which nothing that other servers announce has arrived; 0 while it does.',
    registers,
    collect() {
      this.set(store.signals.missing)
    },
  })
  new Gauge({
    name: 'vrata_sockets',
    help: 'Open realtime sockets.',
    registers,
    collect() {
      this.set(sockets.count())
    },
  })
  new Gauge({
    name: 'vrata_database_operations',
    help: 'Statements and transactions in progress or waiting for a connection.',
    registers,
    collect() {
      this.set(store.load().operations)
    },
  })
  new Gauge({ name: 'vrata_database_connections', help: 'Size of the connection pool.', registers }).set(
    store.load().connections,
  )
  const reading = shared(() => readDatabase({ store, clock }))
  new Gauge({
    name: 'vrata_jobs_due',
    help: 'Jobs that should have begun.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset()
      for (const { kind, count } of (await reading())?.due ?? []) this.set({ kind }, count)
    },
  })
  gauge('oldest_due_job_seconds', 'Age of the oldest job that should have begun.', (read) => read.oldest)
  gauge('last_backup_timestamp_seconds', 'When `vrata backup` last completed a file; 0: never.', (read) => read.backup)
  new Gauge({
    name: 'vrata_database_up',
    help: 'Whether the database answers.',
    registers,
    async collect() {
      this.set((await reading()) ? 1 : 0)
    },
  })

  /** Without a value while the database does not answer. */
  function gauge(name: string, help: string, pick: (read: DatabaseReading) => number): void {
    new Gauge({
      name: `vrata_${name}`,
      help,
      registers,
      async collect() {
        const read = await reading()
        if (read) this.set(pick(read))
        else this.remove()
      },
    })
  }
}

type DatabaseReading = { due: { kind: string; count: number }[]; oldest: number; backup: number }

/** Undefined when the database does not answer. */
async function readDatabase({ store, clock }: Pick<Watched, 'store' | 'clock'>): Promise<DatabaseReading | undefined> {
  try {
    const now = clock.now()
    const [due, last] = await Promise.all([countDueJobs(store.read, now), findSetting(store.read, LAST_BACKUP)])
    const ages = due.map(({ since }) => (now.getTime() - Date.parse(since)) / 1000)
    return { due, oldest: Math.max(0, ...ages), backup: last === undefined ? 0 : Date.parse(last) / 1000 }
  } catch {
    return undefined
  }
}

/** The gauges of one request for the metrics share one reading. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read().finally(() => {
      running = undefined
    })
    return running
  }
}
