import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import type { Db } from '../../db/open.ts'
import { smallStepsFor } from '../../db/small-steps.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { DELETE_CLIENT_JOB, type DeleteClientJob, finishDeletion, listDeletedClients } from '../clients/public.ts'
import { batches } from './batches.ts'
import * as store from './developer-user-store.ts'
import { deleteConnections, listConnectionsOfClient, selectConnectionsForUpdate } from './store.ts'

/** Milliseconds after which other jobs have their turn. */
const TURN = 1000

/**
 * Listens to `client_deleted`, before the client is deleted. Locks its developer users and connections before its tokens
 * are deleted (decision 0012).
 */
export async function onClientDeleted({ db }: { db: Db }, { client_id }: Events['client_deleted']): Promise<void> {
  const developer_id = await store.findDeveloperOfClient(db, client_id)
  if (!developer_id) return
  const user_ids = await lockUsers(db, developer_id, client_id)
  await selectConnectionsForUpdate(db, client_id)
  for (const some of batches(user_ids)) await store.deleteDeveloperUsersOfClient(db, { developer_id, client_id }, some)
}

/** Locks the developer users of a client, those who consent meanwhile included, and returns their ids. */
async function lockUsers(db: Db, developer_id: string, client_id: string): Promise<string[]> {
  const locked = new Set<string>()
  for (;;) {
    const connections = await listConnectionsOfClient(db, client_id)
    const others = connections.map(({ user_id }) => user_id).filter((user_id) => !locked.has(user_id))
    if (others.length === 0) return [...locked]
    for (const some of batches(others.sort())) await store.selectDeveloperUsersForUpdate(db, developer_id, some)
    for (const user_id of others) locked.add(user_id)
  }
}

/**
 * Listens to `developer_deleted`, before the clients are deleted one after the other. Locks the developer users of all, because those of
 * the second client would come after the connections of the first (decision 0012).
 */
export async function onDeveloperDeleted(
  { db }: { db: Db },
  { developer_id }: Events['developer_deleted'],
): Promise<void> {
  await store.selectAllDeveloperUsersForUpdate(db, developer_id)
}

/** Deletes some connections of a deleted client, and queues itself for the others; at last deletes the client (decision 0092). */
export function deleteClientJob(deps: AppDeps): JobHandler {
  return async (payload) => {
    const { client_id } = payload as DeleteClientJob
    if (!(await deleteSteps(deps, client_id, TURN)))
      await deps.transaction((tx) => enqueue(tx, DELETE_CLIENT_JOB, { client_id } satisfies DeleteClientJob))
  }
}

/** Deletes clients whose job has failed for good. */
export async function pruneDeletedClients(deps: AppDeps): Promise<void> {
  for (const client_id of await listDeletedClients(deps.db))
    await deleteSteps(deps, client_id, Number.POSITIVE_INFINITY)
}

/** Returns whether the client is deleted. */
async function deleteSteps(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  client_id: string,
  milliseconds: number,
): Promise<boolean> {
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction((tx) => deleteSomeConnections(tx, client_id, most)),
  )
  if (complete) await deps.transaction((tx) => finishDeletion(tx, client_id))
  return complete
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
