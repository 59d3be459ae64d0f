import { performance } from 'node:perf_hooks'
import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import { smallStepsFor } from '../../../db/transactions/small-steps.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { Events } from '../../../events.ts'
import { hasManyUsers, listDeletedClients } from '../../clients/public.ts'
import {
  DELETE_ORGANIZATION_JOB,
  type DeleteOrganizationJob,
  deleteOrganizationRows,
  listDeletedDevelopers,
} from '../../developers/public.ts'
import { deleteSomeDeveloperUsers, selectAllDeveloperUsersForUpdate } from '../developer-user-store.ts'
import { type DeleteTokens, deleteClientFor } from './deleted-client.ts'

/**
 * Listens to `developer_deleted`, before the clients are deleted one after the other. Locks the developer users of all, because those of
 * the second client would come after the connections of the first (decision 0012). Where there are many, a job deletes them.
 */
export async function onDeveloperDeleted(
  deps: TransactionDeps,
  { developer_id }: Events['developer_deleted'],
): Promise<void> {
  if (!(await hasManyUsers(deps, developer_id))) await selectAllDeveloperUsersForUpdate(deps.db, developer_id)
}

/** Deletes some rows of a deleted organization, and queues itself for the others; at last deletes the organization (decision 0092). */
export function deleteOrganizationJob(deps: AppDeps, deleteTokens: DeleteTokens): JobHandler {
  return jobInTurns(deps, DELETE_ORGANIZATION_JOB, async ({ developer_id }: DeleteOrganizationJob, milliseconds) =>
    (await deleteOrganizationFor(deps, developer_id, milliseconds, deleteTokens)) ? undefined : { developer_id },
  )
}

/** Deletes organizations whose job has failed for good. */
export async function pruneDeletedOrganizations(deps: AppDeps, deleteTokens: DeleteTokens): Promise<void> {
  for (const developer_id of await listDeletedDevelopers(deps.db))
    await deleteOrganizationFor(deps, developer_id, Number.POSITIVE_INFINITY, deleteTokens)
}

/** Deletes rows for some milliseconds. Returns whether the organization is deleted. */
async function deleteOrganizationFor(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  developer_id: string,
  milliseconds: number,
  deleteTokens: DeleteTokens,
): Promise<boolean> {
  const end = performance.now() + milliseconds
  for (const client_id of await listDeletedClients(deps.db, developer_id)) {
    if (!(await deleteClientFor(deps, client_id, milliseconds, deleteTokens))) return false
    if (performance.now() > end) return false
  }
  // Rows of blocked users stay, although they have no connection.
  const users = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction(({ db }) => deleteSomeDeveloperUsers(db, developer_id, most)),
  )
  return users.complete && (await deleteOrganizationRows(deps, developer_id, milliseconds))
}
