import { enqueue } from '../../adapters/jobs/jobs.ts'
import { ROWS_AT_ONCE } from '../../db/transactions/small-steps.ts'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { replacePicture } from '../media/public.ts'
import { hasDeletedScopes } from '../scope-catalog/public.ts'
import * as store from './deletion-store.ts'
import { announceClientChange } from './own-client.ts'
import { type ClientRow, findTokensEndedAt, updateClient } from './store.ts'

/** The job that deletes the tokens and connections of a deleted client in small steps, and then the client. */
export const DELETE_CLIENT_JOB = 'delete_client'
export type DeleteClientJob = { client_id: string }

/**
 * Deletes a locked client. One with many connections or tokens is marked as deleted, so that no read finds it and all of its tokens have
 * ended; a job deletes its rows, and no other write waits for that (decision 0092).
 */
export async function deleteNowOrLater(deps: TransactionDeps, client: ClientRow): Promise<void> {
  const { client_id } = client
  if (!(await store.hasConnections(deps.db, client_id, ROWS_AT_ONCE)) && (await deleteNow(deps, client))) return
  await markDeleted(deps, client)
  await enqueue(deps, DELETE_CLIENT_JOB, { client_id } satisfies DeleteClientJob)
}

/**
 * Listens to `developer_deleted`: deletes the clients, or marks those with many rows as deleted. The job that deletes the developer account
 * deletes their rows one client after the other.
 */
export async function onDeveloperDeleted(
  deps: TransactionDeps,
  { developer_id }: Events['developer_deleted'],
): Promise<void> {
  const many = await hasManyUsers(deps, developer_id)
  for (const client of await store.listClientsOfDeveloper(deps.db, developer_id))
    if (many || !(await deleteNow(deps, client))) await markDeleted(deps, client)
}

/** Whether the clients of a developer account have more connections than one transaction deletes. */
export async function hasManyUsers({ db }: Pick<TransactionDeps, 'db'>, developer_id: string): Promise<boolean> {
  return await store.hasConnectionsTogether(db, developer_id, ROWS_AT_ONCE)
}

/** Deletes a client that is marked as deleted and has no connections any more. Returns false while others have scopes that it defines. */
export async function finishDeletion(deps: TransactionDeps, client_id: string): Promise<boolean> {
  const client = await store.findDeletedClientForUpdate(deps.db, client_id)
  if (!client) return true
  await prepareDeletion(deps, client)
  // The foreign key would take its scopes from all connections at once.
  if (await hasDeletedScopes(deps.db, client_id)) return false
  await store.deleteClientRow(deps.db, client)
  return true
}

/** Deletes a client with few connections. Returns false when it has too many tokens, or others have its scopes. */
async function deleteNow(deps: TransactionDeps, client: ClientRow): Promise<boolean> {
  await prepareDeletion(deps, client)
  // More than one transaction deletes have ended by a mark.
  if ((await findTokensEndedAt(deps.db, client.client_id)) !== undefined) return false
  if (await hasDeletedScopes(deps.db, client.client_id)) return false
  await store.deleteClientRow(deps.db, client)
  return true
}

/** No read finds the client any more, and all of its tokens have ended. */
async function markDeleted(deps: TransactionDeps, client: ClientRow): Promise<void> {
  const now = toTime(deps.clock.now())
  await updateClient(deps.db, client, { enabled: 0, deleted_at: now, tokens_ended_at: now, updated_at: now })
  await deps.revoke('app_deleted', { client_id: client.client_id })
  await announceClientChange(deps, client.client_id)
}

/** Listeners run before the row is deleted, so that they still find it. Drops the icon and invalidates the client cache of every node. */
async function prepareDeletion(
  deps: TransactionDeps,
  { client_id, icon }: Pick<ClientRow, 'client_id' | 'icon'>,
): Promise<void> {
  await deps.emit('client_deleted', { client_id })
  await replacePicture(deps, icon, null)
  await deps.signals.announce('client', client_id)
}
