import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Cases, DateStyle, Message, Part } from './message.ts'

/**
 * Compiles a sentence in ICU MessageFormat to plain data. For pages this happens at build time, so that no parser is sent to
 * the browser; the server compiles on first use.
 *
 * @throws for invalid syntax, and for number and date styles that are not supported
 */
export function compile(sentence: string): Message {
  return toMessage(parse(sentence, { requiresOtherClause: true }))
}

/** Compiles all sentences of a file. An error names the key. */
export function compileAll(sentences: Readonly<Record<string, string>>): Record<string, Message> {
  return Object.fromEntries(
    Object.entries(sentences).map(([key, sentence]) => {
      try {
        return [key, compile(sentence)]
      } catch (cause) {
        throw new Error(`The sentence ${key} is not valid: ${(cause as Error).message}`, { cause })
      }
    }),
  )
}

function toMessage(elements: MessageFormatElement[]): Message {
  const parts = elements.map(toPart)
  if (parts.length === 0) return ''
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts
}

function toPart(element: MessageFormatElement): Part {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.argument:
      return [element.value]
    case TYPE.pound:
      return 0
    case TYPE.number:
      if (element.style) throw new Error('number styles are not supported')
      return [element.value, 'number']
    case TYPE.date:
      return [element.value, 'date', dateStyle(element.style, 'long')]
    case TYPE.time:
      return [element.value, 'time', dateStyle(element.style, 'short')]
    case TYPE.select:
      return [element.value, 'select', toCases(element.options)]
    case TYPE.plural: {
      const kind = element.pluralType === 'ordinal' ? 'ordinal' : 'plural'
      const cases = toCases(element.options)
      return element.offset ? [element.value, kind, cases, element.offset] : [element.value, kind, cases]
    }
    case TYPE.tag:
      return [element.value, 'tag', toMessage(element.children)]
  }
}

function toCases(options: Record<string, { value: MessageFormatElement[] }>): Cases {
  return Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, toMessage(value)]))
}

function dateStyle(style: unknown, fallback: DateStyle): DateStyle {
  if (style == null) return fallback
  if (style === 'short' || style === 'medium' || style === 'long' || style === 'full') return style
  throw new Error('only the date styles short, medium, long and full are supported')
}
