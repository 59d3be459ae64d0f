import type { Locale } from '@vrata/contract/locales'
import { useI18n } from '../../lib/i18n.tsx'

/** Language name without the country, for example `Slovenian`. */
export function useLanguageName(): (locale: Locale) => string {
  const { format } = useI18n()
  return (locale) => format.language(locale.slice(0, 2))
}
