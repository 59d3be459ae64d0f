import type { Db, ReadDb, Signals } from '../../db/open.ts'
import type { JobsTable } from '../../db/schema.ts'
import { toTime } from '../../db/values.ts'
import type { Clock } from '../../lib/clock.ts'
import { JOBS_CHANNEL, NO_PAYLOAD } from './jobs.ts'

/** Jobs as operators see them, and retrying a failed job. */
export type ListedJob = Pick<
  JobsTable,
  'id' | 'payload' | 'run_at' | 'attempts' | 'last_error' | 'created_at' | 'done_at' | 'failed_at'
>

const COLUMNS = ['id', 'payload', 'run_at', 'attempts', 'last_error', 'created_at', 'done_at', 'failed_at'] as const

/** Lists jobs of a kind that wait or have failed, newest first, before the id `before`. */
export async function listUnfinishedJobs(
  db: ReadDb,
  kind: string,
  { state, before, limit }: { state?: 'waiting' | 'failed' | undefined; before: string | undefined; limit: number },
): Promise<ListedJob[]> {
  let query = db.selectFrom('jobs').select(COLUMNS).where('kind', '=', kind).where('done_at', 'is', null)
  if (state) query = query.where('failed_at', state === 'failed' ? 'is not' : 'is', null)
  if (before !== undefined) query = query.where('id', '<', before)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}

/** Maximum number of jobs that are counted. */
const COUNTED = 1000

/** Counts jobs that wait or have failed, of a kind and of the others; stops at 1000. */
export async function countJobs(
  db: ReadDb,
  state: 'waiting' | 'failed',
  kind: string,
): Promise<{ ofKind: number; others: number }> {
  const rows = await db
    .selectFrom('jobs')
    .select('kind')
    .where('done_at', 'is', null)
    .where('failed_at', state === 'failed' ? 'is not' : 'is', null)
    .limit(COUNTED)
    .execute()
  const ofKind = rows.filter((row) => row.kind === kind).length
  return { ofKind, others: rows.length - ofKind }
}

export async function findJob(db: ReadDb, kind: string, id: string): Promise<ListedJob | undefined> {
  return await db.selectFrom('jobs').select(COLUMNS).where('id', '=', id).where('kind', '=', kind).executeTakeFirst()
}

/**
 * Makes a failed job wait again, or a waiting one due at once. Returns false when it is done, running or without its
 * payload. `attempts` is not reset, because it also shows which runner owns the job.
 */
export async function retryJob(
  deps: { db: Db; clock: Clock; signals: Pick<Signals, 'announce'> },
  kind: string,
  id: string,
): Promise<boolean> {
  const now = toTime(deps.clock.now())
  const result = await deps.db
    .updateTable('jobs')
    .set((e) => ({
      run_at: now,
      failed_at: null,
      locked_until: null,
      // The 24 hours of attempts begin again; otherwise the first attempt would be the last.
      created_at: e.case().when('failed_at', 'is not', null).then(now).else(e.ref('created_at')).end(),
    }))
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where('payload', '!=', NO_PAYLOAD)
    .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', now)]))
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await deps.signals.announce(JOBS_CHANNEL, kind)
  return true
}
