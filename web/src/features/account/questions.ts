import { account, type CallOf } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { GENDERS } from '@vrata/contract/catalogue'
import { isLocale, LOCALES, type Locale } from '@vrata/contract/locales'
import { constraintsOf } from '../../lib/constraints.ts'
import type { useI18n } from '../../lib/i18n.tsx'
import { spacedNumber } from '../../lib/telephone.ts'
import { unwrap } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'
import type { AskField } from '../../ui/ask.ts'
import { countryOptions } from './countries.ts'
import type { InfoName } from './infos.ts'

type I18nNow = ReturnType<typeof useI18n>
type Values = Record<string, string>

/** Profile fields as they travel. */
export type Changes = CallOf<typeof account.updateAccount>

/** What the dialog of one entry asks, and what its answers change. */
export type InfoQuestion = {
  message?: string
  fields: AskField[]
  changes: (values: Values) => Changes
}

type Asking = { user: UserInfo; i18n: I18nNow; wires: Wires }

/** The fields carry the names of the contract, so that what the server refuses lands on them. */
export const QUESTIONS: Record<InfoName, (asking: Asking) => InfoQuestion | Promise<InfoQuestion>> = {
  name: ({ user, i18n: { t } }) => ({
    message: t('account.name.text'),
    fields: [
      text('first_name', t('account.first_name'), user.first_name, { autoComplete: 'given-name' }),
      text('last_name', t('account.last_name'), user.last_name, { autoComplete: 'family-name' }),
    ],
    changes: ({ first_name = '', last_name = '' }) => ({ first_name: first_name.trim(), last_name: last_name.trim() }),
  }),

  username: ({ user, i18n: { t }, wires }) => ({
    message: t('account.username.text'),
    fields: [
      text('username', t('account.username'), user.username, {
        autoComplete: 'username',
        hint: t('account.username.hint'),
        invalid: t('account.username.invalid'),
        async live(username) {
          if (username === user.username) return null
          const answer = await wires.api(account.checkUsername, { username })
          if (!answer.ok) return null
          const { available } = answer.data
          return { fine: available, text: t(available ? 'account.username.free' : 'account.username.taken') }
        },
      }),
    ],
    changes: ({ username = '' }) => ({ username: username.trim() || null }),
  }),

  email: ({ user, i18n: { t } }) => ({
    message: t('account.email.text', { email: user.email }),
    fields: [text('email', t('account.email.new'), user.pending_email, { autoComplete: 'email', required: true })],
    // Naming the address that is confirmed means keeping it.
    changes: ({ email = '' }) =>
      email.trim().toLowerCase() === user.email ? { pending_email: null } : { email: email.trim().toLowerCase() },
  }),

  phone: ({ user, i18n: { t } }) => ({
    message: t('account.phone.text'),
    fields: [
      text('phone_number', t('account.phone'), spacedNumber(user.phone_number ?? ''), {
        type: 'tel',
        autoComplete: 'tel',
        hint: t('account.phone.hint'),
      }),
    ],
    changes: ({ phone_number = '' }) => ({ phone_number: phone_number.trim() || null }),
  }),

  'birth-date': ({ user, i18n: { t, locale } }) => ({
    fields: [
      {
        kind: 'date',
        name: 'birth_date',
        label: t('account.birth_date'),
        value: user.birth_date ?? '',
        min: '1900-01-01',
        max: new Date().toISOString().slice(0, 10),
        invalid: t('account.birth_date.invalid'),
        locale,
      },
    ],
    changes: ({ birth_date }) => ({ birth_date: birth_date || null }),
  }),

  gender: ({ user, i18n: { t } }) => ({
    fields: [
      {
        kind: 'select',
        name: 'gender',
        label: t('account.gender'),
        value: user.gender ?? '',
        options: [
          { value: '', label: t('account.none') },
          ...GENDERS.map((value) => ({ value, label: t(`account.gender.${value}`) })),
        ],
      },
    ],
    changes: ({ gender }) => ({ gender: GENDERS.find((known) => known === gender) ?? null }),
  }),

  country: async ({ user, i18n: { t, format, locale }, wires }) => ({
    message: t('account.country.text'),
    fields: [
      {
        kind: 'list',
        name: 'country_code',
        label: t('account.country'),
        value: user.country_code ?? '',
        options: countryOptions(unwrap(await wires.api(account.listCountries)), format, locale),
      },
    ],
    changes: ({ country_code }) => ({ country_code: country_code || null }),
  }),

  language: ({ user, i18n: { t, format } }) => {
    const languages = LOCALES.map((value) => ({ value, label: format.language(value) }))
    const none = { value: '', label: t('account.language.none') }
    return {
      message: t('account.language.text'),
      fields: (['first', 'second', 'third'] as const).map((place, index) => ({
        kind: 'select',
        name: place,
        label: t(`account.language.${place}`),
        value: user.language[index] ?? '',
        options: index === 0 ? languages : [none, ...languages],
      })),
      changes: ({ first, second, third }) => ({ language: localesOf([first, second, third]) }),
    }
  },
}

/** In the order in which they were named, each once. */
function localesOf(tags: readonly (string | undefined)[]): Locale[] {
  return [...new Set(tags.filter(isLocale))]
}

type TextField = Extract<AskField, { kind: 'text' }>

function text(name: keyof Changes & string, label: string, value: string | null, more: Partial<TextField>): TextField {
  const { min: _, max: __, type, ...native } = constraintsOf(account.updateAccount, name)
  const kind = type === 'email' ? { type } : {}
  return { kind: 'text', name, label, value: value ?? '', ...native, ...kind, ...more }
}
