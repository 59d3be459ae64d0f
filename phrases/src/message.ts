import type { Locale } from '@vrata/contract/locales'
import { type Formats, formats } from './format.ts'

/**
 * A compiled sentence: text, or a list of text and holes. It is plain data, so that the browser needs neither a parser
 * nor `eval` (which the Content-Security-Policy forbids), and both sides run the same few lines below.
 */
export type Message = string | readonly Part[]

/** `#` is the figure of the plural around it; a list is a hole: name of the value, kind, and what the kind needs. */
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

/** What `<a>…</a>` in a sentence becomes: a function from the words inside to anything, a link of React for example. */
export type Wrap<T> = (inside: (T | string)[]) => T
export type RichValues<T> = Readonly<Record<string, Value | T | Wrap<T>>>

/** Says a compiled sentence. Tags vanish and leave their words. */
export function say(message: Message, locale: Locale, values: Values = {}): string {
  if (typeof message === 'string') return message
  return parts<string>(message, formats(locale), values, (inside) => inside.join('')).join('')
}

/** Says a compiled sentence as a list of parts, for pages that put elements into it. */
export function sayRich<T>(message: Message, locale: Locale, values: RichValues<T>): (T | string)[] {
  if (typeof message === 'string') return [message]
  return parts<T>(message, formats(locale), values, (inside, wrap) => (wrap ? wrap(inside) : inside))
}

type Tag<T> = (inside: (T | string)[], wrap: Wrap<T> | undefined) => T | string | (T | string)[]

function parts<T>(
  message: Message,
  format: Formats,
  values: RichValues<T>,
  tag: Tag<T>,
  figure?: number,
): (T | string)[] {
  if (typeof message === 'string') return [message]
  return message.flatMap((part): T | string | (T | string)[] => {
    if (typeof part === 'string') return part
    if (part === 0) return format.number(figure as number)
    const value = values[part[0]]
    if (part[1] === 'tag') return tag(parts(part[2], format, values, tag, figure), value as Wrap<T> | undefined)
    // A missing value shows its name, which is ugly but better than a page that does not open.
    if (value === undefined) return `{${part[0]}}`
    if (part[1] === undefined) return typeof value === 'number' ? format.number(value) : (value as T | string)
    if (part[1] === 'number') return format.number(Number(value))
    if (part[1] === 'date' || part[1] === 'time') return format[part[1]](value as Value, part[2])
    const cases = part[2]
    if (part[1] === 'select') return parts(cases[String(value)] ?? cases.other ?? '', format, values, tag, figure)
    const count = Number(value) - (part[3] ?? 0)
    const found = cases[`=${value}`] ?? cases[format.plural(count, part[1])] ?? cases.other ?? ''
    return parts(found, format, values, tag, count)
  })
}
