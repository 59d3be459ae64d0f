import type { Signals, Statement } from '../../db/open.ts'
import type { Id } from '../../lib/ids.ts'
import { insertJob, JOBS_CHANNEL, type Job, type NewJobDeps, newJob } from './jobs.ts'

/** A job that this process has claimed when it inserted it. */
export interface OwnJob {
  job: Job
  /** Passed to the handler instead of the stored payload, such as a mail that is not encrypted. */
  payload: unknown
  /** `performance.now()` of the claim. */
  claimed: number
}

/** Claims jobs for a runner of this process as they are inserted. */
export interface OwnRunner {
  /** Seconds of the lease; undefined when it has no time for a job of this kind now. */
  leaseFor(kind: string): number | undefined
  take(own: OwnJob): void
}

/**
 * Jobs that the runner of this process claims as they are inserted, which saves the statement that claims them and its commit. To all other
 * runners they are claimed: they take them over when the lease ends, because this process is then dead or stuck (decision 0049).
 */
export class OwnJobs {
  #runner: OwnRunner | undefined

  /** Until `disconnect`, the runner gets the jobs. */
  connect(runner: OwnRunner): void {
    this.#runner = runner
  }

  disconnect(): void {
    this.#runner = undefined
  }

  /** Seconds for which the process claims the job that it inserts; undefined when any runner may claim it. */
  leaseFor(kind: string): number | undefined {
    return this.#runner?.leaseFor(kind)
  }

  /** Runs a job that was inserted with the lease of `leaseFor`, after the commit. When the runner has stopped, others take it over. */
  run(own: OwnJob): void {
    this.#runner?.take(own)
  }
}

/**
 * `enqueue` as a statement of `GuardedWrites`. After the commit the caller calls `committed`: this process runs the job at once if its runner has
 * time, and has then claimed it with the insertion.
 *
 * @param decrypted what the handler gets in this process instead of the stored payload, which it would have to decrypt
 */
export function jobStatement(
  deps: NewJobDeps & { ownJobs: OwnJobs; signals: Pick<Signals, 'tell'> },
  kind: string,
  payload: unknown,
  { id, decrypted }: { id: Id; decrypted: unknown },
): { write: Statement; committed(): void } {
  const lease = deps.ownJobs.leaseFor(kind)
  const row = newJob(deps, kind, payload, { id, lease })
  const claimed = performance.now()
  return {
    write: insertJob.with(row),
    committed() {
      // Others look for jobs from time to time, in case that this process cannot run it.
      if (lease === undefined) deps.signals.tell(JOBS_CHANNEL, kind)
      else deps.ownJobs.run({ job: { ...row, id }, payload: decrypted, claimed })
    },
  }
}
