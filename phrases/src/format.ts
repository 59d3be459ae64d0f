import type { Locale } from '@vrata/contract/locales'

type Moment = string | number | Date
type Style = 'short' | 'medium' | 'long' | 'full'
const RELATIVE_STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Everything that a language does to figures, times, lists and names. All of it is the platform's `Intl`. */
export type Formats = ReturnType<typeof makeFormats>

const made = new Map<Locale, Formats>()

/** The formats of a language; made once, because `Intl` objects are costly to construct. */
export function formats(locale: Locale): Formats {
  const found = made.get(locale) ?? makeFormats(locale)
  made.set(locale, found)
  return found
}

function makeFormats(locale: Locale) {
  const kept = new Map<string, unknown>()
  function once<T>(key: string, make: () => T): T {
    if (!kept.has(key)) kept.set(key, make())
    return kept.get(key) as T
  }
  const dates = (options: Intl.DateTimeFormatOptions) =>
    once(`date ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options))
  const name = (type: 'region' | 'language', code: string) =>
    once(type, () => new Intl.DisplayNames(locale, { type, languageDisplay: 'standard' })).of(code) ?? code

  // Slovenian says a date in the genitive ("do 28. novembra 2026"), of which `Intl` knows only the nominative.
  const genitive = (month: string) => `${month.replace(/ar$/, 'arj').replace(/e(?=[cr]$)/, '')}a`
  const spoken = (date: string) => (locale === 'sl-SI' ? date.replace(/\p{L}{3,}/u, genitive) : date)

  return {
    plural: (count: number, kind: 'plural' | 'ordinal' = 'plural') =>
      once(kind, () => new Intl.PluralRules(locale, { type: kind === 'ordinal' ? 'ordinal' : 'cardinal' })).select(
        count,
      ),
    number: (value: number) => once('number', () => new Intl.NumberFormat(locale)).format(value),
    /** A date in the zone of the reader. `2000-02-29`, a day without a time, is the same day everywhere. */
    date: (value: Moment, style: Style = 'long') => {
      const shown = dates({ dateStyle: style, ...(isDay(value) ? { timeZone: 'UTC' } : {}) }).format(new Date(value))
      return style === 'long' ? spoken(shown) : shown
    },
    time: (value: Moment, style: Style = 'short') => dates({ timeStyle: style }).format(new Date(value)),
    /** Date and time to the minute, in the zone of the reader. */
    moment: (value: Moment) => spoken(dates({ dateStyle: 'long', timeStyle: 'short' }).format(new Date(value))),
    /** "3 hours ago"; below a minute "now". `now` is in milliseconds. */
    relative: (value: Moment, now: number = Date.now()) => {
      const words = once('relative', () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
      const seconds = (new Date(value).getTime() - now) / 1000
      for (const [unit, size] of RELATIVE_STEPS) {
        if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit)
      }
      return words.format(0, 'second')
    },
    /** "a, b and c". */
    list: (items: readonly string[]) => once('list', () => new Intl.ListFormat(locale)).format(items),
    /** Name of a country by its ISO 3166 code. */
    country: (code: string) => name('region', code),
    /** Name of a language by its tag. */
    language: (tag: string) => name('language', tag),
  }
}

function isDay(value: Moment): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}
