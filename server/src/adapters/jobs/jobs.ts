import { prepare } from '../../db/compiled-queries/prepare.ts'
import { beginsWith } from '../../db/dialect.ts'
import type { Db, ReadDb, Signals, Statement } from '../../db/open.ts'
import { timeAfter, toJson, toTime } from '../../db/values.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Id, newId } from '../../lib/ids.ts'

/**
 * Background work in a table. A job is inserted by the transaction that causes it, and retried until it succeeds or has
 * visibly failed (decision 0049).
 */
export interface Job {
  id: Id
  kind: string
  payload: string
  /** Number of this attempt, from 1. Also shows whether another runner has taken the job over. */
  attempts: number
  /** When it was queued; of a job that was to run later, when it was due first; once an attempt has failed, when the first one did. */
  created_at: string
  /** The span that has queued it; null without traces. */
  traceparent: string | null
}

/** Dependencies of a rule that queues a job; `TransactionDeps` has all of them. */
export type JobQueueDeps = {
  db: Db
  clock: Clock
  signals: Pick<Signals, 'announce'>
  /** The current span; without it, jobs have no link to what has queued them. */
  traceparent?: () => string | undefined
}
export type NewJobDeps = Pick<JobQueueDeps, 'clock' | 'traceparent'>

/** Wakes the runners after the commit. */
export const JOBS_CHANNEL = 'jobs'

type NewJob = { [C in 'id' | 'kind' | 'payload' | 'run_at' | 'created_at']: string } & {
  attempts: number
  locked_until: string | null
  traceparent: string | null
}

export const insertJob = prepare((db, row: NewJob) =>
  db.insertInto('jobs').values({
    id: row.id,
    kind: row.kind,
    payload: row.payload,
    run_at: row.run_at,
    attempts: row.attempts,
    locked_until: row.locked_until,
    created_at: row.created_at,
    traceparent: row.traceparent,
  }),
)

/** Queues a job in the caller's transaction; it runs after the commit, or from `run_at` (ISO time) on. */
export async function enqueue(
  deps: JobQueueDeps,
  kind: string,
  payload: unknown,
  { id = newId(deps.clock), run_at }: { id?: Id; run_at?: string } = {},
): Promise<Id> {
  await insertJob.changed(deps.db, newJob(deps, kind, payload, { id, run_at }))
  await deps.signals.announce(JOBS_CHANNEL, kind)
  return id
}

/** `lease`: seconds for which the process that inserts the job claims it; without it, any runner may claim it. */
export function newJob(
  { clock, traceparent }: NewJobDeps,
  kind: string,
  payload: unknown,
  { id, run_at, lease }: { id: Id; run_at?: string | undefined; lease?: number | undefined },
): NewJob {
  const time = clock.now()
  const now = toTime(time)
  return {
    id,
    kind,
    payload: toJson(payload),
    run_at: run_at ?? now,
    attempts: lease === undefined ? 0 : 1,
    locked_until: lease === undefined ? null : timeAfter(time, lease),
    // The day in which it is tried begins when it is due.
    created_at: run_at ?? now,
    traceparent: traceparent?.() ?? null,
  }
}

/** Prepared for each list of kinds. */
const claims = new Map<string, ReturnType<typeof claimOf>>()

function claimOf(kinds: readonly string[], most: number) {
  return prepare((db, { now, locked_until }: { now: string; locked_until: string }) =>
    db
      // A separate subquery: joined with the update, PostgreSQL could lock more rows than it claims.
      .with('due', (read) =>
        read
          .selectFrom('jobs')
          .select('id')
          .where('kind', 'in', kinds)
          .where('done_at', 'is', null)
          .where('failed_at', 'is', null)
          .where('run_at', '<=', now)
          .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', now)]))
          .orderBy('run_at')
          .limit(most)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('jobs')
      .set((eb) => ({ locked_until, attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
      .returning(['id', 'kind', 'payload', 'attempts', 'created_at', 'traceparent']),
  )
}

/**
 * Claims up to `most` due jobs of these kinds for `lease` seconds. After the lease another runner may claim them,
 * because this process is then dead or stuck.
 */
export async function claimJobs(
  db: Db,
  kinds: readonly string[],
  now: Date,
  most: number,
  lease: number,
): Promise<Job[]> {
  const key = `${most} ${kinds.join()}`
  const claim = claims.get(key) ?? claimOf(kinds, most)
  claims.set(key, claim)
  return (await claim.rows(db, { now: toTime(now), locked_until: timeAfter(now, lease) })) as Job[]
}

/** Extends the lease of a claimed job. Returns false when another runner has taken the job over. */
export async function extendLease(db: Db, job: Job, until: string): Promise<boolean> {
  const result = await db
    .updateTable('jobs')
    .set({ locked_until: until })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('locked_until', 'is not', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Jobs of a kind that are neither done nor failed, oldest first. */
export async function listWaitingJobs(db: ReadDb, kind: string): Promise<Pick<Job, 'id' | 'payload'>[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows as Pick<Job, 'id' | 'payload'>[]
}

/** A job that is neither done nor failed, also one that runs. */
export async function findWaitingJob(db: ReadDb, id: string): Promise<Pick<Job, 'id' | 'payload'> | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  return row as Pick<Job, 'id' | 'payload'> | undefined
}

/** Jobs that should have begun, by kind, and the time of the oldest. */
export async function countDueJobs(db: ReadDb, now: Date): Promise<{ kind: string; count: number; since: string }[]> {
  const rows = await db
    .selectFrom('jobs')
    .select((e) => ['kind', e.fn.countAll<number>().as('count'), e.fn.min('run_at').as('since')])
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('run_at', '<=', toTime(now))
    .groupBy('kind')
    .execute()
  return rows.map(({ kind, count, since }) => ({ kind, count: Number(count), since: String(since) }))
}

/** Up to `most` jobs of a kind that wait or have failed and still have their payload, after the id `after`, oldest first. */
export async function listKeptJobs(
  db: ReadDb,
  kind: string,
  after: string,
  most: number,
): Promise<Pick<Job, 'id' | 'payload'>[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where('payload', '!=', NO_PAYLOAD)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows as Pick<Job, 'id' | 'payload'>[]
}

/** Replaces the payload of a job that is not done and has one. */
export async function updatePayload(db: Db, id: string, payload: unknown): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ payload: toJson(payload) })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .where('payload', '!=', NO_PAYLOAD)
    .execute()
}

/** Takes the payload from jobs of a kind that are neither done nor failed and whose payload begins with a text. */
export async function emptyPayloads(db: Db, kind: string, beginning: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ payload: NO_PAYLOAD })
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where(beginsWith(db, 'payload', beginning))
    .execute()
}

/** The payload that is kept of a job that has ended. */
export const NO_PAYLOAD = '{}'

/** Prepared for each number of jobs. */
const dones = new Map<number, ReturnType<typeof doneOf>>()

function doneOf(count: number) {
  return prepare((db, params: Record<string, string | number>) =>
    db
      .updateTable('jobs')
      .set({ done_at: params.now as string, payload: NO_PAYLOAD, locked_until: null, last_error: null })
      .where((e) =>
        e.or(
          Array.from({ length: count }, (_, i) =>
            e.and([e('id', '=', params[`id_${i}`] as string), e('attempts', '=', params[`attempts_${i}`] as number)]),
          ),
        ),
      )
      .where('done_at', 'is', null),
  )
}

/** Marks jobs as done, those that this runner still owns, and deletes their payloads, which may contain a valid link. */
export function jobsDone(jobs: readonly Job[], now: Date): Statement {
  const done = dones.get(jobs.length) ?? doneOf(jobs.length)
  dones.set(jobs.length, done)
  const params = jobs.flatMap(({ id, attempts }, i) => [
    [`id_${i}`, id],
    [`attempts_${i}`, attempts],
  ])
  return done.with({ now: toTime(now), ...Object.fromEntries(params) })
}

/** Lets any runner claim the job at once. */
export function releaseJob(db: Db, job: Job): Promise<void> {
  return updateClaimedJob(db, job, { locked_until: null })
}

/** Sets the time of the next attempt, and stores the error code of the failed one. */
export function rescheduleJob(db: Db, job: Job, now: Date, at: Date, error: string): Promise<void> {
  // The day in which it is tried begins with the first attempt: no server may have run before.
  const first = job.attempts === 1 ? { created_at: toTime(now) } : {}
  return updateClaimedJob(db, job, { run_at: toTime(at), locked_until: null, last_error: error, ...first })
}

/**
 * Marks a job as failed for good; the row stays for 30 days, for the operator to inspect. The payload is deleted, unless it
 * is kept for another attempt, for 7 days.
 */
export function markJobFailed(db: Db, job: Job, now: Date, error: string, keep = false): Promise<void> {
  const payload = keep ? {} : { payload: NO_PAYLOAD }
  return updateClaimedJob(db, job, { failed_at: toTime(now), ...payload, locked_until: null, last_error: error })
}

type Change = {
  [K in 'created_at' | 'failed_at' | 'payload' | 'run_at' | 'locked_until' | 'last_error']?: string | null
}

/** Only while this runner owns the job: `attempts` grows when another runner claims it. */
async function updateClaimedJob(db: Db, job: Job, change: Change): Promise<void> {
  await db
    .updateTable('jobs')
    .set(change as { payload: string })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('done_at', 'is', null)
    .execute()
}
