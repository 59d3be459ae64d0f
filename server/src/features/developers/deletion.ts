import { enqueue } from '../../adapters/jobs/jobs.ts'
import { smallStepsFor } from '../../db/transactions/small-steps.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { replacePicture } from '../media/public.ts'
import * as store from './deletion-store.ts'
import { type DeveloperRow, deleteDeveloperRow, updateDeveloperRow } from './store.ts'

/** The job that deletes the rows of a deleted organization in small steps, and then the organization. */
export const DELETE_ORGANIZATION_JOB = 'delete_organization'
export type DeleteOrganizationJob = { developer_id: string }

/**
 * Deletes a locked developer account. Emits `developer_deleted` first, so that listeners still find the clients. When these have many
 * rows and are being deleted, the account is marked as deleted: it has no members, no read finds it, and a job deletes its rows
 * (decision 0092).
 */
export async function deleteDeveloperWithClients(
  deps: TransactionDeps,
  { id, name, logo }: Pick<DeveloperRow, 'id' | 'name' | 'logo'>,
  by?: UserActor,
): Promise<void> {
  await deps.emit('developer_deleted', { developer_id: id, name, ...(by ? { by } : {}) })
  await replacePicture(deps, logo, null)
  await deps.revoke('organization_deleted', { developer_id: id })
  if (!(await store.hasClients(deps.db, id))) return await deleteDeveloperRow(deps.db, id)
  await updateDeveloperRow(deps.db, id, { deleted_at: toTime(deps.clock.now()), logo: null })
  await enqueue(deps, DELETE_ORGANIZATION_JOB, { developer_id: id } satisfies DeleteOrganizationJob)
}

/** Deletes a developer account whose clients and users are deleted, with its activities. Returns false when time is over before. */
export async function deleteOrganizationRows(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  developer_id: string,
  milliseconds: number,
): Promise<boolean> {
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction(({ db }) => store.deleteSomeActivities(db, developer_id, most)),
  )
  if (complete) await deps.transaction(({ db }) => store.deleteDeletedDeveloper(db, developer_id))
  return complete
}
