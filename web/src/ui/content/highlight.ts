/** Kind of a token; plain text has none. */
export type Kind = 'comment' | 'string' | 'keyword' | undefined
export type Piece = { kind: Kind; text: string }

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/
const SLASHES = /\/\*[\s\S]*?\*\/|(?<![:"'])\/\/.*/
const HASH = /(?<=^|\s)#.*/
const WORDS =
  'and as async await break case catch class const def default defer elif else except export extends False finally for from fun func function global go guard if import in interface is let new nil None not null or package private public raise return self static struct switch throw True true false try type undefined use using val var void while with yield'
const KEYWORD = new RegExp(`(?<![\\w$.-])(?:${WORDS.replaceAll(' ', '|')})(?![\\w$-]|\\s*[:=](?!=))`)

/** Languages in which `#` starts a comment; `//` in those of {@link SLASHED}. */
const HASHED = new Set(['sh', 'python', 'php', 'env', 'yaml'])
const SLASHED = new Set(['js', 'jsx', 'ts', 'tsx', 'go', 'php', 'html', 'java', 'kotlin', 'swift', 'csharp'])
/** Languages with strings only. */
const DATA = new Set(['json', 'http', 'html', 'xml', 'yaml', ''])

/**
 * Splits code into comments, strings and keywords with one rule for all languages: 1 KB instead of 100 KB for a
 * grammar-based highlighter.
 */
export function highlight(code: string, language: string): Piece[] {
  const rules = [
    SLASHED.has(language) && `(?<comment>${SLASHES.source}${HASHED.has(language) ? `|${HASH.source}` : ''})`,
    !SLASHED.has(language) && HASHED.has(language) && `(?<comment>${HASH.source})`,
    `(?<string>${STRING.source})`,
    !DATA.has(language) && language !== 'sh' && `(?<keyword>${KEYWORD.source})`,
  ].filter(Boolean)
  if (language === 'text') return [{ kind: undefined, text: code }]
  const pieces: Piece[] = []
  let last = 0
  for (const match of code.matchAll(new RegExp(rules.join('|'), 'gm'))) {
    if (match.index > last) pieces.push({ kind: undefined, text: code.slice(last, match.index) })
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] as Kind
    pieces.push({ kind, text: match[0] })
    last = match.index + match[0].length
  }
  if (last < code.length) pieces.push({ kind: undefined, text: code.slice(last) })
  return pieces
}
