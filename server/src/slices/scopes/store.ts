import type { ReadDb } from '../../db/open.ts'

export type ScopeTextRow = { key: string; locale: string; title: string; description: string }

/** Keys that apps define, in their order. */
export async function listKeys(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('scopes').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

/** Those of `keys` that an app defines. */
export async function findKeys(db: ReadDb, keys: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('scopes').select('key').where('key', 'in', keys).execute()
  return rows.map(({ key }) => key)
}

/** Texts of scopes, in every language in which they are written. */
export async function listTexts(db: ReadDb, keys: readonly string[]): Promise<ScopeTextRow[]> {
  return await db
    .selectFrom('scope_texts')
    .select(['key', 'locale', 'title', 'description'])
    .where('key', 'in', keys)
    .execute()
}
