/**
 * Scopes: what an app may ask a person for. The product's own stand in code and speak three languages; the others are
 * defined by apps and stand in the tables `scopes` and `scope_texts`, which this slice owns. It has no calls yet.
 */
import { LOCALES, type Locale } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import type { ReadDb } from '../../db/open.ts'
import { findKeys, listKeys, listTexts, type ScopeTextRow } from './store.ts'

/** The product's own (OpenID Connect Core §5.4 and §11; api.md §6). */
export const OWN_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const
export type OwnScope = (typeof OWN_SCOPES)[number]

export type ScopeText = { key: string; title: string; description: string }

export function isOwnScope(key: string): key is OwnScope {
  return (OWN_SCOPES as readonly string[]).includes(key)
}

/** Keys of all scopes that apps define; the engine's snapshot is made of these and `OWN_SCOPES`. */
export function listScopeKeys(db: ReadDb): Promise<string[]> {
  return listKeys(db)
}

/** Those of `keys` that exist, the product's own among them. */
export async function knownScopes(db: ReadDb, keys: readonly string[]): Promise<Set<string>> {
  const defined = keys.filter((key) => !isOwnScope(key))
  const found = defined.length > 0 ? await findKeys(db, defined) : []
  return new Set([...keys.filter(isOwnScope), ...found])
}

/**
 * Title and description of scopes in one language, in the order of `keys`; keys that do not exist are left out. A text
 * that an app wrote in other languages only is shown in one of those, and a scope without any text as its key.
 */
export async function describeScopes(db: ReadDb, keys: readonly string[], locale: Locale): Promise<ScopeText[]> {
  const known = await knownScopes(db, keys)
  const defined = [...known].filter((key) => !isOwnScope(key))
  const rows = defined.length > 0 ? await listTexts(db, defined) : []
  return keys
    .filter((key) => known.has(key))
    .map((key) => (isOwnScope(key) ? ownText(key, locale) : textOf(key, locale, rows)))
}

function ownText(key: OwnScope, locale: Locale): ScopeText {
  const say = translator(locale)
  return {
    key,
    title: say(`connections.scope.${key}.title`),
    description: say(`connections.scope.${key}.description`),
  }
}

function textOf(key: string, locale: Locale, rows: readonly ScopeTextRow[]): ScopeText {
  const written = rows.filter((row) => row.key === key)
  const row =
    written.find((text) => text.locale === locale) ??
    LOCALES.map((other) => written.find((text) => text.locale === other)).find(Boolean)
  return { key, title: row?.title ?? key, description: row?.description ?? '' }
}
