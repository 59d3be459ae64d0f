import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Cases, DateStyle, Message, Part } from './message.ts'

/**
 * Turns an ICU sentence into plain data (`message.ts`). Pages get that data at build, so that no parser reaches the
 * browser; the server does it lazily in memory.
 *
 * @throws when the sentence is not valid ICU, or asks for a number or date style that nobody uses here.
 */
export function compile(sentence: string): Message {
  return fold(parse(sentence, { requiresOtherClause: true }))
}

/** Compiles all sentences of a slice. An error names the key. */
export function compileAll(slice: Readonly<Record<string, string>>): Record<string, Message> {
  return Object.fromEntries(
    Object.entries(slice).map(([key, sentence]) => {
      try {
        return [key, compile(sentence)]
      } catch (cause) {
        throw new Error(`The sentence ${key} is not valid: ${(cause as Error).message}`, { cause })
      }
    }),
  )
}

function fold(elements: MessageFormatElement[]): Message {
  const parts = elements.map((element) => part(element))
  if (parts.length === 0) return ''
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts
}

function part(element: MessageFormatElement): Part {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.argument:
      return [element.value]
    case TYPE.pound:
      return 0
    case TYPE.number:
      if (element.style) throw new Error('number styles are not in use')
      return [element.value, 'number']
    case TYPE.date:
      return [element.value, 'date', style(element.style, 'long')]
    case TYPE.time:
      return [element.value, 'time', style(element.style, 'short')]
    case TYPE.select:
      return [element.value, 'select', cases(element.options)]
    case TYPE.plural: {
      const kind = element.pluralType === 'ordinal' ? 'ordinal' : 'plural'
      const all = cases(element.options)
      return element.offset ? [element.value, kind, all, element.offset] : [element.value, kind, all]
    }
    case TYPE.tag:
      return [element.value, 'tag', fold(element.children)]
  }
}

function cases(options: Record<string, { value: MessageFormatElement[] }>): Cases {
  return Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, fold(value)]))
}

function style(given: unknown, fallback: DateStyle): DateStyle {
  if (given == null) return fallback
  if (given === 'short' || given === 'medium' || given === 'long' || given === 'full') return given
  throw new Error('only the date styles short, medium, long and full are in use')
}
