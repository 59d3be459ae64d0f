import { type SqlBool, sql } from 'kysely'
import { listWithout } from '../../db/json-list.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import { anywhere } from '../../db/search-text.ts'

/** Inserts client-defined scopes that a connection has granted or declined; existing ones stay. */
export async function insertConnectionScopes(db: Db, connection_id: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await db
    .insertInto('connection_scopes')
    .values(keys.map((key) => ({ key, connection_id })))
    .onConflict((c) => c.doNothing())
    .execute()
}

/** Deletes the client-defined scopes of a connection. Returns them. */
export async function deleteConnectionScopes(db: Db, connection_id: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('connection_scopes')
    .where('connection_id', '=', connection_id)
    .returning('key')
    .execute()
  return rows.map(({ key }) => key)
}

export async function deleteConnectionScope(db: Db, connection_id: string, key: string): Promise<void> {
  await db.deleteFrom('connection_scopes').where('key', '=', key).where('connection_id', '=', connection_id).execute()
}

/** Implements `ScopeUsers`: counts the users who have granted the scope to any client, up to `limit`. */
export async function countScopeUsers(db: ReadDb, key: string, limit: number): Promise<number> {
  const users = db
    .selectFrom('connection_scopes')
    .innerJoin('connections', 'connections.id', 'connection_scopes.connection_id')
    .where('key', '=', key)
    // Not those who have declined it.
    .where(sql<SqlBool>`connections.scopes like ${anywhere(JSON.stringify(key))} escape '\\'`)
    .select('user_id')
    .groupBy('user_id')
    .limit(limit)
    .as('users')
  const { count } = await db
    .selectFrom(users)
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists connections that have granted or declined a scope, in the order in which they are locked. */
export async function listConnectionsWithScope(db: ReadDb, key: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('connection_scopes').select('connection_id').where('key', '=', key)
  const rows = await query.orderBy('connection_id').limit(limit).execute()
  return rows.map(({ connection_id }) => connection_id)
}

/** Removes a scope from the granted and declined scopes of connections. */
export async function deleteScopeOfConnections(db: Db, key: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.selectFrom('connections').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  await db
    .updateTable('connections')
    .set({ scopes: listWithout('scopes', key), declined: listWithout('declined', key) })
    .where('id', 'in', ids)
    .execute()
  await db.deleteFrom('connection_scopes').where('key', '=', key).where('connection_id', 'in', ids).execute()
}
