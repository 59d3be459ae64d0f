import { toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { holdKnownUserOf, indexUserOf } from './known-user.ts'
import { type ConnectionRow, deleteConnection, findConnection, holdConnection } from './store.ts'

/** A connection with the line of the organisation's list above it, both held until the transaction has ended. */
export async function holdConnectionOf(
  deps: Deps,
  user_id: string,
  client_id: string,
): Promise<ConnectionRow | undefined> {
  const known = await findConnection(deps.db, user_id, client_id)
  if (!known) return undefined
  await holdKnownUserOf(deps, client_id, user_id)
  return await holdConnection(deps.db, known.id, toTime(deps.clock.now()))
}

/**
 * Unlinks an app; who hears of it ends its codes and tokens in this same transaction. The connection is held first, as
 * the app's renewals hold it before their tokens (decision 0197). Undefined when it was gone.
 */
export async function unlink(deps: Deps, user_id: string, client_id: string): Promise<ConnectionRow | undefined> {
  const found = await holdConnectionOf(deps, user_id, client_id)
  if (!found) return undefined
  await deps.tell('connection_removed', { connection_id: found.id, user_id, client_id })
  await deleteConnection(deps.db, found.id)
  await indexUserOf(deps, client_id, user_id)
  return found
}
