import type { Locale } from '@vrata/contract/locales'

type DateInput = string | number | Date
type Style = 'short' | 'medium' | 'long' | 'full'
const RELATIVE_STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/**
 * Countries whose long names in Chromium and in Node differ: Chromium has the short ones, and of the Falkland Islands both.
 * Hydration must repeat the text of the server.
 */
const SHORT_NAMES = /^(HK|MO|PS)$/

/** Formatters of one locale for numbers, dates, lists and names, on top of `Intl`. */
export type Formats = ReturnType<typeof makeFormats>

const cache = new Map<Locale, Formats>()

/** Returns the formatters of a locale. They are cached, because `Intl` objects are costly to construct. */
export function formats(locale: Locale): Formats {
  const found = cache.get(locale) ?? makeFormats(locale)
  cache.set(locale, found)
  return found
}

/** Formatters with a fixed time (milliseconds since 1970) and the zone UTC: server and browser format alike. */
export const formatsAt = (locale: Locale, now: number): Formats => makeFormats(locale, now, 'UTC')

function makeFormats(locale: Locale, fixed?: number, timeZone?: string) {
  const intl = new Map<string, unknown>()
  function cached<T>(key: string, create: () => T): T {
    if (!intl.has(key)) intl.set(key, create())
    return intl.get(key) as T
  }
  // Safari writes "2:03 PM" with a narrow no-break space, Node and Chromium with a plain one.
  const formatDate = (value: DateInput, options: Intl.DateTimeFormatOptions) =>
    cached(`date ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, { timeZone, ...options }))
      .format(new Date(value))
      .replaceAll('\u202f', ' ')
  const name = (type: 'region' | 'language', code: string) => {
    const style = SHORT_NAMES.test(code) ? 'short' : 'long'
    const create = () => new Intl.DisplayNames(locale, { type, style, languageDisplay: 'standard' })
    return cached(type + style, create).of(code) ?? code
  }

  const capitalized = (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)

  // Slovenian dates are in the genitive in running text ("do 28. novembra 2026"); `Intl` has only the nominative.
  const genitive = (month: string) => `${month.replace(/ar$/, 'arj').replace(/e(?=[cr]$)/, '')}a`
  const inGenitive = (date: string) => (locale === 'sl-SI' ? date.replace(/\p{L}{3,}/u, genitive) : date)

  const currentTime = () => fixed ?? Date.now()
  const day = (moment: DateInput) =>
    cached('day', () => new Intl.DateTimeFormat('sv-SE', { timeZone })).format(new Date(moment))

  return {
    /** The current time in milliseconds since 1970. */
    now: currentTime,
    /** Local day of a moment, for example `2026-11-21`. */
    day,
    plural: (count: number, kind: 'plural' | 'ordinal' = 'plural') =>
      cached(kind, () => new Intl.PluralRules(locale, { type: kind === 'ordinal' ? 'ordinal' : 'cardinal' })).select(
        count,
      ),
    number: (value: number) => cached('number', () => new Intl.NumberFormat(locale)).format(value),
    /** A date in the local time zone. A date without a time, `2000-02-29`, is the same day in every zone. */
    date: (value: DateInput, style: Style = 'long') => {
      const text = formatDate(value, { dateStyle: style, ...(isDay(value) && { timeZone: 'UTC' }) })
      return style === 'long' ? inGenitive(text) : text
    },
    time: (value: DateInput) => formatDate(value, { timeStyle: 'short' }),
    /** Date and time to the minute, in the local time zone. */
    dateTime: (value: DateInput) => inGenitive(formatDate(value, { dateStyle: 'long', timeStyle: 'short' })),
    /**
     * "3 hours ago", and "now" below a minute. `now` is in milliseconds since the epoch. "Yesterday" is a day of the calendar: 40 hours ago
     * can be the day before it. Of longer times only the number is right, not "last week" or "last year".
     */
    relative: (value: DateInput, now: number = currentTime()) => {
      const words = (count: number, unit: Intl.RelativeTimeFormatUnit, numeric: 'auto' | 'always') =>
        cached(numeric, () => new Intl.RelativeTimeFormat(locale, { numeric })).format(count, unit)
      const seconds = (new Date(value).getTime() - now) / 1000
      for (const [unit, size] of RELATIVE_STEPS) {
        if (Math.abs(seconds) < size) continue
        if (unit !== 'day') return words(Math.trunc(seconds / size), unit, 'always')
        return words((Date.parse(day(value)) - Date.parse(day(now))) / 86_400_000, unit, 'auto')
      }
      return words(0, 'second', 'auto')
    },
    /** "a, b and c". */
    list: (items: readonly string[]) => cached('list', () => new Intl.ListFormat(locale)).format(items),
    /** Name of a country, by ISO 3166-1 alpha-2 code. */
    country: (code: string) => name('region', code).replace(/ \(.*Malvin.*/, ''),
    /** Name of a language, by BCP 47 tag, as a label. Slovenian and Croatian write it in lower case only in running text. */
    language: (tag: string) => capitalized(name('language', tag)),
    /** Names of languages as one label: "Slovenščina, angleščina". */
    languages: (tags: readonly string[]) => capitalized(tags.map((tag) => name('language', tag)).join(', ')),
    /** A label for use inside a sentence: the first letter in lower case, unless it begins an abbreviation. */
    inText: (label: string) => label.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLocaleLowerCase(locale)),
  }
}

function isDay(value: DateInput): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}
