import { isLocale, LOCALES, type Locale } from '@vrata/contract/locales'
import { notify, useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { currentUser } from '../../lib/session.ts'
import { LanguageSelect } from '../../ui/navigation/language-select.tsx'

/** Languages by their own names. */
const NAMES = { 'en-US': 'English', 'sl-SI': 'Slovenščina', 'hr-HR': 'Hrvatski' } as const

const OPTIONS = LOCALES.map((locale) => ({ value: locale, label: NAMES[locale] }))

/** Choice of the language of the pages. Signed-in users can take it over for their account. */
export function Language({ className }: { className?: string }) {
  const { t, locale, brand } = useI18n()
  const context = useAppContext()

  async function choose(chosen: Locale) {
    try {
      await context.showLanguage(chosen)
    } catch {
      return notify(context.notices, t('ui.no_answer'))
    }
    const own = currentUser(context)?.language[0]
    if (own && own !== chosen) (await import('./offer-account-language.ts')).offerAccountLanguage(context, chosen)
  }
  return (
    <LanguageSelect
      className={className}
      label={t('ui.language')}
      value={locale}
      options={OPTIONS.filter(({ value }) => brand.languages?.includes(value) ?? true)}
      onChange={(value) => isLocale(value) && void choose(value)}
    />
  )
}
