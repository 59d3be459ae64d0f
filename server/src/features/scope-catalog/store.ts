import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ScopesTable, ScopeTextsTable } from '../../db/schema.ts'

export type ScopeRow = ScopesTable
export type ScopeTextRow = ScopeTextsTable

export type ScopeOwner = Pick<ScopeRow, 'key' | 'client_id' | 'created_at'>

/** Lists one page of the keys with the client that defines each, sorted by key. */
export async function listScopeOwners(
  db: ReadDb,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<ScopeOwner[]> {
  return await db
    .selectFrom('scopes')
    .select(['key', 'client_id', 'created_at'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
}

/** Finds the number of client-defined scopes and the latest time at which one was defined; both are read from an index. */
export async function findScopesSignature(db: ReadDb): Promise<{ count: number; newest: string | null }> {
  const { count, newest } = await db
    .selectFrom('scopes')
    .select((e) => [e.fn.countAll<number | string>().as('count'), e.fn.max('created_at').as('newest')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), newest }
}

/** Finds client-defined scopes by key. */
export async function findScopes(db: ReadDb, keys: readonly string[]): Promise<ScopeRow[]> {
  if (keys.length === 0) return []
  return await db.selectFrom('scopes').selectAll().where('key', 'in', keys).execute()
}

/** Locks the rows against deletion, in the order of keys, so that transactions do not deadlock (`for key share`). */
export async function listScopeKeysForShare(db: Db, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('scopes')
    .select('key')
    .where('key', 'in', keys)
    .orderBy('key')
    .forKeyShare()
    .execute()
  return rows.map(({ key }) => key)
}

/** Lists the texts of scopes in all languages. */
export async function listScopeTexts(db: ReadDb, keys: readonly string[]): Promise<ScopeTextRow[]> {
  if (keys.length === 0) return []
  return await db.selectFrom('scope_texts').selectAll().where('key', 'in', keys).execute()
}

/** Lists the scopes that a client defines, sorted by key. */
export async function listScopesOfClient(db: ReadDb, client_id: string): Promise<ScopeRow[]> {
  return await db.selectFrom('scopes').selectAll().where('client_id', '=', client_id).orderBy('key').execute()
}

/** Lists the keys that the clients define. */
export async function listScopeKeysOfClients(db: ReadDb, client_ids: readonly string[]) {
  if (client_ids.length === 0) return []
  return await db.selectFrom('scopes').select(['client_id', 'key']).where('client_id', 'in', client_ids).execute()
}

/** Locks the scopes that a client defines, so that none is granted until the transaction ends. Returns their keys. */
export async function listScopeKeysForUpdate(db: Db, client_id: string, key?: string): Promise<string[]> {
  let query = db.selectFrom('scopes').select('key').where('client_id', '=', client_id)
  if (key !== undefined) query = query.where('key', '=', key)
  const rows = await query.orderBy('key').forUpdate().execute()
  return rows.map((row) => row.key)
}

/** Lists one page of all client-defined scopes by key. `pattern` is a `LIKE` pattern on key and texts. */
export async function listScopes(
  db: ReadDb,
  page: { after: string | undefined; limit: number; pattern: string | undefined },
): Promise<ScopeRow[]> {
  let query = db.selectFrom('scopes').selectAll().orderBy('key').limit(page.limit)
  if (page.after !== undefined) query = query.where('key', '>', page.after)
  if (page.pattern !== undefined) query = query.where(sql<boolean>`search like ${page.pattern} escape '\\'`)
  return await query.execute()
}

/** Inserts or updates a scope and replaces its texts. */
export async function upsertScope(db: Db, row: ScopeRow, texts: readonly ScopeTextRow[]): Promise<void> {
  const { sensitive, required, search } = row
  await db
    .insertInto('scopes')
    .values(row)
    .onConflict((c) => c.column('key').doUpdateSet({ sensitive, required, search }))
    .execute()
  await db.deleteFrom('scope_texts').where('key', '=', row.key).execute()
  await db
    .insertInto('scope_texts')
    .values([...texts])
    .execute()
}

/** Foreign keys delete their texts and the rows of clients and connections that refer to them. */
export async function deleteScopes(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('scopes').where('key', 'in', keys).execute()
}
