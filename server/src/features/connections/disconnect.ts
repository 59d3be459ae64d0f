import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { DeveloperUserRow } from './developer-user-store.ts'
import { lockDeveloperUserOfClient, updateSearchTerms } from './developer-users.ts'
import { type ConnectionRow, deleteConnection, findConnectionForUpdate, findConnectionRow } from './store.ts'

/** Locks the developer user and then the connection of a user and client (decision 0012). */
export async function lockConnection(
  deps: TransactionDeps,
  user_id: string,
  client_id: string,
): Promise<{ connection: ConnectionRow; developerUser: DeveloperUserRow } | undefined> {
  if (!(await findConnectionRow(deps.db, user_id, client_id))) return undefined
  const developerUser = await lockDeveloperUserOfClient(deps, client_id, user_id)
  if (!developerUser) return undefined
  const updated_at = toTime(deps.clock.now())
  const connection = await findConnectionForUpdate(deps.db, { user_id, client_id, updated_at })
  if (connection) return { connection, developerUser }
  // Another transaction has deleted the connection, and perhaps the row of the user, which was inserted anew.
  await updateSearchTerms(deps.db, developerUser)
  return undefined
}

/**
 * Deletes a connection and ends its codes and tokens. Locks the connection before the
 * tokens, like a refresh (decision 0012). Returns undefined when there is no connection.
 */
export async function disconnect(
  deps: TransactionDeps,
  user_id: string,
  client_id: string,
): Promise<ConnectionRow | undefined> {
  const locked = await lockConnection(deps, user_id, client_id)
  if (!locked) return undefined
  const { connection, developerUser } = locked
  await deps.emit('connection_removed', { connection_id: connection.id, user_id, client_id })
  await deps.revoke('app_unlinked', { user_id, client_id, connection_ids: [connection.id] })
  // Its id may be another one now.
  await deleteConnection(deps.db, user_id, client_id)
  await updateSearchTerms(deps.db, developerUser)
  return connection
}
