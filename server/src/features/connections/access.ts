import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { findClientsWithPeople } from '../client-access/public.ts'
import { selectClientsForUpdate } from '../clients/public.ts'
import { listChangedAccess, updateAccessLost } from './access-store.ts'
import { batches } from './batches.ts'
import { listConnections } from './store.ts'

/**
 * Listens to `access_changed`: marks the connections that the rule leaves out now, ends what came of them, and unmarks those that it
 * no longer leaves out. The client is locked, so that no connection is added meanwhile.
 */
export async function onAccessChanged(
  deps: TransactionDeps,
  { client_id, user_ids, by }: Events['access_changed'],
): Promise<void> {
  const changed = await listChangedAccess(deps.db, client_id, user_ids)
  const now = toTime(deps.clock.now())
  const lost = changed.flatMap(({ id, access_lost_at }) => (access_lost_at === null ? [id] : []))
  const found = changed.flatMap(({ id, access_lost_at }) => (access_lost_at === null ? [] : [id]))
  for (const ids of batches(found)) await updateAccessLost(deps.db, ids, null)
  for (const connection_ids of batches(lost)) await updateAccessLost(deps.db, connection_ids, now)
  if (by === 'group_joined') return
  const subject = { client_id, ...(user_ids ? { user_ids } : {}) }
  for (const connection_ids of [...batches(lost), ...(lost.length === 0 ? [[]] : [])])
    await deps.revoke(by, { ...subject, connection_ids })
}

/** Listens to `account_changed`: a list of people names addresses, and the user may have another one now. */
export async function onAddressChanged(deps: TransactionDeps, { user_id }: Events['account_changed']): Promise<void> {
  const connected = (await listConnections(deps.db, user_id)).map(({ client_id }) => client_id)
  const client_ids = await findClientsWithPeople(deps.db, connected)
  for (const client_id of await selectClientsForUpdate(deps.db, client_ids))
    await onAccessChanged(deps, { client_id, user_ids: [user_id], by: 'app_access_changed' })
}
