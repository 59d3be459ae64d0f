/**
 * The catalog of scopes: standard scopes are constants with translated texts, others are defined by clients and stored in
 * the tables `scopes` and `scope_texts`, which this feature owns. The feature `scopes` serves the calls.
 */
import { LOCALES, type Locale, type scopes } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { fromFlag } from '../../db/values.ts'
import { describeStandardScope, isStandardScope, OPENID_SCOPE } from './standard-scopes.ts'
import { findScopes, listScopeKeysForShare, listScopeTexts, type ScopeRow, type ScopeTextRow } from './store.ts'

export { isStandardScope, OPENID_SCOPE, STANDARD_SCOPES, standardScopeMatches } from './standard-scopes.ts'
export {
  deleteDeletedScope,
  deleteScopes,
  findScopes,
  findScopesSignature,
  hasDeletedScopes,
  listDeletedScopes,
  listScopeKeysForUpdate,
  listScopeKeysOfClients,
  listScopeOwners,
  listScopesOfClient,
  markScopesDeleted,
  type ScopeOwner,
  type ScopeRow,
  upsertScope,
} from './store.ts'

/** A scope with texts in one language, and the client that defines it; null for standard scopes. */
export type ScopeWithClient = Omit<scopes.DescribedScope, 'client'> & { client_id: string | null }

/** Returns those of `keys` that exist, standard scopes included. */
export async function findExistingScopes(db: ReadDb, keys: readonly string[]): Promise<Set<string>> {
  const found = await findScopes(db, withoutStandardScopes(keys))
  return new Set([...keys.filter(isStandardScope), ...found.map(({ key }) => key)])
}

/** Like `findExistingScopes`; the scopes cannot be removed until the transaction ends. */
export async function findExistingScopesForShare(db: Db, keys: readonly string[]): Promise<Set<string>> {
  return new Set([...keys.filter(isStandardScope), ...(await listScopeKeysForShare(db, withoutStandardScopes(keys)))])
}

/** Returns the keys that are not standard scopes. */
export function withoutStandardScopes(keys: readonly string[]): string[] {
  return keys.filter((key) => !isStandardScope(key))
}

/**
 * Returns title and description of scopes in one language, in the order of `keys`; unknown keys are left out. A scope
 * without texts in the language falls back to another language, and without any text to its key.
 */
export async function describeScopes(db: ReadDb, keys: readonly string[], locale: Locale): Promise<ScopeWithClient[]> {
  const rows = await describeRows(db, await findScopes(db, withoutStandardScopes(keys)), locale)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return keys.flatMap((key) => {
    const described = isStandardScope(key) ? { ...describeStandardScope(key, locale), client_id: null } : byKey.get(key)
    return described ? [described] : []
  })
}

/** Like `describeScopes`, for rows that are already read. */
export async function describeRows(db: ReadDb, rows: readonly ScopeRow[], locale: Locale): Promise<ScopeWithClient[]> {
  const texts = await listTextsByKey(db, rows)
  return rows.map(({ key, client_id, sensitive, required }) => {
    const text = chooseText(texts.get(key) ?? [], locale)
    return {
      key,
      title: text?.title ?? key,
      description: text?.description ?? '',
      sensitive: fromFlag(sensitive),
      required: fromFlag(required),
      language: text ? (text.locale as Locale) : null,
      client_id,
    }
  })
}

async function listTextsByKey(db: ReadDb, rows: readonly ScopeRow[]): Promise<Map<string, ScopeTextRow[]>> {
  const keys = rows.map(({ key }) => key)
  return Map.groupBy(await listScopeTexts(db, keys), ({ key }) => key)
}

function chooseText(written: readonly ScopeTextRow[], locale: Locale): ScopeTextRow | undefined {
  return [locale, ...LOCALES].map((one) => written.find((text) => text.locale === one)).find(Boolean)
}

/** Returns scopes with all texts by language, for the client that defines them. */
export async function withTexts(db: ReadDb, rows: readonly ScopeRow[]): Promise<scopes.DefinedScope[]> {
  const texts = await listTextsByKey(db, rows)
  return rows.map(({ key, sensitive, required, created_at }) => {
    const written = texts.get(key) ?? []
    return {
      key,
      title: Object.fromEntries(written.map(({ locale, title }) => [locale, title])),
      description: Object.fromEntries(
        written.filter(({ description }) => description !== '').map(({ locale, description }) => [locale, description]),
      ),
      sensitive: fromFlag(sensitive),
      required: fromFlag(required),
      created_at,
    }
  })
}

/** Returns those of `keys` that the user cannot decline on the consent screen. */
export async function findRequiredScopes(db: ReadDb, keys: readonly string[]): Promise<string[]> {
  const rows = await findScopes(db, withoutStandardScopes(keys))
  const required = new Set(rows.filter((row) => fromFlag(row.required)).map(({ key }) => key))
  return keys.filter((key) => key === OPENID_SCOPE || required.has(key))
}
