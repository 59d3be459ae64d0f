/** The interface languages of the specification §1, in the order in which menus show them. */
export const LOCALES = ['en-US', 'sl-SI', 'hr-HR'] as const
export type Locale = (typeof LOCALES)[number]
export const DEFAULT_LOCALE: Locale = 'en-US'

/** Cookie that holds the chosen interface language, and its life in seconds: 365 days (specification §1). */
export const LANGUAGE_COOKIE = 'language'
export const LANGUAGE_COOKIE_MAX_AGE = 365 * 24 * 60 * 60

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale)
}

/**
 * Picks the interface language: the cookie, else the first match of the preferred languages, else en-US
 * (specification §1). `preferred` is an Accept-Language header or `navigator.languages`; quality values count.
 */
export function negotiateLocale(cookie: string | undefined, preferred: string | readonly string[] | undefined): Locale {
  if (isLocale(cookie)) return cookie
  for (const tag of typeof preferred === 'string' ? byQuality(preferred) : (preferred ?? [])) {
    const language = tag.toLowerCase().split('-')[0]
    const found = LOCALES.find((locale) => locale.toLowerCase().startsWith(`${language}-`))
    if (found) return found
  }
  return DEFAULT_LOCALE
}

function byQuality(header: string): string[] {
  return header
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
