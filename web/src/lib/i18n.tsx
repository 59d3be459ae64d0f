import type { Locale } from '@vrata/contract/locales'
import { formats } from '@vrata/phrases/format'
import type { PhraseKey, Slice } from '@vrata/phrases/keys'
import { type Message, type RichValues, say, sayRich, type Values } from '@vrata/phrases/message'
import { createContext, createElement, Fragment, type ReactNode, use, useSyncExternalStore } from 'react'

/** Sentences of one slice in one language, compiled by the build (`build/phrases-plugin.ts`). */
type Compiled = Readonly<Record<string, Message>>
type CompiledFile = Record<string, Compiled>

// Mails and archives are the server's, what stands in for a failed page the build's; catalogue.ts lists everything and
// would pull everything in.
const FILES = import.meta.glob<CompiledFile>([
  '../../../phrases/src/{en-US,sl-SI,hr-HR}/*.ts',
  '!../../../phrases/src/*/{catalogue,mail,archive,failed}.ts',
])
const loaded = new Map<string, Compiled>()

/** Loads slices of one language; each only once. */
async function loadSlices(locale: Locale, slices: readonly Slice[]) {
  await Promise.all(
    slices.map(async (slice) => {
      const name = `${locale}/${slice}`
      if (loaded.has(name)) return
      const file = await FILES[`../../../phrases/src/${name}.ts`]?.()
      loaded.set(name, file?.[slice] ?? {})
    }),
  )
}

export type I18n = ReturnType<typeof createI18n>

/** The words of the interface in the current language. Only slices that were loaded can be said. */
export function createI18n(start: Locale) {
  const wanted = new Set<Slice>()
  const listeners = new Set<() => void>()
  let current = speaker(start)

  return {
    /** The language at this moment; changes identity with the language, so that React sees it. */
    now: () => current,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async load(slices: readonly Slice[]) {
      for (const slice of slices) wanted.add(slice)
      await loadSlices(current.locale, slices)
    },
    /** Changes the language in place: everything that is on the page is said anew, nothing is loaded anew. */
    async change(locale: Locale) {
      await loadSlices(locale, [...wanted])
      current = speaker(locale)
      for (const listener of listeners) listener()
    },
  }
}

function speaker(locale: Locale) {
  const messageOf = (key: PhraseKey): Message => {
    const dot = key.indexOf('.')
    return loaded.get(`${locale}/${key.slice(0, dot)}`)?.[key.slice(dot + 1)] ?? key
  }
  return {
    locale,
    /** Says a sentence. */
    t: (key: PhraseKey, values?: Values): string => say(messageOf(key), locale, values),
    /** Says a sentence with elements in it: `rich('problems.email_exists', { login: (words) => <a>{words}</a> })`. */
    rich: (key: PhraseKey, values: RichValues<ReactNode>): ReactNode =>
      createElement(Fragment, null, ...sayRich<ReactNode>(messageOf(key), locale, values)),
    /** Dates, figures, lists, names of countries. */
    format: formats(locale),
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
  return useSyncExternalStore(i18n.subscribe, i18n.now, i18n.now)
}
