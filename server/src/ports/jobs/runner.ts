import type { Store } from '../../db/open.ts'
import type { Clock } from '../clock.ts'
import { claim, JOBS_CHANNEL, type Job, markDone, markFailed, prune, tryAgain } from './jobs.ts'

/** Does one job. Throwing means "later again"; throwing `GiveUp` means "never". */
export type JobHandler = (payload: unknown, job: Job, signal: AbortSignal) => Promise<void>

/** Trying again would not help: the address does not exist, the time has passed. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}

/** Told of tries that failed. The text is for an operator and holds nothing of what the job carries. */
export interface JobLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface JobRunner {
  /** Does everything that is due now and resolves when it is done; for tests, and before a process ends. */
  runDue(): Promise<void>
  /** Takes nothing new, waits for what is under way. */
  stop(): Promise<void>
}

export type RunnerOptions = {
  store: Pick<Store, 'db' | 'signals'>
  clock: Clock
  handlers: Record<string, JobHandler>
  log: JobLog
  /** Without it, jobs run only by `runDue`. */
  poll?: boolean
  /** Kinds that wait for other people's servers, however slow those choose to be: they hold up nothing but each other. */
  apart?: readonly string[]
  /** Seconds after which a try is cut off. */
  patience?: number
}

const AT_ONCE = 5
/** Seconds. A try is cut off well before somebody else may take the job. */
const LEASE = 90
const TRY = 60
const POLL = 5
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 15 * 60
const PATIENCE = 24 * 60 * 60
const KEEP_DONE = 7 * 24 * 60 * 60
const PRUNED_AT_ONCE = 500

/** Seconds until the next try: 5, 10, 20 … and at most 15 minutes (security.md F5). */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1))
}

/** Starts to do jobs as they are written, by this process or another one. */
export function startJobs(options: RunnerOptions): JobRunner {
  const { store, clock, handlers, log, poll = true, apart = [], patience = TRY } = options
  const stopping = new AbortController()
  const kinds = Object.keys(handlers)
  const lanes = [kinds.filter((kind) => !apart.includes(kind)), kinds.filter((kind) => apart.includes(kind))].map(lane)
  const wake = async () => void (await Promise.all(lanes.map((one) => one())))

  /** Wakes the work of these kinds; settles when all that is due of it is done. */
  function lane(own: string[]): () => Promise<void> {
    let round: Promise<void> | undefined
    let again = false
    const rounds = async () => {
      do {
        again = false
        const jobs = await claim(store.db, own, clock.now(), AT_ONCE, LEASE)
        await Promise.all(jobs.map(attempt))
        if (jobs.length === AT_ONCE) again = true
      } while (again && !stopping.signal.aborted)
    }
    return () => {
      if (stopping.signal.aborted || own.length === 0) return round ?? Promise.resolve()
      again = true
      round ??= rounds().finally(() => {
        round = undefined
      })
      return round
    }
  }

  async function attempt(job: Job): Promise<void> {
    const about = { job: job.id, kind: job.kind, attempts: job.attempts }
    try {
      const late = AbortSignal.timeout(patience * 1000)
      const signal = AbortSignal.any([stopping.signal, late])
      await Promise.race([handlers[job.kind]?.(JSON.parse(job.payload), job, signal), cutOff(late)])
    } catch (error) {
      await failed(job, error, about)
      return
    }
    await markDone(store.db, job, clock.now())
  }

  async function failed(job: Job, error: unknown, about: object): Promise<void> {
    const text = error instanceof Error ? error.message : String(error)
    const next = new Date(clock.now().getTime() + pauseAfter(job.attempts) * 1000)
    const end = new Date(job.created_at).getTime() + PATIENCE * 1000
    if (error instanceof GiveUp || next.getTime() > end) {
      log.error({ ...about, error: text }, 'a job has failed for good')
      await markFailed(store.db, job, clock.now(), text)
    } else {
      log.warn({ ...about, error: text, run_at: next.toISOString() }, 'a job will be tried again')
      await tryAgain(store.db, job, next, text)
    }
  }

  /** The database may be away; what was claimed is free again when its lease ends. */
  const inBackground = () => void wake().catch((error) => log.warn({ error: String(error) }, 'jobs cannot be read'))

  const stopListening = poll ? store.signals.on(JOBS_CHANNEL, inBackground) : () => {}
  const polling = poll ? setInterval(inBackground, POLL * 1000).unref() : undefined
  const tidy = () => prune(store.db, new Date(clock.now().getTime() - KEEP_DONE * 1000), PRUNED_AT_ONCE)
  const tidying = poll
    ? setInterval(
        () => void tidy().catch((error) => log.warn({ error: String(error) }, 'old jobs stay')),
        60_000,
      ).unref()
    : undefined
  if (poll) inBackground()

  return {
    runDue: wake,
    async stop() {
      stopListening()
      clearInterval(polling)
      clearInterval(tidying)
      stopping.abort()
      await wake().catch(() => {})
    },
  }
}

/** Rejects at the signal: a handler that does not listen to it must not hold up whatever waits behind it. */
function cutOff(late: AbortSignal): Promise<never> {
  return new Promise((_, reject) => late.addEventListener('abort', () => reject(late.reason), { once: true }))
}
