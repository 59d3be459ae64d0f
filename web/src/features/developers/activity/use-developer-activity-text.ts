import type { DeveloperActivity } from '@vrata/contract/developers'
import { useI18n } from '../../../lib/i18n.tsx'

/** Text of an activity with the names at that time. */
export function useDeveloperActivityText() {
  const { t } = useI18n()
  return ({ type, params }: DeveloperActivity) =>
    t(`organization.did.${type}`, { name: params.name ?? 'none', removed: params.removed ?? 'false' })
}

/** Second line: changed fields, addresses, levels and scopes. */
export function useDeveloperActivityDetails() {
  const { t, find, format } = useI18n()

  /** Translates a value if a phrase exists. */
  const known = (key: string, word: string) => find(key) ?? word
  const level = (word: string) => known(`menu.level.${word}`, word)

  return ({ type, params }: DeveloperActivity): string => {
    const { fields, from, to, redirect_uri, origin, scope, added, removed, grace, user, name } = params
    const prefix = type.includes('DEVELOPER') ? 'organization' : 'organization.app_field'
    const scopes = type === 'CHANGED_APP_SCOPES'
    return [
      fields
        ?.split(' ')
        .map((field) => known(`${prefix}.${field}`, field))
        .map((name, index) => (index ? format.inText(name) : name))
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
