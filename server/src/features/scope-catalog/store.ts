import type { Db, ReadDb } from '../../db/open.ts'
import type { ScopesTable, ScopeTextsTable } from '../../db/schema.ts'
import { inBatches } from '../../lib/batches.ts'

export type ScopeRow = ScopesTable
export type ScopeTextRow = ScopeTextsTable

export type ScopeOwner = Pick<ScopeRow, 'key' | 'client_id' | 'created_at'>

/** Scopes that are not deleted. */
const present = (db: ReadDb) => db.selectFrom('scopes').where('deleted_at', 'is', null)

/** Lists one page of the keys with the client that defines each, sorted by key. */
export async function listScopeOwners(
  db: ReadDb,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<ScopeOwner[]> {
  return await present(db)
    .select(['key', 'client_id', 'created_at'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
}

/** Finds the number of client-defined scopes and the latest time at which one was defined; both are read from an index. */
export async function findScopesSignature(db: ReadDb): Promise<{ count: number; newest: string | null }> {
  const { count, deleted, newest } = await db
    .selectFrom('scopes')
    .select((e) => [e.fn.countAll<number | string>().as('count'), e.fn.max('created_at').as('newest')])
    .select((e) =>
      e
        .selectFrom('scopes as gone')
        .select((gone) => gone.fn.countAll<number | string>().as('n'))
        .where('gone.deleted_at', 'is not', null)
        .as('deleted'),
    )
    .executeTakeFirstOrThrow()
  return { count: Number(count) - Number(deleted), newest }
}

/** Finds client-defined scopes by key. */
export async function findScopes(db: ReadDb, keys: readonly string[]): Promise<ScopeRow[]> {
  if (keys.length === 0) return []
  return await present(db).selectAll().where('key', 'in', keys).execute()
}

/** Locks the rows against deletion, in the order of keys, so that transactions do not deadlock (`for key share`). */
export async function listScopeKeysForShare(db: Db, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await present(db).select('key').where('key', 'in', keys).orderBy('key').forKeyShare().execute()
  return rows.map(({ key }) => key)
}

/** Lists the texts of scopes in all languages. */
export async function listScopeTexts(db: ReadDb, keys: readonly string[]): Promise<ScopeTextRow[]> {
  if (keys.length === 0) return []
  return await db.selectFrom('scope_texts').selectAll().where('key', 'in', keys).execute()
}

/** Lists the scopes that a client defines, sorted by key. */
export async function listScopesOfClient(db: ReadDb, client_id: string): Promise<ScopeRow[]> {
  return await present(db).selectAll().where('client_id', '=', client_id).orderBy('key').execute()
}

/** Lists the keys that the clients define. */
export async function listScopeKeysOfClients(db: ReadDb, client_ids: readonly string[]) {
  const query = present(db).select(['client_id', 'key'])
  return await inBatches(client_ids, (some) => query.where('client_id', 'in', some).execute())
}

/** Locks the scopes that a client defines, so that none is granted until the transaction ends. Returns their keys. */
export async function listScopeKeysForUpdate(db: Db, client_id: string, key?: string): Promise<string[]> {
  let query = present(db).select('key').where('client_id', '=', client_id)
  if (key !== undefined) query = query.where('key', '=', key)
  const rows = await query.orderBy('key').forUpdate().execute()
  return rows.map((row) => row.key)
}

/** Inserts or updates a scope and replaces its texts. Returns false for one that is being deleted. */
export async function upsertScope(db: Db, row: ScopeRow, texts: readonly ScopeTextRow[]): Promise<boolean> {
  const { sensitive, required, search } = row
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('scopes')
    .values(row)
    .onConflict((c) =>
      c.column('key').doUpdateSet({ sensitive, required, search }).where('scopes.deleted_at', 'is', null),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await db.deleteFrom('scope_texts').where('key', '=', row.key).execute()
  await db
    .insertInto('scope_texts')
    .values([...texts])
    .execute()
  return true
}

/** Marks scopes as deleted; no read finds them any more. */
export async function markScopesDeleted(db: Db, keys: readonly string[], deleted_at: string): Promise<void> {
  if (keys.length > 0) await db.updateTable('scopes').set({ deleted_at }).where('key', 'in', keys).execute()
}

/** Lists the scopes that are being deleted: all, or those of a client. */
export async function listDeletedScopes(db: ReadDb, client_id?: string): Promise<string[]> {
  let query = db.selectFrom('scopes').select('key').where('deleted_at', 'is not', null)
  if (client_id !== undefined) query = query.where('client_id', '=', client_id)
  return (await query.execute()).map(({ key }) => key)
}

export async function hasDeletedScopes(db: ReadDb, client_id: string): Promise<boolean> {
  return (await listDeletedScopes(db, client_id)).length > 0
}

/** Deletes a scope that is marked as deleted. */
export async function deleteDeletedScope(db: Db, key: string): Promise<void> {
  await db.deleteFrom('scopes').where('key', '=', key).where('deleted_at', 'is not', null).execute()
}

/** Foreign keys delete their texts and the rows of clients and connections that refer to them. */
export async function deleteScopes(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await db.deleteFrom('scopes').where('key', 'in', keys).execute()
}
