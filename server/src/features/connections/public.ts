import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { batches } from '../../lib/batches.ts'
import { listPublicClients, mayRequest } from '../clients/public.ts'
import { type ClientUse, toDay } from '../statistics/public.ts'
import { findDeveloperUserForUpdate } from './developer-user-store.ts'
import { disconnect } from './disconnect.ts'
import type { UseTime } from './guard-store.ts'
import { deleteScopeOfConnections, listConnectionsWithScope } from './scope-store.ts'
import {
  type ConnectionRow,
  findConnectionRow,
  findConnectionRowById,
  hasOtherUse,
  listConnections,
  updateLastUse,
} from './store.ts'

export {
  type AccessPosition,
  CHANGE_ACCESS_JOB,
  type ChangeAccessJob,
  compareSome,
  onAccessChanged,
  onAddressConfirmed,
} from './access/access.ts'
export { accessLostAt, isAccessChanging } from './access/access-lost-store.ts'
export { listConnectedClients } from './connected-clients.ts'
export { grantTrusted } from './consent/grant-trusted.ts'
export { deleteClientJob, onClientDeleted, pruneDeletedClients } from './deletion/deleted-client.ts'
export {
  deleteOrganizationJob,
  onDeveloperDeleted,
  pruneDeletedOrganizations,
} from './deletion/deleted-organization.ts'
export { deleteScopeJob, pruneDeletedScopes } from './deletion/deleted-scope.ts'
export {
  findDeveloperUserForUpdate,
  type GrantedClient,
  isUserBlocked,
  isUserBlockedForShare,
  listDeveloperUsers,
  listGrantedClients,
  updateBlockedAt,
} from './developer-user-store.ts'
export { nameConnections, onAccountChanged, searchTerms, searchWords, updateSearchTerms } from './developer-users.ts'
export { connectionGuard, type UseTime } from './guard-store.ts'
export { renewConnection } from './renew-connection.ts'
export { countScopeUsers, listConnectionsWithScope } from './scope-store.ts'

/** Granted and declined scopes of a user and client. Tokens carry only granted scopes that the client still requests. */
export interface Connection {
  id: string
  scopes: string[]
  declined: string[]
  blocked: boolean
  /** The rule of the client leaves the user out. */
  left_out: boolean
  last_used_at: string | null
}

export async function findConnection(db: ReadDb, user_id: string, client_id: string): Promise<Connection | undefined> {
  const row = await findConnectionRow(db, user_id, client_id)
  return row && toConnection(row)
}

/** Returns a connection with its user and client. */
export async function findConnectionById(
  db: ReadDb,
  id: string,
): Promise<(Connection & { user_id: string; client_id: string }) | undefined> {
  const row = await findConnectionRowById(db, id)
  return row && { ...toConnection(row), user_id: row.user_id, client_id: row.client_id }
}

/** Returns the granted scopes that the client still requests; tokens carry no others. */
export function allowedScopes(granted: readonly string[], requested: readonly string[]): string[] {
  return granted.filter((scope) => mayRequest(requested, scope))
}

/** Converts columns of a row, for queries that join connections. */
export function toConnection(
  row: Pick<ConnectionRow, 'id' | 'scopes' | 'declined' | 'blocked_at' | 'access_lost_at' | 'last_used_at'>,
): Connection {
  return {
    id: row.id,
    scopes: fromJson<string[]>(row.scopes),
    declined: fromJson<string[]>(row.declined),
    blocked: row.blocked_at !== null,
    left_out: row.access_lost_at !== null,
    last_used_at: row.last_used_at,
  }
}

/** Yields the connections of a user for the data archive. */
export async function* exportConnections(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const rows = await listConnections(db, user_id)
  const apps = await listPublicClients(
    db,
    rows.map(({ client_id }) => client_id),
  )
  for (const { client_id, scopes, created_at, last_used_at } of rows) {
    const name = apps.get(client_id)?.card.name ?? null
    yield { client_id, name, scopes: fromJson<string[]>(scopes), created_at, last_used_at }
  }
}

export async function countConnections(db: ReadDb, user_id: string): Promise<number> {
  return (await listConnections(db, user_id)).length
}

/** Disconnects all clients of a user. Listeners delete the tokens in the same transaction. */
export async function disconnectAll(deps: TransactionDeps, user_id: string): Promise<void> {
  for (const { client_id } of await listConnections(deps.db, user_id)) await disconnect(deps, user_id, client_id)
}

/** Listens to `scopes_removed`: removes the scopes from all connections, or leaves it to the job. */
export async function onScopesRemoved(
  { db }: TransactionDeps,
  { keys, later }: Events['scopes_removed'],
): Promise<void> {
  for (const key of keys) {
    if (later.includes(key)) continue
    for (const ids of batches(await listConnectionsWithScope(db, key, Number.MAX_SAFE_INTEGER)))
      await deleteScopeOfConnections(db, key, ids)
  }
}

/** Seconds between two writes of the last use. */
const USE_INTERVAL = 60

/** A use of a connection: the user signed in, or the client refreshed its tokens. */
export interface ConnectionUse {
  /** The connection as read at the beginning of the request. */
  connection: Pick<Connection, 'id' | 'last_used_at'>
  client: { client_id: string; developer_id: string }
  user_id: string
  at: Date
  signed_in: boolean
}

/**
 * Updates the last use of a connection, at most once a minute. Returns the use for the statistics. The time of the last use
 * tells whether the user was active on that day already, so no list of active users is stored (decision 0025).
 */
export async function recordConnectionUse(
  db: Db,
  { connection, client, user_id, at, signed_in }: ConnectionUse,
): Promise<ClientUse> {
  const { id, last_used_at } = connection
  const [today, recently] = [toDay(at), timeAfter(at, -USE_INTERVAL)]
  let first = false
  if (isBefore(last_used_at, today)) {
    // First uses of several clients at once do not see each other. The row of the user is locked before connections (decision 0012).
    await findDeveloperUserForUpdate(db, client.developer_id, user_id)
    first = await updateLastUse(db, id, toTime(at), today)
  }
  if (!first && isBefore(last_used_at, recently)) await updateLastUse(db, id, toTime(at), recently)
  const developer = first && !(await hasOtherUse(db, { id, user_id, ...client, since: today }))
  return { ...client, at, signed_in, first: { client: first, developer } }
}

/** Write that `recordConnectionUse` would make: the first use of the day, which counts in the statistics; the time; or none. */
export function unwrittenUse(
  { last_used_at }: Pick<Connection, 'last_used_at'>,
  at: Date,
): 'first' | UseTime | undefined {
  if (isBefore(last_used_at, toDay(at))) return 'first'
  const not_since = timeAfter(at, -USE_INTERVAL)
  return isBefore(last_used_at, not_since) ? { at: toTime(at), not_since } : undefined
}

/** The last use of a connection once a use is recorded. */
export function lastUseAfter(connection: Pick<Connection, 'last_used_at'>, at: Date): string | null {
  return unwrittenUse(connection, at) === undefined ? connection.last_used_at : toTime(at)
}

/** Spares a write when the value that was read is recent; the write itself checks the current value. */
function isBefore(last_used_at: string | null, since: string): boolean {
  return last_used_at === null || last_used_at < since
}
