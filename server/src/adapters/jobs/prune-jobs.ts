import type { Db } from '../../db/open.ts'
import { timeAfter } from '../../db/values.ts'
import { NO_PAYLOAD } from './jobs.ts'

/** Seconds for which finished jobs and payloads of failed ones stay; failed jobs longer, for the operator to inspect. */
const KEEP_DONE = 7 * 24 * 60 * 60
const KEEP_FAILED = 30 * 24 * 60 * 60

/** Deletes the payloads of jobs that failed 7 days ago. */
export async function pruneFailedPayloads(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ payload: NO_PAYLOAD })
    .where('failed_at', '<', timeAfter(now, -KEEP_DONE))
    .where('payload', '!=', NO_PAYLOAD)
    .execute()
}

/** Deletes up to `most` old jobs that are done or have failed; resolves with their number. */
export async function pruneJobs(db: Db, now: Date, most: number): Promise<number> {
  const old = db
    .selectFrom('jobs')
    .select('id')
    .where((e) =>
      e.or([e('done_at', '<', timeAfter(now, -KEEP_DONE)), e('failed_at', '<', timeAfter(now, -KEEP_FAILED))]),
    )
    .limit(most)
  const gone = await db.deleteFrom('jobs').where('id', 'in', old).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
