import { LOCALES, type Locale, type scopes } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import { folded } from '../../db/search-text.ts'

/** The product's own (OpenID Connect Core §5.4 and §11; api.md §6). */
export const OWN_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const
export type OwnScope = (typeof OWN_SCOPES)[number]

/** Without it a sign-in is none (OpenID Connect Core §3.1.2.1), so it cannot be declined on its own. */
export const SIGN_IN_SCOPE = 'openid' satisfies OwnScope

export function isOwnScope(key: string): key is OwnScope {
  return (OWN_SCOPES as readonly string[]).includes(key)
}

export function ownScope(key: OwnScope, language: Locale): scopes.ShownScope {
  const say = translator(language)
  return {
    key,
    title: say(`connections.scope.${key}.title`),
    description: say(`connections.scope.${key}.description`),
    sensitive: false,
    required: key === SIGN_IN_SCOPE,
    language,
  }
}

/** Whether a folded text stands in the key, title or description of the scope, in any language. */
export function ownScopeMatches(key: OwnScope, wanted: string): boolean {
  return LOCALES.some((locale) => {
    const { title, description } = ownScope(key, locale)
    return folded(key, title, description).includes(wanted)
  })
}
