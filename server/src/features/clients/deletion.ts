import { enqueue } from '../../adapters/jobs/jobs.ts'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { replacePicture } from '../media/public.ts'
import { announceClientChange } from './own-client.ts'
import { type ClientRow, deleteClientRow, findDeletedClientForUpdate, hasConnections, updateClient } from './store.ts'

/** The job that deletes the connections of a deleted client in small steps, and then the client. */
export const DELETE_CLIENT_JOB = 'delete_client'
export type DeleteClientJob = { client_id: string }

/** Connections that one transaction deletes. */
const AT_ONCE = 500

/**
 * Deletes a locked client. One with many connections is marked as deleted, so that no read finds it and all of its tokens have ended; a
 * job deletes its rows, and no other write waits for that (decision 0092).
 */
export async function deleteNowOrLater(deps: TransactionDeps, client: ClientRow): Promise<void> {
  const { client_id } = client
  if (!(await hasConnections(deps.db, client_id, AT_ONCE))) return await deleteNow(deps, client)
  const now = toTime(deps.clock.now())
  await updateClient(deps.db, client, { enabled: 0, deleted_at: now, updated_at: now })
  await deps.revoke('app_deleted', { client_id })
  await announceClientChange(deps, client_id)
  await enqueue(deps, DELETE_CLIENT_JOB, { client_id } satisfies DeleteClientJob)
}

/** Deletes a client that is marked as deleted and has no connections any more. */
export async function finishDeletion(deps: TransactionDeps, client_id: string): Promise<void> {
  const client = await findDeletedClientForUpdate(deps.db, client_id)
  if (client) await deleteNow(deps, client)
}

/** Listeners run before the row is deleted, so that they still find it. */
async function deleteNow(deps: TransactionDeps, client: ClientRow): Promise<void> {
  await prepareClientDeletion(deps, client)
  await deleteClientRow(deps.db, client)
}

/** Emits `client_deleted`, drops the icon and invalidates the client cache of every node. The caller deletes the row. */
export async function prepareClientDeletion(
  deps: TransactionDeps,
  { client_id, icon }: Pick<ClientRow, 'client_id' | 'icon'>,
): Promise<void> {
  await deps.emit('client_deleted', { client_id })
  await replacePicture(deps, icon, null)
  await deps.signals.announce('client', client_id)
}
