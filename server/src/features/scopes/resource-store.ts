import type { Db, ReadDb } from '../../db/open.ts'
import type { ResourcesTable } from '../../db/schema.ts'

export type ResourceRow = ResourcesTable & { scopes: string[] }

/** Lists the API identifiers of a client with their scopes, oldest first. */
export async function listResourcesOfClient(db: ReadDb, client_id: string): Promise<ResourceRow[]> {
  const rows = await db
    .selectFrom('resources')
    .selectAll()
    .where('client_id', '=', client_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return await withScopes(db, rows)
}

export async function findResource(db: ReadDb, identifier: string): Promise<ResourceRow | undefined> {
  const rows = await db.selectFrom('resources').selectAll().where('identifier', '=', identifier).execute()
  return (await withScopes(db, rows))[0]
}

async function withScopes(db: ReadDb, rows: ResourcesTable[]): Promise<ResourceRow[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const scopes = await db
    .selectFrom('resource_scopes')
    .selectAll()
    .where('resource_id', 'in', ids)
    .orderBy('key')
    .execute()
  return rows.map((row) => ({
    ...row,
    scopes: scopes.filter(({ resource_id }) => resource_id === row.id).map(({ key }) => key),
  }))
}

/** Returns false when another row has the identifier. */
export async function insertResource(db: Db, { scopes, ...row }: ResourceRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('resources')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await db
    .insertInto('resource_scopes')
    .values(scopes.map((key) => ({ resource_id: row.id, key })))
    .execute()
  return true
}

/** Returns the identifier; undefined when the client has no such row. */
export async function deleteResource(db: Db, client_id: string, id: string): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('resources')
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .returning('identifier')
    .executeTakeFirst()
  return deleted?.identifier
}
