import { LOCALES, type Locale, type scopes } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import { folded } from '../../db/search-text.ts'

/** Scopes of OpenID Connect (Core §5.4 and §11; api §6), and `groups` for those of the installation (operators §5). */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'groups', 'offline_access'] as const
export type StandardScope = (typeof STANDARD_SCOPES)[number]

/** Every sign-in requires it (OpenID Connect Core §3.1.2.1), so it cannot be declined on its own. */
export const OPENID_SCOPE = 'openid' satisfies StandardScope

export function isStandardScope(key: string): key is StandardScope {
  return (STANDARD_SCOPES as readonly string[]).includes(key)
}

/** Describes a scope of OpenID Connect or of the product in a language. */
export function describeStandardScope(key: StandardScope, language: Locale): scopes.DescribedScope {
  const say = translator(language)
  return {
    key,
    title: say(`connections.scope.${key}.title`),
    description: say(`connections.scope.${key}.description`),
    sensitive: false,
    required: key === OPENID_SCOPE,
    language,
  }
}

/** Returns whether key, title or description contain the folded text, in any language. */
export function standardScopeMatches(key: StandardScope, wanted: string): boolean {
  return LOCALES.some((locale) => {
    const { title, description } = describeStandardScope(key, locale)
    return folded(key, title, description).includes(wanted)
  })
}
