import type { UserInfo } from '@vrata/contract/account'
import { formatPhoneNumber } from '../../../lib/format/phone-number.ts'
import type { useI18n } from '../../../lib/i18n.tsx'

type Words = Pick<ReturnType<typeof useI18n>, 't' | 'format'>

/**
 * Values of the user that a scope reveals, for the consent screen; the claims of the issuer are the same. Empty where
 * no value is set and for other scopes.
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
      return user.phone_number ? [formatPhoneNumber(user.phone_number)] : []
    case 'address':
      return user.country_code ? [format.country(user.country_code)] : []
    default:
      return []
  }
}
