import type { UserInfo } from '@vrata/contract/account'
import type { Formats } from '@vrata/phrases/format'
import type { PhraseKey } from '@vrata/phrases/keys'
import { spacedNumber } from '../../lib/telephone.ts'
import type { Icon } from '../../ui/draw-icon.tsx'
import { GlobeIcon, PersonIcon } from '../../ui/icons.tsx'
import { AtIcon, CakeIcon, FlagIcon, MailIcon, PeopleIcon, TelephoneIcon } from '../../ui/inner-icons.tsx'

/** The entries of the page, by the word of their address (specification §2, `/your-info/{info?}`). */
export const INFO_NAMES = ['name', 'username', 'email', 'phone', 'birth-date', 'gender', 'country', 'language'] as const
export type InfoName = (typeof INFO_NAMES)[number]

/** Which permission lets an app see an entry; without one of them it sees nothing of it. */
export type Seen = 'profile' | 'email' | 'phone' | 'address'

type Speaker = { t: (key: PhraseKey) => string; format: Formats }

type Info = {
  icon: Icon
  label: PhraseKey
  seen: Seen
  /** As it reads on the page; empty while nothing has been said. */
  value: (user: UserInfo, speaker: Speaker) => string
}

/** What stands in each row. */
export const INFOS: Record<InfoName, Info> = {
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
    value: ({ phone_number }) => spacedNumber(phone_number ?? ''),
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
    value: ({ language }, { format }) => language.map((tag) => format.language(tag)).join(', '),
  },
}

export function isInfoName(word: string): word is InfoName {
  return Object.hasOwn(INFOS, word)
}
