import type { Db, ReadDb } from '../../db/open.ts'
import { type ClientKey, type ClientRow, present } from './store.ts'

/** Whether a client has at least so many connections. */
export async function hasConnections(db: ReadDb, client_id: string, least: number): Promise<boolean> {
  const rows = await db.selectFrom('connections').select('id').where('client_id', '=', client_id).limit(least).execute()
  return rows.length === least
}

/** Whether the clients of a developer account, also those that are being deleted, have at least so many connections together. */
export async function hasConnectionsTogether(db: ReadDb, developer_id: string, least: number): Promise<boolean> {
  const own = db.selectFrom('clients').select('client_id').where('developer_id', '=', developer_id)
  const rows = await db.selectFrom('connections').select('id').where('client_id', 'in', own).limit(least).execute()
  return rows.length === least
}

/** Lists the clients of a developer account that are not being deleted. */
export async function listClientsOfDeveloper(db: ReadDb, developer_id: string): Promise<ClientRow[]> {
  return await present(db).selectAll().where('developer_id', '=', developer_id).orderBy('client_id').execute()
}

/** Locks a client that is being deleted. */
export async function findDeletedClientForUpdate(db: Db, client_id: string): Promise<ClientRow | undefined> {
  return await db
    .selectFrom('clients')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Lists the clients that are being deleted: all, or those of a developer account. */
export async function listDeletedClients(db: ReadDb, developer_id?: string): Promise<string[]> {
  let query = db.selectFrom('clients').select('client_id').where('deleted_at', 'is not', null)
  if (developer_id !== undefined) query = query.where('developer_id', '=', developer_id)
  return (await query.execute()).map(({ client_id }) => client_id)
}

/** Foreign keys delete its URIs, scopes, connections and tokens. */
export async function deleteClientRow(db: Db, { client_id, developer_id }: ClientKey): Promise<void> {
  await db.deleteFrom('clients').where('client_id', '=', client_id).where('developer_id', '=', developer_id).execute()
}
