import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import type { Db } from '../../../db/open.ts'
import { smallStepsFor } from '../../../db/transactions/small-steps.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { Events } from '../../../events.ts'
import { batches } from '../../../lib/batches.ts'
import {
  DELETE_CLIENT_JOB,
  type DeleteClientJob,
  finishDeletion,
  listDeletedClients,
  selectClientsForUpdate,
} from '../../clients/public.ts'
import { listDeletedScopes } from '../../scope-catalog/public.ts'
import * as store from '../developer-user-store.ts'
import { deleteConnections, listConnectionsOfClient, selectConnectionsForUpdate } from '../store.ts'
import { deleteScopeFor } from './deleted-scope.ts'

/** Deletes tokens of a deleted client for some milliseconds, and returns whether none is left. Implemented by the issuer. */
export type DeleteTokens = (
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  client_id: string,
  milliseconds: number,
) => Promise<boolean>

/**
 * Listens to `client_deleted`, before the client is deleted. Locks its developer users and connections before its tokens
 * are deleted (decision 0012).
 */
export async function onClientDeleted({ db }: { db: Db }, { client_id }: Events['client_deleted']): Promise<void> {
  const developer_id = await store.findDeveloperOfClient(db, client_id)
  if (!developer_id) return
  const user_ids = new Set<string>()
  await lockUsers(db, { developer_id, client_id }, user_ids)
  await selectConnectionsForUpdate(db, client_id)
  // A consent holds the client against deletion, so this waits for those that nobody sees yet. No other one follows.
  await selectClientsForUpdate(db, [client_id])
  await lockUsers(db, { developer_id, client_id }, user_ids)
  await selectConnectionsForUpdate(db, client_id)
  for (const some of batches([...user_ids]))
    await store.deleteDeveloperUsersOfClient(db, { developer_id, client_id }, some)
}

/** Locks the developer users of a client that are not locked yet, those who consent meanwhile included, and adds their ids. */
async function lockUsers(
  db: Db,
  { developer_id, client_id }: { developer_id: string; client_id: string },
  locked: Set<string>,
): Promise<void> {
  for (;;) {
    const connections = await listConnectionsOfClient(db, client_id)
    const others = connections.map(({ user_id }) => user_id).filter((user_id) => !locked.has(user_id))
    if (others.length === 0) return
    for (const some of batches(others.sort())) await store.selectDeveloperUsersForUpdate(db, developer_id, some)
    for (const user_id of others) locked.add(user_id)
  }
}

/** Deletes some tokens and connections of a deleted client, and queues itself for the others; at last deletes the client (decision 0092). */
export function deleteClientJob(deps: AppDeps, deleteTokens: DeleteTokens): JobHandler {
  return jobInTurns(deps, DELETE_CLIENT_JOB, async ({ client_id }: DeleteClientJob, milliseconds) =>
    (await deleteClientFor(deps, client_id, milliseconds, deleteTokens)) ? undefined : { client_id },
  )
}

/** Deletes clients whose job has failed for good. */
export async function pruneDeletedClients(deps: AppDeps, deleteTokens: DeleteTokens): Promise<void> {
  // The first time it may mark scopes that the client defines.
  for (const client_id of await listDeletedClients(deps.db))
    for (let time = 0, done = false; !done && time < 2; time += 1)
      done = await deleteClientFor(deps, client_id, Number.POSITIVE_INFINITY, deleteTokens)
}

/** Deletes the rows of a deleted client for some milliseconds. Returns whether the client is deleted. */
export async function deleteClientFor(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  client_id: string,
  milliseconds: number,
  deleteTokens: DeleteTokens,
): Promise<boolean> {
  if (!(await deleteTokens(deps, client_id, milliseconds))) return false
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction((tx) => deleteSomeConnections(tx, client_id, most)),
  )
  if (!complete) return false
  for (const key of await listDeletedScopes(deps.db, client_id))
    if (!(await deleteScopeFor(deps, key, milliseconds))) return false
  return await deps.transaction((tx) => finishDeletion(tx, client_id))
}

/** Deletes up to `most` connections, and the users in the list of the organization who have no other. Returns their number. */
async function deleteSomeConnections({ db }: TransactionDeps, client_id: string, most: number): Promise<number> {
  const developer_id = await store.findDeveloperOfClient(db, client_id)
  if (!developer_id) return 0
  const connections = await listConnectionsOfClient(db, client_id, most)
  const user_ids = connections.map(({ user_id }) => user_id)
  await store.selectDeveloperUsersForUpdate(db, developer_id, user_ids)
  await store.deleteDeveloperUsersOfClient(db, { developer_id, client_id }, user_ids)
  await deleteConnections(
    db,
    connections.map(({ id }) => id),
  )
  return connections.length
}
