import type { BrandingSettings } from '@vrata/contract/branding'
import { LIMITS } from '@vrata/contract/limits'
import type { Locale } from '@vrata/contract/locales'
import { useI18n } from '../../lib/i18n.tsx'
import { MultilineField } from '../../ui/form/multiline-field.tsx'
import type { TextField } from './use-draft.ts'

const MAX = { mail_footer: LIMITS.mail_footer_max, sign_in_text: LIMITS.sign_in_text_max }

type Props = {
  field: TextField
  draft: BrandingSettings
  readOnly: boolean
  onChange: (field: TextField, locale: Locale, text: string) => void
  onFocus: (locale: Locale) => void
}

/** A text in each offered language. */
export function TextsField({ field, draft, readOnly, onChange, onFocus }: Props) {
  const { t, format } = useI18n()
  return draft.languages.map((locale) => (
    <MultilineField
      key={locale}
      name={`${field}.${locale}`}
      label={t('branding.in.language', {
        what: format.inText(t(`branding.${field}`)),
        language: format.language(locale.slice(0, 2)),
      })}
      value={draft[field][locale] ?? ''}
      maxLength={MAX[field]}
      readOnly={readOnly}
      rows={2}
      lang={locale}
      onChange={({ currentTarget }) => onChange(field, locale, currentTarget.value)}
      onFocus={() => onFocus(locale)}
    />
  ))
}
