import { enqueue } from '../../../adapters/jobs/jobs.ts'
import { ROWS_AT_ONCE } from '../../../db/transactions/small-steps.ts'
import { toTime } from '../../../db/values.ts'
import type { TransactionDeps } from '../../../deps.ts'
import type { Events } from '../../../events.ts'
import { batches } from '../../../lib/batches.ts'
import { newId } from '../../../lib/ids.ts'
import { findClientsWithPeople } from '../../client-access/public.ts'
import {
  findAccessChange,
  findAccessChangeForUpdate,
  hasConnections,
  selectClientsForUpdate,
  updateAccessChange,
} from '../../clients/public.ts'
import { listConnections, listConnectionsAfter, listConnectionsOfUsers } from '../store.ts'
import { type Compared, listChangedAccess, updateAccessLost } from './access-store.ts'

/** The job that compares the connections of a client with its rule in small steps. */
export const CHANGE_ACCESS_JOB = 'change_access'
/** `place`: the last connection or token that was compared with this change of the rule. */
export type ChangeAccessJob = { client_id: string; place?: AccessPosition }
export type AccessPosition = {
  change: string
  after: string | null
  token?: { expires_at: string; token_hash: string }
}

/**
 * Listens to `access_changed`, while the client is locked, so that no connection is added meanwhile: marks the connections that the rule
 * excludes now, ends their codes and tokens, and unmarks those that it no longer excludes. For a client with many connections, the change is noted, after
 * which reads evaluate the rule instead of the marks, and a job writes the rows (decision 0092).
 */
export async function onAccessChanged(
  deps: TransactionDeps,
  { client_id, user_ids, by }: Events['access_changed'],
): Promise<void> {
  const isChanging = (await findAccessChange(deps.db, client_id)) !== undefined
  if (user_ids) return await changeAccessOf(deps, { client_id, user_ids, by, isChanging })
  if (isChanging || (await hasConnections(deps.db, client_id, ROWS_AT_ONCE)))
    return await changeAccessLater(deps, client_id, isChanging)
  const lost = await markChanged(deps, client_id, {})
  await deps.revoke(by === 'group_deleted' ? by : 'app_access_changed', { client_id, connection_ids: idsOf(lost) })
}

async function changeAccessOf(
  deps: TransactionDeps,
  { client_id, user_ids, by, isChanging }: Required<Events['access_changed']> & { isChanging: boolean },
): Promise<void> {
  const ended = new Set<string>()
  for (const some of batches(user_ids)) {
    for (const { id } of await markChanged(deps, client_id, { user_ids: some })) ended.add(id)
    // The job may not have ended what they lost before they got access again.
    if (isChanging && by === 'group_joined')
      for (const { id } of await listConnectionsOfUsers(deps.db, client_id, some)) ended.add(id)
  }
  if (by === 'group_joined' && ended.size === 0) return
  const event = by === 'group_joined' ? 'app_access_changed' : by
  await deps.revoke(event, { client_id, user_ids, connection_ids: [...ended] })
}

/**
 * Notes the change for a job. When the rule changes again before the job is done, all tokens of the client end: those of users whom the
 * former rule left out, and whom this one lets in, may not be deleted yet.
 */
async function changeAccessLater(deps: TransactionDeps, client_id: string, isChanging: boolean): Promise<void> {
  if (isChanging) await deps.revoke('app_access_changed_again', { client_id })
  await updateAccessChange(deps.db, client_id, newId(deps.clock))
  await enqueue(deps, CHANGE_ACCESS_JOB, { client_id } satisfies ChangeAccessJob)
}

/**
 * Compares up to `most` connections after one with the rule, and ends the codes and tokens of those that it excludes. Resolves with the ids of those
 * compared; none when the rule has changed again. Does not search for tokens that the client received in exchange.
 */
export async function compareSome(
  deps: TransactionDeps,
  { client_id, change, after }: { client_id: string; change: string; after: string },
  most: number,
): Promise<string[]> {
  // A change of the rule, or of one of its groups, locks the client first.
  if ((await findAccessChangeForUpdate(deps.db, client_id)) !== change) return []
  const ids = (await listConnectionsAfter(deps.db, client_id, after, most)).map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) return []
  const lost = await markChanged(deps, client_id, { after, last })
  if (lost.length > 0) await deps.revoke('app_access_changed', { client_id, user_ids: [], connection_ids: idsOf(lost) })
  return ids
}

/** Marks connections that the rule leaves out now, and unmarks others. Returns those that it leaves out now. */
async function markChanged(deps: TransactionDeps, client_id: string, compared: Compared): Promise<{ id: string }[]> {
  const changed = await listChangedAccess(deps.db, client_id, compared)
  const lost = changed.filter(({ access_lost_at }) => access_lost_at === null)
  const found = changed.filter(({ access_lost_at }) => access_lost_at !== null)
  for (const ids of batches(idsOf(found))) await updateAccessLost(deps.db, ids, null)
  for (const ids of batches(idsOf(lost))) await updateAccessLost(deps.db, ids, toTime(deps.clock.now()))
  return lost
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

/** Listens to `address_confirmed`: a list of people names addresses, and the user may have another one now. */
export async function onAddressConfirmed(
  deps: TransactionDeps,
  { user_id }: Events['address_confirmed'],
): Promise<void> {
  const connected = (await listConnections(deps.db, user_id)).map(({ client_id }) => client_id)
  // Before their rules are read: one that changes at this moment is seen here, or sees the new address.
  const locked = await selectClientsForUpdate(deps.db, connected)
  for (const client_id of await findClientsWithPeople(deps.db, locked))
    await onAccessChanged(deps, { client_id, user_ids: [user_id], by: 'app_access_changed' })
}
