import type { Boot } from '@vrata/contract/boot'
import type { Locale } from '@vrata/contract/locales'
import { type Formats, formats, formatsAt } from '@vrata/phrases/format'
import type { PhraseFile, PhraseKey } from '@vrata/phrases/keys'
import { formatMessage, formatMessageToParts, type Message, type RichValues, type Values } from '@vrata/phrases/message'
import { named } from '@vrata/phrases/named'
import { createContext, createElement, Fragment, type ReactNode, use, useSyncExternalStore } from 'react'
import type { Compiled } from './phrases/compiled-file.ts'

// The list of files is part of the chunk of its language, so that a page has one list only.
const FILES = {
  'en-US': () => import('./phrases/en-US/files.ts'),
  'sl-SI': () => import('./phrases/sl-SI/files.ts'),
  'hr-HR': () => import('./phrases/hr-HR/files.ts'),
}
const loaded = new Map<string, Compiled>()

/** Loads phrase files of one language, each once. */
async function loadPhrases(locale: Locale, names: readonly PhraseFile[]) {
  await Promise.all(
    names.map(async (name) => {
      const key = `${locale}/${name}`
      if (loaded.has(key)) return
      const { files } = await FILES[locale]()
      const file = await files[`./${name}.ts`]?.()
      loaded.set(key, file?.phrases ?? {})
    }),
  )
}

/** The branding for pages. */
export type Brand = NonNullable<Boot['branding']>

export type I18n = ReturnType<typeof createI18n>

/**
 * Translations of the interface. Only loaded files can be translated. `rendered`: the phrases and the time of the page that
 * the server has rendered. `brand`: what the installation is called and offers.
 */
export function createI18n(start: Locale, rendered?: Boot['rendered'], brand: Brand = {}) {
  for (const [name, phrases] of Object.entries(rendered?.phrases ?? {}))
    loaded.set(`${start}/${name}`, phrases as Compiled)
  const requested = new Set<PhraseFile>()
  const listeners = new Set<() => void>()
  let current = speaker(start, brand)
  // The server knows neither the clock nor the time zone of the browser, and hydration must repeat what it rendered.
  const first = rendered && speaker(start, brand, formatsAt(start, rendered.at))
  /** Language of the latest change, which may still load. */
  let wanted = start

  function show(locale: Locale, brand: Brand) {
    current = speaker(locale, brand)
    for (const listener of listeners) listener()
  }

  return {
    /** Current translator; its identity changes with the language, so that React renders again. */
    now: () => current,
    /** Translator of the server, and of hydration; afterwards React renders with that of `now`. */
    first: () => first ?? current,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The phrases that have been requested, for a document. */
    phrases: () =>
      Object.fromEntries([...requested].map((name) => [name, loaded.get(`${current.locale}/${name}`) ?? {}])),
    async load(names: readonly PhraseFile[]) {
      for (const name of names) requested.add(name)
      let locale: Locale
      do {
        locale = current.locale
        await loadPhrases(locale, names)
      } while (locale !== current.locale)
    },
    /** Changes the language in place without reloading data. False when another one was chosen while its phrases loaded. */
    async change(locale: Locale): Promise<boolean> {
      wanted = locale
      let size: number
      do {
        size = requested.size
        await loadPhrases(locale, [...requested])
      } while (size !== requested.size)
      if (wanted !== locale) return false
      show(locale, current.brand)
      return true
    },
    /** Shows another name, other texts and links of the installation. */
    rebrand: (brand: Brand) => show(current.locale, brand),
  }
}

function speaker(locale: Locale, brand: Brand, format: Formats = formats(locale)) {
  const findMessage = (key: string): Message | undefined => {
    const dot = key.indexOf('.')
    const message = loaded.get(`${locale}/${key.slice(0, dot)}`)?.[key.slice(dot + 1)]
    return message && named(message, key, brand.name)
  }
  // A key is for developers: people see nothing instead, and the error is reported.
  const messageOf = (key: PhraseKey): Message => {
    const message = findMessage(key)
    if (message === undefined) globalThis.reportError?.(new Error(`The phrase ${key} is not loaded in ${locale}`))
    return message ?? ''
  }
  return {
    locale,
    /** Name, texts, links and languages of the installation. */
    brand,
    /** Translates a phrase. */
    t: (key: PhraseKey, values?: Values): string => formatMessage(messageOf(key), locale, values),
    /** Translates a phrase whose key depends on data; undefined when there is none. */
    find(key: string, values?: Values): string | undefined {
      const message = findMessage(key)
      return message === undefined ? undefined : formatMessage(message, locale, values)
    },
    /** Translates a phrase with elements: `rich('problems.email_exists', { login: (words) => <a>{words}</a> })`. */
    rich: (key: PhraseKey, values: RichValues<ReactNode>): ReactNode =>
      createElement(Fragment, null, ...formatMessageToParts<ReactNode>(messageOf(key), locale, values)),
    /** Formats dates, numbers, lists and country names. */
    format,
  }
}

const I18nContext = createContext<I18n | null>(null)

export function I18nProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <I18nContext value={i18n}>{children}</I18nContext>
}

/** `const { t, rich, format, locale } = useI18n()` */
export function useI18n() {
  const i18n = use(I18nContext)
  if (!i18n) throw new Error('useI18n needs an I18nProvider above it')
  return useSyncExternalStore(i18n.subscribe, i18n.now, i18n.first)
}
