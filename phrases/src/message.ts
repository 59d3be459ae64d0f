import type { Locale } from '@vrata/contract/locales'
import { type Formats, formats } from './format.ts'

/**
 * A compiled sentence (ICU MessageFormat): text, or a list of texts and arguments. It is plain data, so the browser needs
 * neither a parser nor `eval`, which the Content-Security-Policy forbids.
 */
export type Message = string | readonly Part[]

/** Text; `0` for `#`, the number of the enclosing plural; or an argument: its name, its type, and parameters of the type. */
export type Part =
  | string
  | 0
  | readonly [name: string, kind?: undefined]
  | readonly [name: string, kind: 'number']
  | readonly [name: string, kind: 'date', style: DateStyle]
  | readonly [name: string, kind: 'time', style: DateStyle]
  | readonly [name: string, kind: 'plural' | 'ordinal', cases: Cases, offset?: number]
  | readonly [name: string, kind: 'select', cases: Cases]
  | readonly [name: string, kind: 'tag', inside: Message]

export type DateStyle = 'short' | 'medium' | 'long' | 'full'
export type Cases = Readonly<Record<string, Message>>

export type Value = string | number | Date
export type Values = Readonly<Record<string, Value>>

/** Renders `<a>…</a>` in a sentence from its content, for example as a React element. */
export type RenderTag<T> = (inside: (T | string)[]) => T
export type RichValues<T> = Readonly<Record<string, Value | T | RenderTag<T>>>

/** Letters of right-to-left languages. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A name in a text of our languages: one of a right-to-left language would move figures and marks after it to its other side (UAX 9). */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name
}

/** Formats a message as text. Tags are replaced by their content. */
export function formatMessage(message: Message, locale: Locale, values: Values = {}): string {
  if (typeof message === 'string') return message
  return toParts<string>(message, formats(locale), values, (inside) => inside.join('')).join('')
}

/** Formats a message as a list of parts, for pages that insert elements. */
export function formatMessageToParts<T>(message: Message, locale: Locale, values: RichValues<T>): (T | string)[] {
  if (typeof message === 'string') return [message]
  return toParts<T>(message, formats(locale), values, (inside, render) => (render ? render(inside) : inside))
}

type Tag<T> = (inside: (T | string)[], render: RenderTag<T> | undefined) => T | string | (T | string)[]

function toParts<T>(
  message: Message,
  format: Formats,
  values: RichValues<T>,
  tag: Tag<T>,
  pluralNumber?: number,
): (T | string)[] {
  if (typeof message === 'string') return [message]
  return message.flatMap((part): T | string | (T | string)[] => {
    if (typeof part === 'string') return part
    if (part === 0) return format.number(pluralNumber as number)
    const value = values[part[0]]
    if (part[1] === 'tag')
      return tag(toParts(part[2], format, values, tag, pluralNumber), value as RenderTag<T> | undefined)
    // A missing value must not prevent the page from rendering.
    if (value === undefined) return `{${part[0]}}`
    if (part[1] === undefined) {
      if (typeof value === 'number') return format.number(value)
      return typeof value === 'string' ? isolated(value) : (value as T)
    }
    if (part[1] === 'number') return format.number(Number(value))
    if (part[1] === 'date' || part[1] === 'time') return format[part[1]](value as Value, part[2])
    const cases = part[2]
    if (part[1] === 'select')
      return toParts(cases[String(value)] ?? cases.other ?? '', format, values, tag, pluralNumber)
    const count = Number(value) - (part[3] ?? 0)
    const found = cases[`=${value}`] ?? cases[format.plural(count, part[1])] ?? cases.other ?? ''
    return toParts(found, format, values, tag, count)
  })
}
