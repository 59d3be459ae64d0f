import { lexer, type Token, type Tokens } from 'marked'
import type { Block, DocPage, Inline } from '../src/features/docs/tree.ts'

/** A parsed page with the plain text of its sections for the search. */
export type ParsedPage = DocPage & { sections: Section[]; anchors: Set<string> }
/** Code is kept apart, because prose ranks higher in the search. */
type Section = { anchor: string; heading: string; text: string; code: string }

/** Returns the address of a link's target. Throws when the target does not exist. */
export type LinkTo = (href: string) => string

/**
 * Parses one page of documentation into data. No HTML is produced, so that the content security policy holds (decision
 * 0004). Elements without a renderer stop the build.
 */
export function readDocPage(markdown: string, linkTo: LinkTo): ParsedPage {
  const tokens = lexer(markdown).filter(({ type, raw }) => type !== 'space' && !/^<!--[^>]*-->\s*$/.test(raw))
  const [first, ...rest] = tokens as [Token?, ...Token[]]
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('a page begins with its title')
  const blocks = rest.map((token) => block(token, linkTo))
  const sections: Section[] = [{ anchor: '', heading: first.text, text: '', code: '' }]
  for (const [index, made] of blocks.entries()) {
    if (made[0] === 'h') sections.push({ anchor: made[2], heading: plain(made[3]), text: '', code: '' })
    else (sections.at(-1) as Section)[made[0] === 'code' ? 'code' : 'text'] += ` ${textOf(rest[index] as Token)}`
  }
  const anchors = new Set(sections.map(({ anchor }) => anchor))
  if (anchors.size !== sections.length) throw new Error('two headings have the same anchor')
  return { title: first.text, blocks, anchors, sections }
}

function block(token: Token, linkTo: LinkTo): Block {
  const within = (tokens: Token[] = []) => tokens.filter(({ type }) => type !== 'space').map((t) => block(t, linkTo))
  const line = (tokens: Token[] = []) => inlines(tokens, linkTo)
  switch (token.type) {
    case 'heading':
      if (token.depth !== 2 && token.depth !== 3) throw new Error(`"${token.text}" is no heading of level 2 or 3`)
      return ['h', token.depth, anchorOf(token.text), line(token.tokens)]
    case 'paragraph':
    case 'text':
      return ['p', line(token.tokens)]
    case 'blockquote':
      return ['note', within(token.tokens)]
    case 'code':
      return ['code', token.lang ?? '', token.text]
    case 'list':
      return [token.ordered ? 'ol' : 'ul', (token as Tokens.List).items.map(({ tokens }) => within(tokens))]
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return ['table', header.map(({ tokens }) => line(tokens)), rows.map((row) => row.map((c) => line(c.tokens)))]
    }
    default:
      throw new Error(`a page has no way to draw "${token.type}": ${token.raw.slice(0, 60)}`)
  }
}

function inlines(tokens: Token[], linkTo: LinkTo): Inline[] {
  return tokens.map((token): Inline => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return token.text
      case 'codespan':
        return ['c', token.text]
      case 'strong':
        return ['b', inlines(token.tokens ?? [], linkTo)]
      case 'link':
        return ['a', linkTo(token.href), inlines(token.tokens ?? [], linkTo)]
      default:
        throw new Error(`a line has no way to draw "${token.type}": ${token.raw.slice(0, 60)}`)
    }
  })
}

/** Text of a line without markup. */
export function plain(line: readonly Inline[]): string {
  return line
    .map((part) => {
      if (typeof part === 'string') return part
      return typeof part[1] === 'string' && part[0] === 'c' ? part[1] : plain((part[2] ?? part[1]) as Inline[])
    })
    .join('')
}

/** Anchor of a heading, the same as GitHub's. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Text of a block for the search, including code. */
function textOf(token: Token): string {
  return token.raw
    .replace(/^```.*$/gm, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[`*|[\]>#]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
}
