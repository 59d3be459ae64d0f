import type { UserInfo } from '@vrata/contract/account'
import type { Formats } from '@vrata/phrases/format'
import type { PhraseKey } from '@vrata/phrases/keys'
import { formatPhoneNumber } from '../../lib/format/phone-number.ts'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { GlobeIcon, PersonIcon } from '../../ui/icons/icons.tsx'
import { AtIcon, CakeIcon, FlagIcon, MailIcon, PeopleIcon, TelephoneIcon } from '../../ui/icons/signed-in-icons.tsx'

/** Entries of the page by path segment `/your-info/{info?}` (product §2.2). */
export const INFO_NAMES = ['name', 'username', 'email', 'phone', 'birth-date', 'gender', 'country', 'language'] as const
export type InfoName = (typeof INFO_NAMES)[number]

/** Scope that reveals an entry to an app. */
export type VisibleTo = 'profile' | 'email' | 'phone' | 'address'

type Formatter = { t: (key: PhraseKey) => string; format: Formats }

type Info = {
  icon: Icon
  label: PhraseKey
  seen: VisibleTo
  /** Displayed value; empty when not set. */
  value: (user: UserInfo, speaker: Formatter) => string
}

/** Definition of each row. */
export const INFO_ENTRIES: Record<InfoName, Info> = {
  name: {
    icon: PersonIcon,
    label: 'account.name',
    seen: 'profile',
    value: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' '),
  },
  username: {
    icon: AtIcon,
    label: 'account.username',
    seen: 'profile',
    value: ({ username }) => username ?? '',
  },
  email: { icon: MailIcon, label: 'account.email', seen: 'email', value: ({ email }) => email },
  phone: {
    icon: TelephoneIcon,
    label: 'account.phone',
    seen: 'phone',
    value: ({ phone_number }) => formatPhoneNumber(phone_number ?? ''),
  },
  'birth-date': {
    icon: CakeIcon,
    label: 'account.birth_date',
    seen: 'profile',
    value: ({ birth_date }, { format }) => (birth_date ? format.date(birth_date) : ''),
  },
  gender: {
    icon: PeopleIcon,
    label: 'account.gender',
    seen: 'profile',
    value: ({ gender }, { t }) => (gender ? t(`account.gender.${gender}`) : ''),
  },
  country: {
    icon: FlagIcon,
    label: 'account.country',
    seen: 'address',
    value: ({ country_code }, { format }) => (country_code ? format.country(country_code) : ''),
  },
  language: {
    icon: GlobeIcon,
    label: 'account.language',
    seen: 'profile',
    value: ({ language }, { format }) => format.languages(language),
  },
}

export function isInfoName(word: string): word is InfoName {
  return Object.hasOwn(INFO_ENTRIES, word)
}
