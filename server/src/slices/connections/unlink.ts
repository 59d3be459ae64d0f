import { toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { holdKnownUserOf, indexUser } from './known-user.ts'
import { type ConnectionRow, deleteConnection, findConnection, holdConnection } from './store.ts'
import type { DeveloperUserRow } from './users-store.ts'

/** A connection with the line of the organisation's list above it, both held until the transaction has ended. */
export async function holdConnectionOf(
  deps: Deps,
  user_id: string,
  client_id: string,
): Promise<{ connection: ConnectionRow; line: DeveloperUserRow } | undefined> {
  const known = await findConnection(deps.db, user_id, client_id)
  const line = known && (await holdKnownUserOf(deps, client_id, user_id))
  const connection = line && (await holdConnection(deps.db, known.id, toTime(deps.clock.now())))
  return connection && { connection, line }
}

/**
 * Unlinks an app; who hears of it ends its codes and tokens in this same transaction. The connection is held first, as
 * the app's renewals hold it before their tokens (decision 0197). Undefined when it was gone.
 */
export async function unlink(deps: Deps, user_id: string, client_id: string): Promise<ConnectionRow | undefined> {
  const held = await holdConnectionOf(deps, user_id, client_id)
  if (!held) return undefined
  const { connection, line } = held
  await deps.tell('connection_removed', { connection_id: connection.id, user_id, client_id })
  await deleteConnection(deps.db, connection.id)
  await indexUser(deps.db, line)
  return connection
}
