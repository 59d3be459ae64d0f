import type { UserInfo } from '@vrata/contract/account'
import type { useI18n } from '../../lib/i18n.tsx'
import { spacedNumber } from '../../lib/telephone.ts'

type Words = Pick<ReturnType<typeof useI18n>, 't' | 'format'>

/**
 * What an app would learn of this very person by a scope (issuer/claims.ts says the same in claims), for the consent
 * screen. Empty where nothing is kept, and for scopes that open something other than these details.
 */
export function sharedValues(key: string, user: UserInfo, { t, format }: Words): string[] {
  switch (key) {
    case 'profile':
      return [
        [user.first_name, user.last_name].filter(Boolean).join(' '),
        user.username ?? '',
        user.birth_date ? format.date(user.birth_date) : '',
        user.gender ? t(`connections.gender.${user.gender}`) : '',
        user.language[0] ? format.language(user.language[0]) : '',
      ].filter(Boolean)
    case 'email':
      return [user.email]
    case 'phone':
      return user.phone_number ? [spacedNumber(user.phone_number)] : []
    case 'address':
      return user.country_code ? [format.country(user.country_code)] : []
    default:
      return []
  }
}
