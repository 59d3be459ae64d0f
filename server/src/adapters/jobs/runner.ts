import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { Problem } from '@vrata/contract'
import { isUnavailable } from '../../db/dialect.ts'
import type { Store } from '../../db/open.ts'
import { inSmallSteps } from '../../db/transactions/small-steps.ts'
import { timeAfter } from '../../db/values.ts'
import type { Clock } from '../../lib/clock.ts'
import { type JobOutcome, type Meter, noMeter } from '../../lib/meter.ts'
import type { Tracing } from '../../lib/tracing.ts'
import {
  claimJobs,
  extendLease,
  JOBS_CHANNEL,
  type Job,
  jobsDone,
  markJobFailed,
  releaseJob,
  rescheduleJob,
} from './jobs.ts'
import { openLane } from './lane.ts'
import type { OwnJob, OwnJobs } from './own-jobs.ts'
import { pruneFailedPayloads, pruneJobs } from './prune-jobs.ts'

/** Handles one job. Throws to be called again later, `GiveUp` to fail for good. */
export type JobHandler = (payload: unknown, job: Job, signal: AbortSignal) => Promise<void>

/** A retry cannot succeed: the address does not exist, or the time has passed. The message is stored and logged. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}

/** A retry may succeed. The message is stored and logged, so it contains nothing of the payload. */
export class TryAgain extends Error {
  override name = 'TryAgain'
}

/** Receives failed attempts. */
export interface JobLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface JobRunner {
  /** Runs everything that is due and resolves when it is done; for tests and before the process ends. */
  runDue(): Promise<void>
  /** Claims no further jobs, waits for the running ones, and cuts off those that take long; another server then tries them at once. */
  stop(): Promise<void>
}

export type RunnerOptions = {
  store: Pick<Store, 'db' | 'withNextCommit' | 'signals'>
  clock: Clock
  handlers: Record<string, JobHandler>
  log: JobLog
  meter?: Pick<Meter, 'job' | 'jobKind'>
  tracing?: Pick<Tracing, 'job'> | undefined
  /** Kinds whose payload is kept when they fail, so that operators can have them tried again. */
  keep?: readonly string[]
  /** Kinds that are tried until they succeed, because nothing else does what they do. */
  untilDone?: readonly string[]
  /** Jobs that this runner claims as this process inserts them; only with `poll`. */
  own?: OwnJobs
  /** When false, jobs run only by `runDue`. */
  poll?: boolean
  /** Groups of kinds that may take long; they delay only jobs of their group. */
  apart?: readonly (readonly string[])[]
  /** Seconds after which an attempt is aborted. */
  patience?: number
  /** Seconds after which another runner may claim a job, unless this one extends the lease. */
  lease?: number
  /** Seconds for which running jobs may go on when the runner stops. */
  grace?: number
}

/** Seconds. With `POLL`, jobs of a killed process are taken over within 15 seconds. */
const LEASE = 10
const TRY = 60
const POLL = 5
const GRACE = 3
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 15 * 60
const PATIENCE = 24 * 60 * 60
/** Attempts, over half an hour, that a job has at least: for much of its day no server may have run. */
const LEAST_ATTEMPTS = 10
/** Seconds for which jobs that are done are marked again while the database is away, and milliseconds between two attempts. */
const MARK = { patience: 60, again: 500 }

/** Seconds until the next attempt: 5, 10, 20 … and at most 15 minutes (security §20.5). */
export function retryDelay(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1))
}

/** Runs jobs as they are queued by this process or another one. */
export function startJobs(options: RunnerOptions): JobRunner {
  const { store, clock, handlers, log, poll = true, apart = [], patience = TRY, lease = LEASE } = options
  const { meter = noMeter, tracing, keep = [], untilDone = [], grace = GRACE } = options
  const stopping = new AbortController()
  const cutting = new AbortController()
  const kinds = Object.keys(handlers)
  const stop = stopping.signal
  for (const kind of kinds) meter.jobKind(kind)
  const groupOf = (kind: string) => 1 + apart.findIndex((group) => group.includes(kind))
  const lanes = [[], ...apart].map((_, index) => {
    const own = kinds.filter((kind) => groupOf(kind) === index)
    return openLane({
      claim: async (most) => (own.length > 0 ? await claimJobs(store.db, own, clock.now(), most, lease) : []),
      attempt,
      markDone,
      isMine: ({ claimed }) => performance.now() - claimed < (lease * 1000) / 3,
      stopping: stop,
      report: (error) => report(error),
    })
  })
  const laneOf = (kind: string) => lanes[groupOf(kind)]
  const wake = async () => void (await Promise.all(lanes.map((one) => one.run())))

  /** Resolves when the handler has ended, with true when the job is done. */
  async function attempt({ job, payload }: { job: Job; payload?: unknown }): Promise<boolean> {
    const about = { job: job.id, kind: job.kind, attempts: job.attempts }
    const over = new AbortController()
    let lost = false
    const start = performance.now()
    const count = (outcome: JobOutcome) => meter.job(job.kind, outcome, (performance.now() - start) / 1000)
    const taken = () => {
      lost = true
      over.abort()
    }
    const extending = setInterval(() => void extend(job, taken), (lease * 1000) / 3).unref()
    // Not `AbortSignal.timeout`, which stays for the whole time of each attempt that has long ended.
    const late = setTimeout(() => over.abort(new DOMException('Too late', 'TimeoutError')), patience * 1000).unref()
    try {
      const signal = AbortSignal.any([cutting.signal, over.signal])
      const run = async () => handlers[job.kind]?.(payload ?? JSON.parse(job.payload), job, signal)
      await Promise.race([tracing ? tracing.job(job.kind, job.traceparent, run) : run(), cutOff(over.signal)])
    } catch (error) {
      const isCutOff = cutting.signal.aborted && !(error instanceof GiveUp)
      count(lost ? 'lost' : isFinal(job, error) && !isCutOff ? 'failed' : 'retried')
      if (lost) log.warn(about, 'another runner has taken the job over')
      // An interrupted job does not count as failed: another server, or the next start, tries it at once.
      else if (isCutOff) await releaseJob(store.db, job)
      else await failed(job, error, about)
      return false
    } finally {
      clearInterval(extending)
      clearTimeout(late)
    }
    count('done')
    return true
  }

  const finished: Job[] = []
  let marking: Promise<void> | undefined

  /** Jobs that are done in the same turn of the event loop are marked together. */
  function markDone(job: Job): Promise<void> {
    finished.push(job)
    marking ??= nextTurn().then(() => {
      marking = undefined
      return markUntilStored(finished.splice(0))
    })
    return marking
  }

  /**
   * A job that is not marked is done again. While the database does not answer, as during a failover, or refuses statements, marking is repeated
   * before other runners look for jobs whose lease has ended; at the end of the server for as long as running jobs may take.
   */
  async function markUntilStored(jobs: readonly Job[]): Promise<void> {
    const { signal } = cutting
    const until = performance.now() + MARK.patience * 1000
    for (;;) {
      try {
        const done = jobsDone(jobs, clock.now())
        if (poll) await store.withNextCommit(done)
        // `runDue` resolves after this mark, so it does not wait for other commits.
        else await store.db.executeQuery(done.compiled(store.db))
        return
      } catch (error) {
        const mayPass = isUnavailable(error) || (error instanceof Problem && error.code === 'unavailable')
        if (!mayPass || signal.aborted || performance.now() > until) throw error
        await pause(MARK.again, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** While the database is unavailable the lease is extended as soon as it answers, unless it has ended by then. */
  async function extend(job: Job, taken: () => void): Promise<void> {
    try {
      if (!(await extendLease(store.db, job, timeAfter(clock.now(), lease)))) taken()
    } catch (error) {
      log.warn({ job: job.id, error: String(error) }, 'the lease of a job could not be extended')
    }
  }

  function nextAttempt(job: Job): Date {
    return new Date(clock.now().getTime() + retryDelay(job.attempts) * 1000)
  }

  /** A retry cannot succeed, or would be too late. */
  function isFinal(job: Job, error: unknown): boolean {
    if (error instanceof GiveUp) return true
    if (job.attempts < LEAST_ATTEMPTS) return false
    return !untilDone.includes(job.kind) && nextAttempt(job).getTime() > Date.parse(job.created_at) + PATIENCE * 1000
  }

  async function failed(job: Job, error: unknown, about: object): Promise<void> {
    const text = describe(error)
    const next = nextAttempt(job)
    if (isFinal(job, error)) {
      log.error({ ...about, error: text }, 'a job has failed for good')
      await markJobFailed(store.db, job, clock.now(), text, keep.includes(job.kind))
    } else {
      log.warn({ ...about, error: text, run_at: next.toISOString() }, 'a job will be tried again')
      await rescheduleJob(store.db, job, clock.now(), next, text)
    }
  }

  /** The database may be unavailable; claimed jobs become free when their lease ends. */
  const report = (error: unknown) => log.warn({ error: String(error) }, 'jobs cannot be read')
  const inBackground = () => void wake().catch(report)

  /** A queued job wakes its own lane; a signal without a kind, all. */
  const queued = (kind?: string) => {
    const lane = kind === undefined ? undefined : laneOf(kind)
    if (lane) lane.queued()
    else inBackground()
  }
  const ownRunner = {
    leaseFor: (kind: string) => (kind in handlers && laneOf(kind)?.hasTime ? lease : undefined),
    take: (one: OwnJob) => laneOf(one.job.kind)?.take(one),
  }
  if (poll) options.own?.connect(ownRunner)
  const stopListening = poll ? store.signals.on(JOBS_CHANNEL, queued) : () => {}
  const polling = poll ? setInterval(inBackground, POLL * 1000).unref() : undefined
  const tidy = async () => {
    await pruneFailedPayloads(store.db, clock.now())
    await inSmallSteps(store.db, async (most) => (stop.aborted ? 0 : await pruneJobs(store.db, clock.now(), most)))
  }
  let isTidying = false
  const tidyOnce = async () => {
    if (isTidying) return
    isTidying = true
    await tidy().catch((error) => log.warn({ error: String(error) }, 'old jobs stay'))
    isTidying = false
  }
  const tidying = poll ? setInterval(() => void tidyOnce(), 60_000).unref() : undefined
  if (poll) inBackground()

  return {
    runDue: wake,
    async stop() {
      options.own?.disconnect()
      stopListening()
      clearInterval(polling)
      clearInterval(tidying)
      stopping.abort()
      const left = lanes.flatMap((one) => one.leave())
      const released = Promise.all(left.map(({ job }) => releaseJob(store.db, job))).catch(report)
      // A mail that is cut off may have been sent, and is sent again.
      const late = setTimeout(() => cutting.abort(), grace * 1000)
      await wake().catch(() => {})
      clearTimeout(late)
      await released
    },
  }
}

/** Rejects on abort: a handler that ignores the signal must not block the queue. */
function cutOff(over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => over.addEventListener('abort', () => reject(over.reason), { once: true }))
}

/** Errors of others are described by their codes only: texts of mail servers contain addresses (security §16.2.1). */
function describe(error: unknown): string {
  if (error instanceof GiveUp || error instanceof TryAgain) return error.message
  if (!(error instanceof Error)) return 'unknown error'
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return [
    typeof code === 'string' ? code : error.name,
    ...(typeof responseCode === 'number' ? [responseCode] : []),
  ].join(' ')
}
