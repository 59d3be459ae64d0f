import { isUniqueViolation } from '../../../db/dialect.ts'
import { listWithout } from '../../../db/json-list.ts'
import type { Db, ReadDb } from '../../../db/open.ts'
import { type ClientKey, ownOrEnabled, present } from '../store.ts'

/** Replaces the client-defined scopes that the client requests. */
export async function replaceRequestedScopes(db: Db, client_id: string, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('client_scopes').where('client_id', '=', client_id).execute()
  if (keys.length === 0) return
  await db
    .insertInto('client_scopes')
    .values(keys.map((key) => ({ key, client_id })))
    .execute()
}

export type RequestingClient = { client_id: string; name: string; icon: string | null }

/** Lists the clients that request a scope and that members of the developer account may see, sorted by name. */
export async function listRequestingClients(
  db: ReadDb,
  developer_id: string,
  { key, limit }: { key: string; limit: number },
): Promise<RequestingClient[]> {
  return await present(db)
    .where(ownOrEnabled(developer_id))
    .innerJoin('client_scopes', 'client_scopes.client_id', 'clients.client_id')
    .select(['clients.client_id', 'clients.name', 'clients.icon'])
    .where('client_scopes.key', '=', key)
    .orderBy('clients.name')
    .orderBy('clients.client_id')
    .limit(limit)
    .execute()
}

/** Removes a scope from the requested scopes of all clients. Returns the ids of the changed clients. */
export async function deleteRequestedScope(db: Db, key: string): Promise<string[]> {
  const asking = db.selectFrom('client_scopes').select('client_id').where('key', '=', key)
  const rows = await db
    .updateTable('clients')
    .set({ scopes: listWithout('scopes', key) })
    .where('client_id', 'in', asking)
    .returning('client_id')
    .execute()
  return rows.map(({ client_id }) => client_id)
}

/** Sets the scope prefix of a client. Returns false when another client has it; the transaction cannot continue then. */
export async function updateScopePrefix(
  db: Db,
  { client_id, developer_id }: ClientKey,
  prefix: string,
): Promise<boolean> {
  const update = db
    .updateTable('clients')
    .set({ scope_prefix: prefix })
    .where('client_id', '=', client_id)
    .where('developer_id', '=', developer_id)
    .execute()
  return await update.then(
    () => true,
    (error: unknown) => {
      if (isUniqueViolation(error)) return false
      throw error
    },
  )
}

/** Finds the client that has reserved a scope prefix, if members of the developer account may see it. */
export async function findClientByScopePrefix(
  db: ReadDb,
  developer_id: string,
  prefix: string,
): Promise<string | undefined> {
  const query = present(db).select('client_id').where('scope_prefix', '=', prefix)
  return (await query.where(ownOrEnabled(developer_id)).executeTakeFirst())?.client_id
}
