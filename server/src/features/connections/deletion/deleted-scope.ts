import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import { ROWS_AT_ONCE, smallStepsFor } from '../../../db/transactions/small-steps.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import { deleteDeletedScope, listDeletedScopes } from '../../scope-catalog/public.ts'
import { DELETE_SCOPE_JOB, type DeleteScopeJob } from '../../scopes/public.ts'
import { deleteScopeOfConnections, listConnectionsWithScope } from '../scope-store.ts'

/** Takes a deleted scope from some connections, and queues itself for the others; at last deletes the scope (decision 0092). */
export function deleteScopeJob(deps: AppDeps): JobHandler {
  return jobInTurns<DeleteScopeJob>(deps, DELETE_SCOPE_JOB, async ({ key }, milliseconds) =>
    (await deleteScopeFor(deps, key, milliseconds)) ? undefined : { key },
  )
}

/** Deletes scopes whose job has failed for good. */
export async function pruneDeletedScopes(deps: AppDeps): Promise<void> {
  for (const key of await listDeletedScopes(deps.db)) await deleteScopeFor(deps, key, Number.POSITIVE_INFINITY)
}

/** Takes a deleted scope from connections for some milliseconds. Returns whether the scope is deleted. */
export async function deleteScopeFor(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  key: string,
  milliseconds: number,
): Promise<boolean> {
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction((tx) => removeFromSome(tx, key, most)),
  )
  if (!complete) return false
  await deps.transaction(async (tx) => {
    // Connections that have got a new id while the last step waited for them (decision 0145).
    while ((await removeFromSome(tx, key, ROWS_AT_ONCE)) > 0);
    await deleteDeletedScope(tx.db, key)
  })
  return true
}

async function removeFromSome({ db }: TransactionDeps, key: string, most: number): Promise<number> {
  const ids = await listConnectionsWithScope(db, key, most)
  await deleteScopeOfConnections(db, key, ids)
  return ids.length
}
