import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ScopesTable, ScopeTextsTable } from '../../db/schema.ts'

export type ScopeRow = ScopesTable
export type ScopeTextRow = ScopeTextsTable

/** Keys that apps define, in their order. */
export async function listKeys(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('scopes').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

/** The same with the app that defines each. */
export async function listOwners(db: ReadDb): Promise<{ key: string; client_id: string }[]> {
  return await db.selectFrom('scopes').select(['key', 'client_id']).orderBy('key').execute()
}

/** Those of `keys` that an app defines. */
export async function findScopes(db: ReadDb, keys: readonly string[]): Promise<ScopeRow[]> {
  if (keys.length === 0) return []
  return await db.selectFrom('scopes').selectAll().where('key', 'in', keys).execute()
}

/** The same; they then cannot go until this transaction has ended. Always in one order, so that nobody waits in a ring. */
export async function holdScopes(db: Db, keys: readonly string[]): Promise<string[]> {
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

/** Texts of scopes, in every language in which they are written. */
export async function listTexts(db: ReadDb, keys: readonly string[]): Promise<ScopeTextRow[]> {
  if (keys.length === 0) return []
  return await db.selectFrom('scope_texts').selectAll().where('key', 'in', keys).execute()
}

/** What an app defines, by key. */
export async function listScopesOf(db: ReadDb, client_id: string): Promise<ScopeRow[]> {
  return await db.selectFrom('scopes').selectAll().where('client_id', '=', client_id).orderBy('key').execute()
}

/** Keys that these apps define. */
export async function listKeysOf(db: ReadDb, client_ids: readonly string[]) {
  if (client_ids.length === 0) return []
  return await db.selectFrom('scopes').select(['client_id', 'key']).where('client_id', 'in', client_ids).execute()
}

/** What an app defines, and nobody is given any of them until this transaction has ended. */
export async function lockScopesOf(db: Db, client_id: string, key?: string): Promise<string[]> {
  let query = db.selectFrom('scopes').select('key').where('client_id', '=', client_id)
  if (key !== undefined) query = query.where('key', '=', key)
  const rows = await query.orderBy('key').forUpdate().execute()
  return rows.map((row) => row.key)
}

/** One page of all that apps define, by key; `pattern` is one of `LIKE`. */
export async function listScopes(
  db: ReadDb,
  page: { after: string | undefined; limit: number; pattern: string | undefined },
): Promise<ScopeRow[]> {
  let query = db.selectFrom('scopes').selectAll().orderBy('key').limit(page.limit)
  if (page.after !== undefined) query = query.where('key', '>', page.after)
  if (page.pattern !== undefined) query = query.where(sql<boolean>`search like ${page.pattern} escape '\\'`)
  return await query.execute()
}

/** Its texts are replaced by these. */
export async function putScope(db: Db, row: ScopeRow, texts: readonly ScopeTextRow[]): Promise<void> {
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

/** Texts, and who asks for them and holds them, go with them by foreign keys. */
export async function deleteScopes(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('scopes').where('key', 'in', keys).execute()
}
