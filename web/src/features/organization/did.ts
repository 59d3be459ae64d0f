import type { DeveloperActivity } from '@vrata/contract/developers'
import type { PhraseKey } from '@vrata/phrases/keys'
import { useI18n } from '../../lib/i18n.tsx'

/** What was done, with the name that it had then. */
export function useSentence() {
  const { t } = useI18n()
  return ({ type, params }: DeveloperActivity) =>
    t(`organization.did.${type}`, { name: params.name ?? 'none', removed: params.removed ?? 'false' })
}

/** The second line: which fields, addresses, levels and scopes; nothing where the sentence says it all. */
export function useDetails() {
  const { t } = useI18n()

  /** A word that has a name on some page of ours is called by it. */
  const known = (key: string, word: string) => {
    const name = t(key as PhraseKey)
    return name === key ? word : name
  }
  const level = (word: string) => known(`ui.level.${word}`, word)

  return ({ type, params }: DeveloperActivity): string => {
    const { fields, from, to, redirect_uri, origin, scope, added, removed, grace, user, name } = params
    const of = type.includes('DEVELOPER') ? 'organization' : 'organization.app_field'
    const scopes = type === 'CHANGED_APP_SCOPES'
    return [
      fields
        ?.split(' ')
        .map((field) => known(`${of}.${field}`, field))
        .join(', '),
      from && to ? t('organization.activity.levels', { from: level(from), to: level(to) }) : to && level(to),
      redirect_uri ?? origin ?? scope ?? (name ? undefined : user),
      scopes && added && t('organization.activity.added', { scopes: added.replaceAll(' ', ', ') }),
      scopes && removed && t('organization.activity.removed', { scopes: removed.replaceAll(' ', ', ') }),
      grace && t('organization.activity.grace'),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}
