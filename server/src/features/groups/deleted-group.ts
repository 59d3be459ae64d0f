import { jobInTurns } from '../../adapters/jobs/job-in-turns.ts'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import { ROWS_AT_ONCE, smallStepsFor } from '../../db/transactions/small-steps.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { findDeletedGroupForUpdate, listDeletedGroups, markGroupDeleted } from './deleted-group-store.ts'
import { removeFromUsers } from './members.ts'
import { deleteGroup, deleteMembers, listMemberIds } from './store.ts'

/** The job that deletes the members of a deleted group in small steps, and then the group. */
export const DELETE_GROUP_JOB = 'delete_group'
type DeleteGroupJob = { key: string }

/**
 * Deletes a locked group. One with many members is marked as deleted: nothing finds it, no claim and no rule has it, and a job deletes its
 * rows (decision 0092).
 */
export async function deleteNowOrLater(deps: TransactionDeps, key: string): Promise<void> {
  const user_ids = await listMemberIds(deps.db, key, ROWS_AT_ONCE)
  const many = user_ids.length === ROWS_AT_ONCE
  if (!many) await removeFromUsers(deps, user_ids, () => deleteMembers(deps.db, key, user_ids))
  if (many) await markGroupDeleted(deps.db, key, toTime(deps.clock.now()))
  await deps.emit('group_changed', { key, user_ids, by: 'group_deleted' })
  if (!many) return await deleteGroup(deps.db, key)
  await enqueue(deps, DELETE_GROUP_JOB, { key } satisfies DeleteGroupJob)
}

export function deleteGroupJob(deps: AppDeps): JobHandler {
  return jobInTurns<DeleteGroupJob>(deps, DELETE_GROUP_JOB, async ({ key }, milliseconds) =>
    (await deleteGroupFor(deps, key, milliseconds)) ? undefined : { key },
  )
}

/** Deletes groups whose job has failed for good. */
export async function pruneDeletedGroups(deps: AppDeps): Promise<void> {
  for (const key of await listDeletedGroups(deps.db)) await deleteGroupFor(deps, key, Number.POSITIVE_INFINITY)
}

/** Deletes the members of a deleted group for some milliseconds. Returns whether the group is deleted. */
export async function deleteGroupFor(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  key: string,
  milliseconds: number,
): Promise<boolean> {
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction((tx) => deleteSomeMembers(tx, key, most)),
  )
  if (complete)
    await deps.transaction(async ({ db }) => {
      if (await findDeletedGroupForUpdate(db, key)) await deleteGroup(db, key)
    })
  return complete
}

async function deleteSomeMembers(deps: TransactionDeps, key: string, most: number): Promise<number> {
  if (!(await findDeletedGroupForUpdate(deps.db, key))) return 0
  const user_ids = await listMemberIds(deps.db, key, most)
  await removeFromUsers(deps, user_ids, () => deleteMembers(deps.db, key, user_ids))
  return user_ids.length
}
