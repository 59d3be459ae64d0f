import type { Locale } from '@vrata/contract/locales'
import { compile } from './compile.ts'
import { catalogue as english } from './en-US/catalogue.ts'
import { catalogue as croatian } from './hr-HR/catalogue.ts'
import type { PhraseKey, Slice } from './keys.ts'
import { type Message, say, type Values } from './message.ts'
import { catalogue as slovenian } from './sl-SI/catalogue.ts'

/** Every sentence, as written, by language and slice. */
export const CATALOGUES: Record<Locale, Record<Slice, Record<string, string>>> = {
  'en-US': english,
  'sl-SI': slovenian,
  'hr-HR': croatian,
}

export type Translate = (key: PhraseKey, values?: Values) => string

const translators = new Map<Locale, Translate>()

/**
 * Says any sentence in one language, on the server: `translator('sl-SI')('mail.confirm.subject', { name })`. Sentences
 * are compiled when they are first said.
 */
export function translator(locale: Locale): Translate {
  const found = translators.get(locale) ?? makeTranslator(locale)
  translators.set(locale, found)
  return found
}

function makeTranslator(locale: Locale): Translate {
  const compiled = new Map<PhraseKey, Message>()
  return (key, values) => {
    const message = compiled.get(key) ?? compile(sentenceOf(locale, key))
    compiled.set(key, message)
    return say(message, locale, values)
  }
}

function sentenceOf(locale: Locale, key: PhraseKey): string {
  const dot = key.indexOf('.')
  return CATALOGUES[locale][key.slice(0, dot) as Slice][key.slice(dot + 1)] ?? key
}
