/** Interface languages in the order of the menus (product §1). */
export const LOCALES = ['en-US', 'sl-SI', 'hr-HR'] as const
export type Locale = (typeof LOCALES)[number]
export const DEFAULT_LOCALE: Locale = 'en-US'

/** Cookie of the chosen interface language, and its lifetime in seconds: 365 days (product §1). */
export const LANGUAGE_COOKIE = 'language'
export const LANGUAGE_COOKIE_MAX_AGE = 365 * 24 * 60 * 60

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale)
}

/** Chooses the interface language: the cookie, else the first match of the preferred languages, else en-US (product §1). */
export function negotiateLocale(cookie: string | undefined, preferred: readonly string[]): Locale {
  return negotiateAmong(LOCALES, cookie, preferred) ?? DEFAULT_LOCALE
}

/** As `negotiateLocale`, among the given languages; undefined when none fits. */
export function negotiateAmong(
  offered: readonly Locale[],
  cookie: string | undefined,
  preferred: readonly string[],
): Locale | undefined {
  for (const tag of [cookie ?? '', ...preferred]) {
    const language = tag.toLowerCase().split('-')[0]
    const found = offered.find((locale) => locale.toLowerCase().startsWith(`${language}-`))
    if (found) return found
  }
  return undefined
}

/** Languages of an Accept-Language header, preferred first (RFC 9110 §12.5.4). Only the server calls it. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.trim().split(';')
      const q = params.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find(Boolean)
      return { tag: tag.trim(), q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ tag, q }) => tag && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag)
}
