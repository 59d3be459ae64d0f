import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import { enqueue } from '../../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import type { Db } from '../../../db/open.ts'
import { ROWS_AT_ONCE, smallStepsFor } from '../../../db/transactions/small-steps.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import { newId } from '../../../lib/ids.ts'
import {
  clearSessionGeneration,
  findSessionGeneration,
  findUserForUpdate,
  listUsersWithEndedSessions,
  updateSessionGeneration,
} from '../../account/public.ts'
import * as store from './ending-store.ts'

/** The job that writes some of the sessions of a user that have ended together, and queues itself for the others. */
export const END_SESSIONS_JOB = 'end_sessions'

/** `place`: the last session that was written while this generation lived. */
type EndSessions = { user_id: string; place?: { generation: string; after: store.SessionPosition } }

/**
 * Ends all sessions of a user but one, when they are many: only those of a new generation live, and a job writes the rows and ends their
 * codes and tokens (decision 0145). Returns false when there are few, which the caller then ends.
 */
export async function endManySessions(
  deps: TransactionDeps,
  user_id: string,
  kept: string | undefined,
): Promise<boolean> {
  if (!(await store.hasManyOpenSessions(deps.db, user_id, ROWS_AT_ONCE))) return false
  const from = (await findUserForUpdate(deps.db, user_id))?.session_generation ?? null
  const to = newId(deps.clock)
  if (kept !== undefined) await store.updateGeneration(deps.db, { id: kept, user_id, from, to })
  await updateSessionGeneration(deps.db, user_id, to)
  await enqueue(deps, END_SESSIONS_JOB, { user_id } satisfies EndSessions)
  return true
}

/** Deletes some of the tokens of a user whose session has no row. Returns how many. */
type DeleteOrphans = (db: Db, user_id: string, most: number) => Promise<number>

/** The job that deletes ended sessions of a user in turns. */
export function endSessionsJob(deps: AppDeps, deleteOrphans: DeleteOrphans): JobHandler {
  const work = (job: EndSessions, milliseconds: number) => endFormer(deps, deleteOrphans, job, milliseconds)
  return jobInTurns(deps, END_SESSIONS_JOB, work)
}

/** Completes what jobs that have failed for good have left. */
export async function pruneEndedSessions(deps: AppDeps, deleteOrphans: DeleteOrphans): Promise<void> {
  for (const user_id of await listUsersWithEndedSessions(deps.db))
    for (let rest: EndSessions | undefined = { user_id }; rest; )
      rest = await endFormer(deps, deleteOrphans, rest, Number.POSITIVE_INFINITY)
}

/** Ends sessions of former generations for some milliseconds. Returns where to go on; undefined when all have ended. */
async function endFormer(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  deleteOrphans: DeleteOrphans,
  { user_id, place }: EndSessions,
  milliseconds: number,
): Promise<EndSessions | undefined> {
  const generation = await findSessionGeneration(deps.db, user_id)
  if (generation === undefined) return undefined
  // When others have ended meanwhile, it begins again.
  let after = place?.generation === generation ? place.after : undefined
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction(async (tx) => {
      const former = await store.listFormer(tx.db, user_id, after, most)
      const session_ids = former.map(({ id }) => id)
      // A session of a former generation never lives again, so that the user need not be locked.
      if (session_ids.length > 0) await tx.revoke('signed_out', { user_id, session_ids })
      after = former.at(-1) ?? after
      return former.length
    }),
  )
  if (!complete) return { user_id, ...(after && { place: { generation, after } }) }
  // While there is a generation, they are not live and none is added.
  const orphans = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction(({ db }) => deleteOrphans(db, user_id, most)),
  )
  if (!orphans.complete) return { user_id, ...(after && { place: { generation, after } }) }
  await deps.transaction(async ({ db }) => {
    if ((await findUserForUpdate(db, user_id))?.session_generation !== generation) return
    await clearSessionGeneration(db, user_id)
  })
  // Undefined unless others have ended meanwhile.
  return (await findSessionGeneration(deps.db, user_id)) === undefined ? undefined : { user_id }
}

/**
 * Deletes some sessions of a user whose account is due to be deleted, with their codes and tokens. Returns how many. The request of the deletion
 * has ended all tokens, and an account without a confirmed address never has any. Those that one transaction leaves are found by their
 * connection, by the job of the request or by the deletion of the account; the job that the event queues here finds no session any more.
 */
export async function deleteSomeSessions(deps: TransactionDeps, user_id: string, most: number): Promise<number> {
  const session_ids = await store.listSomeIds(deps.db, user_id, most)
  if (session_ids.length > 0) await deps.revoke('signed_out', { user_id, session_ids })
  await store.deleteSessions(deps.db, session_ids)
  return session_ids.length
}
