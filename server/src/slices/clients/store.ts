import { type SqlBool, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ClientsTable } from '../../db/schema.ts'
import { anywhere } from '../../db/search-text.ts'

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

/** The same, and nobody else changes the app until this transaction has ended; people go on signing in to it. */
export async function lockClient(db: Db, developer_id: string, client_id: string): Promise<ClientRow | undefined> {
  return await db
    .selectFrom('clients')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('client_id', '=', client_id)
    .forNoKeyUpdate()
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
export type ClientPlace = Pick<ClientRow, 'sort_name' | 'client_id'>

/** Apps of an organisation by name; one page, read by key. `matching`: a folded text that stands in the name. */
export async function listClients(
  db: ReadDb,
  developer_id: string,
  page: { matching: string | undefined; after: ClientPlace | undefined; limit: number },
): Promise<ClientRow[]> {
  const { matching, after } = page
  let query = db
    .selectFrom('clients')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .orderBy('sort_name')
    .orderBy('client_id')
    .limit(page.limit)
  if (matching) query = query.where(sql<SqlBool>`sort_name like ${anywhere(matching)} escape '\\'`)
  if (after) {
    // The first condition alone is true already; by it an index is entered in the right place.
    query = query
      .where('sort_name', '>=', after.sort_name)
      .where((e) => e.or([e('sort_name', '>', after.sort_name), e('client_id', '>', after.client_id)]))
  }
  return await query.execute()
}

/** What must be ended one by one when an organisation ends. */
export async function listClientIcons(
  db: ReadDb,
  developer_id: string,
): Promise<Pick<ClientRow, 'client_id' | 'icon'>[]> {
  return await db.selectFrom('clients').select(['client_id', 'icon']).where('developer_id', '=', developer_id).execute()
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

/** Unless the secret has been replaced, or another process was faster. */
export async function markSecretUsed(
  db: Db,
  { client_id, secret_hash }: Pick<ClientRow, 'client_id' | 'secret_hash'>,
  { now, before }: { now: ClientRow['created_at']; before: string },
): Promise<void> {
  await db
    .updateTable('clients')
    .set({ secret_last_used_at: now })
    .where('client_id', '=', client_id)
    .where('secret_hash', '=', secret_hash)
    .where((e) => e.or([e('secret_last_used_at', 'is', null), e('secret_last_used_at', '<=', before)]))
    .execute()
}

/** False when it was noted before. */
export async function noteFirst(db: Db, client_id: string, first_sign_in_at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clients')
    .set({ first_sign_in_at })
    .where('client_id', '=', client_id)
    .where('first_sign_in_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Its URIs, scopes, connections and tokens go with it, by foreign keys. */
export async function deleteClientRow(db: Db, { client_id, developer_id }: ClientKey): Promise<void> {
  await db.deleteFrom('clients').where('client_id', '=', client_id).where('developer_id', '=', developer_id).execute()
}
