import type { Db, ReadDb, Signals } from '../../db/open.ts'
import { timeAfter, toJson, toTime } from '../../db/values.ts'
import type { Clock } from '../clock.ts'
import { type Id, newId } from '../ids.ts'

/**
 * Work that leaves the process, kept in a table: it is written in the transaction of what it is about, so that both
 * happen or neither, and tried until it is done or has visibly failed (decision 0014).
 */
export interface Job {
  id: Id
  kind: string
  payload: string
  /** Which try this is, from 1. Also tells a late runner that another one has taken over. */
  attempts: number
  created_at: string
}

/** What a rule needs to leave a job behind; its `Deps` have all of it. */
export type JobDesk = { db: Db; clock: Clock; signals: Pick<Signals, 'announce'> }

/** Wakes the runners once the transaction has committed. */
export const JOBS_CHANNEL = 'jobs'

/** Writes a job into the caller's transaction; it runs as soon as that has committed. */
export async function enqueue(desk: JobDesk, kind: string, payload: unknown, id = newId(desk.clock)): Promise<Id> {
  const now = toTime(desk.clock.now())
  const row = { id, kind, payload: toJson(payload), run_at: now, attempts: 0, created_at: now }
  await desk.db.insertInto('jobs').values(row).execute()
  await desk.signals.announce(JOBS_CHANNEL, kind)
  return id
}

/**
 * Takes up to `most` due jobs of these kinds for `lease` seconds: nobody else gets them meanwhile, and everybody may once
 * the lease has run out, because then this process is dead or stuck.
 */
export async function claim(db: Db, kinds: string[], now: Date, most: number, lease: number): Promise<Job[]> {
  const rows = await db
    // A statement of its own inside the statement: joined with the update, PostgreSQL might lock more rows than it takes.
    .with('due', (read) =>
      read
        .selectFrom('jobs')
        .select('id')
        .where('kind', 'in', kinds)
        .where('done_at', 'is', null)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', toTime(now))
        .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', toTime(now))]))
        .orderBy('run_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('jobs')
    .set((eb) => ({ locked_until: timeAfter(now, lease), attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
    .returning(['id', 'kind', 'payload', 'attempts', 'created_at'])
    .execute()
  return rows as Job[]
}

/** The jobs of a kind that are neither done nor given up, in the order in which they were written. */
export async function waiting(db: ReadDb, kind: string): Promise<Pick<Job, 'id' | 'payload'>[]> {
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

/** Done. What it carried is forgotten; it may have held a link that still works. */
export function markDone(db: Db, job: Job, now: Date): Promise<void> {
  return settle(db, job, { done_at: toTime(now), payload: '{}', locked_until: null, last_error: null })
}

export function tryAgain(db: Db, job: Job, at: Date, error: string): Promise<void> {
  return settle(db, job, { run_at: toTime(at), locked_until: null, last_error: error })
}

/** Given up, and kept for somebody to look at. */
export function markFailed(db: Db, job: Job, now: Date, error: string): Promise<void> {
  return settle(db, job, { failed_at: toTime(now), locked_until: null, last_error: error })
}

type Change = { [K in 'done_at' | 'failed_at' | 'payload' | 'run_at' | 'locked_until' | 'last_error']?: string | null }

/** Only while the job is still ours: `attempts` grows when another runner takes it. */
async function settle(db: Db, job: Job, change: Change): Promise<void> {
  await db
    .updateTable('jobs')
    .set(change as { payload: string })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('done_at', 'is', null)
    .execute()
}

/** Forgets done jobs that are older than `before`, at most `most` at once; answers how many. */
export async function prune(db: Db, before: Date, most: number): Promise<number> {
  const old = db.selectFrom('jobs').select('id').where('done_at', '<', toTime(before)).limit(most)
  const gone = await db.deleteFrom('jobs').where('id', 'in', old).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
