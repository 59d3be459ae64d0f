import type { Job } from './jobs.ts'
import type { OwnJob } from './own-jobs.ts'

/** Attempts at once. */
export const AT_ONCE = 5
/** Milliseconds between two rounds: jobs that are queued meanwhile are claimed together. The first job does not wait. */
const TOGETHER = 100
/** Most own jobs that wait, and milliseconds for which a round may last; beyond that, this process inserts jobs without claiming them. */
const OWN = { waiting: 20, round: 1000 }

/** Jobs of some kinds, apart from those of other kinds. */
export interface Lane {
  /** Resolves when all due jobs are handled. */
  run(): Promise<void>
  /** A job was queued: runs it soon, in the background. */
  queued(): void
  /** Whether it has time for a job that this process inserts now. */
  readonly hasTime: boolean
  /** The same as `queued`, of a job that is claimed already. */
  take(own: OwnJob): void
  /** Removes the own jobs that have not begun. */
  leave(): OwnJob[]
}

export interface LaneOptions {
  /** Claims up to so many jobs. */
  claim(most: number): Promise<Job[]>
  /** Resolves when the handler has ended, with true when it is done. */
  attempt(one: { job: Job; payload?: unknown }): Promise<boolean>
  markDone(job: Job): Promise<void>
  /** Whether the lease lasts until the attempt extends it. Otherwise it ends, and a runner takes the job over. */
  isMine(own: OwnJob): boolean
  stopping: AbortSignal
  /** Receives errors of what runs in the background. */
  report(error: unknown): void
}

/** Opens the queue of some kinds of jobs: `run` claims due jobs and runs up to `AT_ONCE` of them at the same time. */
export function openLane({ claim, attempt, markDone, isMine, stopping, report }: LaneOptions): Lane {
  let round: Promise<void> | undefined
  let began = Number.NEGATIVE_INFINITY
  /** Whether this round claims further jobs, and whether the next one does. */
  let look = false
  let lookLater = false
  /** Own jobs of the round, and of the next one. */
  const waiting: OwnJob[] = []
  const gathered: OwnJob[] = []
  let later: NodeJS.Timeout | undefined
  let wasOwn = false

  /** The next jobs: alternately own jobs and claimed ones. */
  const next = async () => {
    wasOwn = waiting.length > 0 && !(look && wasOwn)
    if (wasOwn) return waiting.splice(0, AT_ONCE).filter(isMine)
    if (!look) return []
    look = false
    const jobs = await claim(AT_ONCE)
    if (jobs.length === AT_ONCE) look = true
    return jobs.map((job) => ({ job }))
  }
  const hasMore = () => (look || waiting.length > 0) && !stopping.aborted
  /** Rejects with the first error once nothing of it is under way any more; an error of one job leaves the others alone. */
  const rounds = async () => {
    const errors: unknown[] = []
    const failed = (error: unknown) => void errors.push(error)
    const marks: Promise<void>[] = []
    const handle = async (one: { job: Job; payload?: unknown }) => {
      if (await attempt(one)) marks.push(markDone(one.job).catch(failed))
    }
    do {
      do {
        began = performance.now()
        const jobs = await next().catch(failed)
        await Promise.all((jobs ?? []).map((one) => handle(one).catch(failed)))
      } while (hasMore())
      await Promise.all(marks.splice(0))
      // Others may have been queued while the jobs were marked.
    } while (hasMore())
    round = undefined
    if (errors.length > 0) throw errors[0]
  }
  const begin = () => {
    clearTimeout(later)
    later = undefined
    if (stopping.aborted) return round ?? Promise.resolve()
    look ||= lookLater
    lookLater = false
    waiting.push(...gathered.splice(0))
    round ??= rounds()
    return round
  }
  const beginSoon = () => {
    const start = () => void begin().catch(report)
    const wait = began + TOGETHER - performance.now()
    if (wait <= 0) start()
    else later ??= setTimeout(start, wait).unref()
  }
  return {
    run() {
      lookLater = true
      return begin()
    },
    queued() {
      lookLater = true
      beginSoon()
    },
    get hasTime() {
      const isLate = round !== undefined && performance.now() - began > OWN.round
      return !isLate && waiting.length + gathered.length < OWN.waiting
    },
    take(own) {
      gathered.push(own)
      beginSoon()
    },
    leave: () => [...waiting.splice(0), ...gathered.splice(0)],
  }
}
