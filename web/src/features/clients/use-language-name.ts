import type { Locale } from '@vrata/contract/locales'
import { useI18n } from '../../lib/i18n.tsx'

/** `Slovenian`: there is only one of each here, so that the country says nothing. */
export function useLanguageName(): (locale: Locale) => string {
  const { format } = useI18n()
  return (locale) => format.language(locale.slice(0, 2))
}
