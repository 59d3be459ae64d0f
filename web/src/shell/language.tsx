import { isLocale, LOCALES } from '@vrata/contract/locales'
import { useI18n } from '../lib/i18n.tsx'
import { useWires } from '../lib/wires.tsx'
import { LanguageSelect } from '../ui/language-select.tsx'

/** Each language in its own name, whatever the language of the page. */
const NAMES = { 'en-US': 'English', 'sl-SI': 'Slovenščina', 'hr-HR': 'Hrvatski' } as const

const OPTIONS = LOCALES.map((locale) => ({ value: locale, label: NAMES[locale] }))

/** Chooses the language of the interface. */
export function Language({ className }: { className?: string }) {
  const { t, locale } = useI18n()
  const { changeLanguage } = useWires()
  return (
    <LanguageSelect
      className={className}
      label={t('ui.language')}
      value={locale}
      options={OPTIONS}
      onChange={(value) => isLocale(value) && void changeLanguage(value)}
    />
  )
}
