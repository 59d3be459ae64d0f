import type { Locale } from '@vrata/contract/locales'
import { compile } from './compile.ts'
import { catalog as english } from './en-US/catalog.ts'
import { catalog as croatian } from './hr-HR/catalog.ts'
import type { PhraseFile, PhraseKey } from './keys.ts'
import { formatMessage, type Message, type Values } from './message.ts'
import { named } from './named.ts'
import { catalog as slovenian } from './sl-SI/catalog.ts'

/** Every sentence in ICU MessageFormat, by locale and file. */
export const CATALOGS: Record<Locale, Record<PhraseFile, Record<string, string>>> = {
  'en-US': english,
  'sl-SI': slovenian,
  'hr-HR': croatian,
}

export type Translate = (key: PhraseKey, values?: Values) => string

const compiled = new Map<string, Message>()

/**
 * Returns the translate function of a locale, for the server: `translator('sl-SI')('mail.confirm.subject', { name })`.
 * Sentences are compiled on first use. `name` is the name of the installation, where it has one.
 */
export function translator(locale: Locale, name?: string | null): Translate {
  return (key, values) => formatMessage(named(messageOf(locale, key), key, name), locale, values)
}

function messageOf(locale: Locale, key: PhraseKey): Message {
  const found = compiled.get(`${locale}.${key}`) ?? compile(sentenceOf(locale, key))
  compiled.set(`${locale}.${key}`, found)
  return found
}

/** The sentence of a key in ICU MessageFormat; the key itself when it is missing. */
export function sentenceOf(locale: Locale, key: PhraseKey): string {
  const dot = key.indexOf('.')
  return CATALOGS[locale][key.slice(0, dot) as PhraseFile][key.slice(dot + 1)] ?? key
}
