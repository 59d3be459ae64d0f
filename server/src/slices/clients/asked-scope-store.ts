import { listWithout } from '../../db/json-list.ts'
import type { Db, ReadDb } from '../../db/open.ts'

/** Notes which scopes of apps this app asks for now. */
export async function setAskedScopes(db: Db, client_id: string, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('client_scopes').where('client_id', '=', client_id).execute()
  if (keys.length === 0) return
  await db
    .insertInto('client_scopes')
    .values(keys.map((key) => ({ key, client_id })))
    .execute()
}

export type AskingApp = { client_id: string; name: string; icon: string | null }

/** Apps that ask for a scope, of any organisation, by name. */
export async function listAsking(db: ReadDb, key: string, limit: number): Promise<AskingApp[]> {
  return await db
    .selectFrom('client_scopes')
    .innerJoin('clients', 'clients.client_id', 'client_scopes.client_id')
    .select(['clients.client_id', 'clients.name', 'clients.icon'])
    .where('client_scopes.key', '=', key)
    .orderBy('clients.name')
    .orderBy('clients.client_id')
    .limit(limit)
    .execute()
}

/** No app asks for it any more; answers which did. */
export async function forgetAsked(db: Db, key: string): Promise<string[]> {
  const asking = db.selectFrom('client_scopes').select('client_id').where('key', '=', key)
  const rows = await db
    .updateTable('clients')
    .set({ scopes: listWithout('scopes', key) })
    .where('client_id', 'in', asking)
    .returning('client_id')
    .execute()
  return rows.map(({ client_id }) => client_id)
}
