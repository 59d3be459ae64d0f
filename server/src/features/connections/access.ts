import type { Db } from '../../db/open.ts'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { batches } from '../../lib/batches.ts'
import { findClientsWithPeople } from '../client-access/public.ts'
import { selectClientsForUpdate } from '../clients/public.ts'
import { findPlaceAfter, listChangedAccess, updateAccessLost } from './access-store.ts'
import { listConnections } from './store.ts'

/**
 * Listens to `access_changed`: marks the connections that the rule leaves out now, ends what came of them, and unmarks those that it
 * no longer leaves out. The client is locked, so that no connection is added meanwhile. Each statement concerns some of them, because a
 * statement of PostgreSQL may take a few seconds only.
 */
export async function onAccessChanged(
  deps: TransactionDeps,
  { client_id, user_ids, by }: Events['access_changed'],
): Promise<void> {
  const now = toTime(deps.clock.now())
  const lost: string[] = []
  for await (const changed of changedAccess(deps.db, client_id, user_ids)) {
    const left = changed.flatMap(({ id, access_lost_at }) => (access_lost_at === null ? [id] : []))
    const found = changed.flatMap(({ id, access_lost_at }) => (access_lost_at === null ? [] : [id]))
    for (const ids of batches(found)) await updateAccessLost(deps.db, ids, null)
    for (const ids of batches(left)) await updateAccessLost(deps.db, ids, now)
    lost.push(...left)
  }
  if (by === 'group_joined') return
  await deps.revoke(by, { client_id, ...(user_ids ? { user_ids } : {}), connection_ids: lost })
}

/** Connections whose mark is not what the rule says, some at a time: of the named users or of all, in the order of their ids. */
async function* changedAccess(db: Db, client_id: string, user_ids: readonly string[] | undefined) {
  if (user_ids) {
    for (const some of batches(user_ids)) yield await listChangedAccess(db, client_id, { user_ids: some })
    return
  }
  for (let after = ''; ; ) {
    const last = await findPlaceAfter(db, client_id, after)
    yield await listChangedAccess(db, client_id, { after, last })
    if (last === undefined) return
    after = last
  }
}

/** Listens to `account_changed`: a list of people names addresses, and the user may have another one now. */
export async function onAddressChanged(deps: TransactionDeps, { user_id }: Events['account_changed']): Promise<void> {
  const connected = (await listConnections(deps.db, user_id)).map(({ client_id }) => client_id)
  const client_ids = await findClientsWithPeople(deps.db, connected)
  for (const client_id of await selectClientsForUpdate(deps.db, client_ids))
    await onAccessChanged(deps, { client_id, user_ids: [user_id], by: 'app_access_changed' })
}
