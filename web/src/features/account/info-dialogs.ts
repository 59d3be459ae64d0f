import { account, type CallOf } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { GENDERS } from '@vrata/contract/catalog'
import { isLocale, LOCALES, type Locale } from '@vrata/contract/locales'
import { dataOrThrow } from '../../lib/api/call-query.ts'
import { constraintsOf } from '../../lib/api/constraints.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { formatPhoneNumber } from '../../lib/format/phone-number.ts'
import type { useI18n } from '../../lib/i18n.tsx'
import type { DialogFieldOptions } from '../../ui/dialog/show-dialog.ts'
import { countryOptions } from './country-options.ts'
import type { InfoName } from './info-entries.ts'

type I18nNow = ReturnType<typeof useI18n>
type Values = Record<string, string>

/** Body of the account update. */
export type Changes = CallOf<typeof account.updateAccount>

/** Dialog of one entry and the changes that its values produce. */
export type InfoDialog = {
  message?: string
  fields: DialogFieldOptions[]
  changes: (values: Values) => Changes
}

type InfoDialogInput = { user: UserInfo; i18n: I18nNow; context: AppContext }

/** Fields have the names of the contract, so that server errors appear on them. */
export const INFO_DIALOGS: Record<InfoName, (asking: InfoDialogInput) => InfoDialog | Promise<InfoDialog>> = {
  name: ({ user, i18n: { t } }) => ({
    message: t('account.name.text'),
    fields: [
      text('first_name', t('account.first_name'), user.first_name, { autoComplete: 'given-name' }),
      text('last_name', t('account.last_name'), user.last_name, { autoComplete: 'family-name' }),
    ],
    changes: ({ first_name = '', last_name = '' }) => ({ first_name: first_name.trim(), last_name: last_name.trim() }),
  }),

  username: ({ user, i18n: { t }, context }) => ({
    message: t('account.username.text'),
    fields: [
      text('username', t('account.username'), user.username, {
        autoComplete: 'username',
        hint: t('account.username.hint'),
        invalid: t('account.username.invalid'),
        async live(username) {
          if (username === user.username) return null
          const answer = await context.api(account.checkUsername, { username })
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
    // Entering the confirmed address cancels a pending change.
    changes: ({ email = '' }) =>
      email.trim().toLowerCase() === user.email ? { pending_email: null } : { email: email.trim().toLowerCase() },
  }),

  phone: ({ user, i18n: { t } }) => ({
    message: t('account.phone.text'),
    fields: [
      text('phone_number', t('account.phone'), formatPhoneNumber(user.phone_number ?? ''), {
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

  country: async ({ user, i18n: { t, format, locale }, context }) => ({
    message: t('account.country.text'),
    fields: [
      {
        kind: 'list',
        name: 'country_code',
        label: t('account.country'),
        value: user.country_code ?? '',
        options: countryOptions(dataOrThrow(await context.api(account.listCountries)), format, locale),
      },
    ],
    changes: ({ country_code }) => ({ country_code: country_code || null }),
  }),

  language: ({ user, i18n: { t, format, brand } }) => {
    // Languages that are no longer offered stay where they are chosen.
    const offered = LOCALES.filter((one) => user.language.includes(one) || (brand.languages?.includes(one) ?? true))
    const languages = offered.map((value) => ({ value, label: format.language(value) }))
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

/** Locales in the given order without duplicates. */
function localesOf(tags: readonly (string | undefined)[]): Locale[] {
  return [...new Set(tags.filter(isLocale))]
}

type TextField = Extract<DialogFieldOptions, { kind: 'text' }>

function text(name: keyof Changes & string, label: string, value: string | null, more: Partial<TextField>): TextField {
  const { min: _, max: __, type, ...native } = constraintsOf(account.updateAccount, name)
  const kind = type === 'email' ? { type } : {}
  return { kind: 'text', name, label, value: value ?? '', ...native, ...kind, ...more }
}
