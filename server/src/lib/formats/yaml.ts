import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  stringify,
  visit,
} from 'yaml'

/** A text that is not YAML, or YAML that is not accepted. The message is a sentence for its author. */
export class YamlError extends Error {
  override name = 'YamlError'
}

export interface YamlText {
  /** Undefined for a text without content. */
  value: unknown
  /** Where a path is, as `line 3, column 5`; that of the innermost part that exists. */
  place(path: readonly PropertyKey[]): string
}

/**
 * Parses YAML 1.2 to JSON data. Not accepted: more than one document, aliases, tags, the same key twice, and keys without a value, such as
 * `accent: #006867`, where a comment begins. Throws `YamlError` with line and column.
 */
export function parseYaml(text: string): YamlText {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const document = nested(() =>
    parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, stringKeys: true, strict: true }),
  )
  const [wrong] = [...document.errors, ...document.warnings]
  // The parser makes an error of its own of a stack that is too deep.
  if (wrong?.message.startsWith('Maximum call stack')) throw new YamlError(TOO_DEEP)
  if (wrong) throw new YamlError(`${wrong.message} (${at(wrong.pos[0])})`)
  const objection = nested(() => objectionTo(document))
  if (objection) throw new YamlError(`${objection.message} (${at(objection.offset)})`)
  const value = nested(() => document.toJS() as unknown)
  return {
    value: document.contents === null ? undefined : value,
    place: (path) => at(offsetOf(document, path)),
  }
}

/** Writes JSON data as YAML. */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 })
}

const TOO_DEEP = 'It is nested too deeply'

/** The parser calls itself for each level. */
function nested<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof RangeError) throw new YamlError(TOO_DEEP, { cause })
    throw cause
  }
}

type Objection = { message: string; offset: number }

function objectionTo(document: Document): Objection | undefined {
  let found: Objection | undefined
  const object = (message: string, range: readonly number[] | null | undefined) => {
    found = { message, offset: range?.[0] ?? 0 }
    return visit.BREAK
  }
  visit(document, {
    Alias: (_, { range }) => object('Aliases are not accepted', range),
    Pair(_, { key, value }) {
      if (isScalar(value) && value.value === null && !value.source)
        return object(
          `"${isScalar(key) ? key.value : ''}" has no value: write null for none, and quotes around a text that begins with #`,
          isNode(key) ? key.range : undefined,
        )
      return undefined
    },
    // Not left to the parser, which compares each key with all others.
    Map(_, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : key
        if (keys.has(name)) return object(`"${name}" is there twice`, isNode(key) ? key.range : undefined)
        keys.add(name)
      }
      return undefined
    },
  })
  return found
}

/** Offset of the key, or of the item of a list, to which a path leads as far as it exists. */
function offsetOf({ contents }: Document, path: readonly PropertyKey[]): number {
  let node: unknown = contents
  let offset = isNode(contents) ? (contents.range?.[0] ?? 0) : 0
  for (const part of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : undefined
    const next = pair ?? (isMap(node) || isScalar(node) || isAlias(node) ? undefined : itemOf(node, part))
    if (next === undefined) return offset
    const anchor = isPair(next) ? next.key : next
    offset = isNode(anchor) ? (anchor.range?.[0] ?? offset) : offset
    node = isPair(next) ? next.value : next
  }
  return offset
}

function itemOf(node: unknown, part: PropertyKey): unknown {
  return (node as { items?: unknown[] } | null)?.items?.[Number(part)]
}
