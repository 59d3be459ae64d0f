import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ConnectionsTable } from '../../db/schema.ts'
import type { JsonText } from '../../db/values.ts'
import { UNREGISTERED } from '../clients/public.ts'
import { accessLostAt } from './access/access-lost-store.ts'

export type ConnectionRow = ConnectionsTable

/** Connections with what their rule says now. */
const withAccess = (db: ReadDb) => db.selectFrom('connections').selectAll().select(accessLostAt().as('access_lost_at'))

const connectionRow = prepare((db, { user_id, client_id }: { user_id: string; client_id: string }) =>
  withAccess(db).where('user_id', '=', user_id).where('client_id', '=', client_id),
)

export async function findConnectionRow(
  db: ReadDb,
  user_id: string,
  client_id: string,
): Promise<ConnectionRow | undefined> {
  return await connectionRow.first(db, { user_id, client_id })
}

export async function findConnectionRowById(db: ReadDb, id: string): Promise<ConnectionRow | undefined> {
  return await withAccess(db).where('id', '=', id).executeTakeFirst()
}

/** Inserts the row of a user and client if there is none, and locks it. */
export async function upsertConnectionForUpdate(db: Db, fresh: ConnectionRow): Promise<ConnectionRow> {
  return await db
    .insertInto('connections')
    .values(fresh)
    .onConflict((c) => c.columns(['user_id', 'client_id']).doUpdateSet({ updated_at: fresh.updated_at }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Locks the row by an update of `updated_at` and returns it, also when another transaction has given it a new id meanwhile (decision 0145).
 * Returns undefined when there is none any more.
 */
export async function findConnectionForUpdate(
  db: Db,
  { user_id, client_id, updated_at }: Pick<ConnectionRow, 'user_id' | 'client_id' | 'updated_at'>,
): Promise<ConnectionRow | undefined> {
  return await db
    .updateTable('connections')
    .set({ updated_at })
    .where('user_id', '=', user_id)
    .where('client_id', '=', client_id)
    .returningAll()
    .executeTakeFirst()
}

/** Locks all connections of a client, so that no token is created from them until the transaction ends. */
export async function selectConnectionsForUpdate(db: Db, client_id: string): Promise<void> {
  await db.selectFrom('connections').select('id').where('client_id', '=', client_id).orderBy('id').forUpdate().execute()
}

export async function updateScopes(
  db: Db,
  id: string,
  changes: { scopes: JsonText<string[]>; declined?: JsonText<string[]> },
): Promise<void> {
  await db.updateTable('connections').set(changes).where('id', '=', id).execute()
}

/** Lists connections of a client, up to `limit`. */
export async function listConnectionsOfClient(
  db: ReadDb,
  client_id: string,
  limit?: number,
): Promise<Pick<ConnectionRow, 'id' | 'user_id'>[]> {
  const query = db.selectFrom('connections').select(['id', 'user_id']).where('client_id', '=', client_id).orderBy('id')
  return await (limit === undefined ? query : query.limit(limit)).execute()
}

/** Lists connections of a client in the order of their ids, after one of them. */
export async function listConnectionsAfter(
  db: ReadDb,
  client_id: string,
  after: string,
  limit: number,
): Promise<Pick<ConnectionRow, 'id'>[]> {
  const query = db.selectFrom('connections').select('id').where('client_id', '=', client_id).where('id', '>', after)
  return await query.orderBy('id').limit(limit).execute()
}

export async function listConnectionsOfUsers(
  db: ReadDb,
  client_id: string,
  user_ids: readonly string[],
): Promise<Pick<ConnectionRow, 'id'>[]> {
  const query = db.selectFrom('connections').select('id').where('client_id', '=', client_id)
  return await query.where('user_id', 'in', user_ids).execute()
}

/** Lists the connections of a user, newest first. */
export async function listConnections(db: ReadDb, user_id: string): Promise<ConnectionRow[]> {
  return await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Counts the unregistered clients to which a user is connected. */
export async function countUnregistered(db: ReadDb, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('connections')
    .innerJoin('clients', 'clients.client_id', 'connections.client_id')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where('connections.user_id', '=', user_id)
    .where('clients.developer_id', '=', UNREGISTERED)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns whether there was one with the former id. Its scopes are moved by the caller. */
export async function updateConnectionId(db: Db, id: string, to: string): Promise<boolean> {
  const result = await db.updateTable('connections').set({ id: to }).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The foreign key deletes its scopes. */
export async function deleteConnection(db: Db, user_id: string, client_id: string): Promise<void> {
  await db.deleteFrom('connections').where('user_id', '=', user_id).where('client_id', '=', client_id).execute()
}

/** Foreign keys delete their scopes. */
export async function deleteConnections(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('connections').where('id', 'in', ids).execute()
}

const lastUse = prepare((db, { id, at, not_since }: { id: string; at: string; not_since: string }) =>
  db
    .updateTable('connections')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', not_since)])),
)

/** Updates the last use, unless it is after `not_since`. Returns whether it did. */
export async function updateLastUse(db: Db, id: string, at: string, not_since: string): Promise<boolean> {
  return (await lastUse.changed(db, { id, at, not_since })) === 1
}

/** Returns whether the user has used another client of the developer account since `since`. */
export async function hasOtherUse(
  db: ReadDb,
  { id, user_id, developer_id, since }: { id: string; user_id: string; developer_id: string; since: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .innerJoin('clients', 'clients.client_id', 'connections.client_id')
    .select('connections.id')
    .where('connections.user_id', '=', user_id)
    .where('connections.id', '!=', id)
    .where('connections.last_used_at', '>=', since)
    .where('clients.developer_id', '=', developer_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
