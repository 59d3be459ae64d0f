import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ClientsTable } from '../../db/schema.ts'

export type ClientRow = ClientsTable
/** A row of an organisation's app, fetched by its `developer_id` or by an engine that knows no organisations. */
export type ClientKey = Pick<ClientRow, 'client_id' | 'developer_id'>
/** What can change in an app; who it is and whose cannot. */
export type ClientChanges = Partial<Omit<ClientRow, 'client_id' | 'developer_id' | 'type' | 'created_at'>>

export async function insertClient(db: Db, row: ClientRow): Promise<void> {
  await db.insertInto('clients').values(row).execute()
}

/** An app of this organisation; another organisation's is not found. */
export async function findClient(db: ReadDb, developer_id: string, client_id: string): Promise<ClientRow | undefined> {
  return await db
    .selectFrom('clients')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
}

/** The same, and nobody else changes the app until this transaction has ended. */
export async function lockClient(db: Db, developer_id: string, client_id: string): Promise<ClientRow | undefined> {
  return await db
    .selectFrom('clients')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('client_id', '=', client_id)
    .forUpdate()
    .executeTakeFirst()
}

/** True when it is there; it then cannot go until this transaction has ended, but may change. */
export async function holdClient(db: Db, client_id: string): Promise<boolean> {
  const query = db.selectFrom('clients').select('client_id').where('client_id', '=', client_id).forKeyShare()
  return (await query.executeTakeFirst()) !== undefined
}

/** Whoever owns it: for the engine and for the people who are asked to allow it. */
export async function findClientOfAnybody(db: ReadDb, client_id: string): Promise<ClientRow | undefined> {
  return await db.selectFrom('clients').selectAll().where('client_id', '=', client_id).executeTakeFirst()
}

export async function listClientsOfAnybody(db: ReadDb, client_ids: readonly string[]): Promise<ClientRow[]> {
  if (client_ids.length === 0) return []
  return await db.selectFrom('clients').selectAll().where('client_id', 'in', client_ids).execute()
}

/** Where the next page begins: behind the app with this sorting name and id. */
export type ClientPlace = { sort_name: string; client_id: string }

/** Apps of an organisation by name, upper and lower case alike; one page, read by key. */
export async function listClients(
  db: ReadDb,
  developer_id: string,
  page: { after: ClientPlace | undefined; limit: number },
): Promise<(ClientRow & ClientPlace)[]> {
  const sortName = sql<string>`lower(name)`
  let query = db
    .selectFrom('clients')
    .selectAll()
    .select(sortName.as('sort_name'))
    .where('developer_id', '=', developer_id)
    .orderBy(sortName)
    .orderBy('client_id')
    .limit(page.limit)
  const { after } = page
  if (after) {
    query = query.where((e) =>
      e.or([
        e(sortName, '>', after.sort_name),
        e.and([e(sortName, '=', after.sort_name), e('client_id', '>', after.client_id)]),
      ]),
    )
  }
  return await query.execute()
}

export async function listClientIds(db: ReadDb, developer_id: string): Promise<string[]> {
  const rows = await db.selectFrom('clients').select('client_id').where('developer_id', '=', developer_id).execute()
  return rows.map(({ client_id }) => client_id)
}

export async function updateClient(
  db: Db,
  { client_id, developer_id }: ClientKey,
  changes: ClientChanges,
): Promise<void> {
  await db
    .updateTable('clients')
    .set(changes)
    .where('client_id', '=', client_id)
    .where('developer_id', '=', developer_id)
    .execute()
}

/** Its URIs, scopes, connections and tokens go with it, by foreign keys. */
export async function deleteClientRow(db: Db, { client_id, developer_id }: ClientKey): Promise<void> {
  await db.deleteFrom('clients').where('client_id', '=', client_id).where('developer_id', '=', developer_id).execute()
}
