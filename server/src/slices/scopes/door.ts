/**
 * Scopes: what an app may ask a person for. The product's own stand in code and speak three languages; the others are
 * defined by apps and stand in the tables `scopes` and `scope_texts`, which this slice owns. Its calls are about an app,
 * so the slice `clients` serves them.
 */
import { LOCALES, type Locale, type scopes } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { fromFlag } from '../../db/values.ts'
import { isOwnScope, OWN_SCOPES, ownScope, SIGN_IN_SCOPE } from './own.ts'
import { findScopes, holdScopes, listKeys, listOwners, listTexts, type ScopeRow, type ScopeTextRow } from './store.ts'

export { isOwnScope, OWN_SCOPES, ownScopeMatches, SIGN_IN_SCOPE } from './own.ts'
export { deleteScopes, listKeysOf, listScopes, listScopesOf, lockScopesOf, putScope, type ScopeRow } from './store.ts'

/** A scope as people see it, and whose it is; null for the product's own. */
export type Described = Omit<scopes.ShownScope, 'client'> & { client_id: string | null }

/** Keys of all scopes that apps define; the engine's snapshot is made of these and `OWN_SCOPES`. */
export function listScopeKeys(db: ReadDb): Promise<string[]> {
  return listKeys(db)
}

/** Every scope there is and the app that defines it; undefined for the product's own. */
export async function scopeOwners(db: ReadDb): Promise<Map<string, string | undefined>> {
  const defined = await listOwners(db)
  return new Map([
    ...OWN_SCOPES.map((key): [string, undefined] => [key, undefined]),
    ...defined.map(({ key, client_id }): [string, string] => [key, client_id]),
  ])
}

/** Those of `keys` that exist, the product's own among them. */
export async function knownScopes(db: ReadDb, keys: readonly string[]): Promise<Set<string>> {
  const found = await findScopes(db, definedAmong(keys))
  return new Set([...keys.filter(isOwnScope), ...found.map(({ key }) => key)])
}

/** The same; they then exist until this transaction has ended. */
export async function heldScopes(db: Db, keys: readonly string[]): Promise<Set<string>> {
  return new Set([...keys.filter(isOwnScope), ...(await holdScopes(db, definedAmong(keys)))])
}

/** Those that apps define, or would if they existed. */
export function definedAmong(keys: readonly string[]): string[] {
  return keys.filter((key) => !isOwnScope(key))
}

/**
 * Title and description of scopes in one language, in the order of `keys`; keys that do not exist are left out. A text
 * that an app wrote in other languages only is shown in one of those, and a scope without any text as its key.
 */
export async function describeScopes(db: ReadDb, keys: readonly string[], locale: Locale): Promise<Described[]> {
  const rows = await describeRows(db, await findScopes(db, definedAmong(keys)), locale)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return keys.flatMap((key) => {
    const described = isOwnScope(key) ? { ...ownScope(key, locale), client_id: null } : byKey.get(key)
    return described ? [described] : []
  })
}

/** The same for rows that have been read already. */
export async function describeRows(db: ReadDb, rows: readonly ScopeRow[], locale: Locale): Promise<Described[]> {
  const texts = await textsOf(db, rows)
  return rows.map(({ key, client_id, sensitive, required }) => {
    const text = inLanguage(texts.get(key) ?? [], locale)
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

async function textsOf(db: ReadDb, rows: readonly ScopeRow[]): Promise<Map<string, ScopeTextRow[]>> {
  const keys = rows.map(({ key }) => key)
  return Map.groupBy(await listTexts(db, keys), ({ key }) => key)
}

function inLanguage(written: readonly ScopeTextRow[], locale: Locale): ScopeTextRow | undefined {
  return [locale, ...LOCALES].map((one) => written.find((text) => text.locale === one)).find(Boolean)
}

/** Scopes as the app sees that defines them: all texts, by language. */
export async function withTexts(db: ReadDb, rows: readonly ScopeRow[]): Promise<scopes.DefinedScope[]> {
  const texts = await textsOf(db, rows)
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

/** Which of these nobody can leave out who allows an app what it asks for. */
export async function requiredScopes(db: ReadDb, keys: readonly string[]): Promise<string[]> {
  const rows = await findScopes(db, definedAmong(keys))
  const required = new Set(rows.filter((row) => fromFlag(row.required)).map(({ key }) => key))
  return keys.filter((key) => key === SIGN_IN_SCOPE || required.has(key))
}
