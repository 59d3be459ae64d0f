import type { Branding } from '@vrata/contract/branding'
import { LOCALES, type Locale } from '@vrata/contract/locales'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { type Brand, createI18n, I18nProvider, useI18n } from '../../lib/i18n.tsx'
import { Shimmer } from '../../ui/feedback/skeleton.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { LanguageSelect } from '../../ui/navigation/language-select.tsx'
import { ConsentScreen, MailScreen, SignInScreen } from './preview-screens.tsx'
import { PREVIEW } from './preview-style.ts'

const SCREENS = { sign_in: SignInScreen, consent: ConsentScreen, mail: MailScreen } as const
const NAMES = ['sign_in', 'consent', 'mail'] as const
const THEMES = ['light', 'dark'] as const

export type Shown = { screen: (typeof NAMES)[number]; locale: Locale }

type Props = { draft: Branding; shown: Shown; onShow: (shown: Shown) => void }

/** The draft on the sign-in page, the consent page and a mail, in each theme and offered language. */
export function Preview({ draft, shown: { screen, locale: wanted }, onShow }: Props) {
  const { t, format } = useI18n()
  const [theme, setTheme] = useState<(typeof THEMES)[number]>('light')
  const locale = draft.languages.includes(wanted) ? wanted : draft.default_language
  const Screen = SCREENS[screen]
  return (
    <Card aria-labelledby="preview">
      <CardHead id="preview" title={t('branding.preview')} text={t('branding.preview.text')} />
      <div className="space-y-2 px-5 pb-4">
        <Choice
          label={t('branding.preview.screen')}
          value={screen}
          options={NAMES.map((value) => ({ value, label: t(`branding.preview.${value}`) }))}
          onChange={(screen) => onShow({ screen, locale })}
        />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Choice
            label={t('branding.preview.theme')}
            value={theme}
            options={THEMES.map((value) => ({ value, label: t(`branding.preview.${value}`) }))}
            onChange={setTheme}
          />
          <LanguageSelect
            label={t('branding.preview.language')}
            value={locale}
            options={LOCALES.filter((one) => draft.languages.includes(one)).map((value) => ({
              value,
              label: format.language(value.slice(0, 2)),
            }))}
            onChange={(value) => onShow({ screen, locale: value as Locale })}
          />
        </div>
      </div>
      <div
        role="img"
        aria-label={t(`branding.preview.${screen}`)}
        data-theme={theme}
        className={`${PREVIEW} border-t border-line bg-page text-ink`}
      >
        <div inert lang={locale} className="[zoom:0.85]">
          <InLanguage locale={locale} brand={brandOf(draft)}>
            <Screen draft={draft} />
          </InLanguage>
        </div>
      </div>
    </Card>
  )
}

/** Translates its content with the name and texts of the draft. */
function InLanguage({ locale, brand, children }: { locale: Locale; brand: Brand; children: ReactNode }) {
  const { t } = useI18n()
  const [ready, setReady] = useState<Locale>()
  const facts = JSON.stringify(brand)
  const i18n = useMemo(() => createI18n(locale, undefined, JSON.parse(facts) as Brand), [locale, facts])
  useEffect(() => {
    let shown = true
    const ended = () => shown && setReady(locale)
    createI18n(locale).load(['ui', 'sign-in', 'connections', 'branding']).then(ended, ended)
    return () => {
      shown = false
    }
  }, [locale])
  if (ready !== locale)
    return (
      <div role="status" aria-label={t('branding.preview.loading')} className="p-5">
        <Shimmer className="h-18 w-full" />
      </div>
    )
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}

/** The draft as the branding of pages. */
function brandOf({ name, support_url, imprint_url, sign_in_text, default_language }: Branding): Brand {
  const given = Object.entries({ name, support_url, imprint_url }).filter(([, value]) => value?.trim())
  const texts = LOCALES.map((locale) => [
    locale,
    sign_in_text[locale]?.trim() || sign_in_text[default_language]?.trim(),
  ])
  return { ...Object.fromEntries(given), sign_in_text: Object.fromEntries(texts) }
}

type ChoiceProps<V extends string> = {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** A few short options in one line, as radio buttons. */
function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex w-fit max-w-full flex-wrap rounded-control bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-11 cursor-pointer items-center justify-center rounded-[10px] border border-transparent px-2.5 py-2 font-semibold text-muted outline-offset-2 outline-focus transition-colors duration-150 hover:text-ink has-checked:bg-brand-soft has-checked:text-brand-strong forced-colors:border-[color:Canvas] forced-colors:has-checked:bg-[color:Highlight] forced-colors:has-checked:text-[color:HighlightText] forced-colors:has-checked:forced-color-adjust-none has-focus-visible:outline-3"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="absolute size-px appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
