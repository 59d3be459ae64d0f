/** What a piece of code is. Plain pieces have no kind. */
export type Kind = 'comment' | 'string' | 'keyword' | undefined
export type Piece = { kind: Kind; text: string }

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/
const SLASHES = /\/\*[\s\S]*?\*\/|(?<![:"'])\/\/.*/
const HASH = /(?<=^|\s)#.*/
const WORDS =
  'and as async await break case catch class const def default defer elif else except export extends False finally for from func function global go if import in interface is let new nil None not null or package raise return self static switch throw True true false try type undefined use var while with yield'
const KEYWORD = new RegExp(`(?<![\\w$.-])(?:${WORDS.replaceAll(' ', '|')})(?![\\w$-]|\\s*[:=](?!=))`)

/** Languages in which `#` begins a comment; `//` does in those of {@link SLASHED}. */
const HASHED = new Set(['sh', 'python', 'php', 'env'])
const SLASHED = new Set(['js', 'jsx', 'ts', 'tsx', 'go', 'php', 'html'])
/** Of these only the strings are told apart. */
const DATA = new Set(['json', 'http', 'html', ''])

/**
 * Cuts code into pieces that can be shown apart: comments, strings, keywords. One rule for all languages and no grammar,
 * which is as much as a reader of short examples needs and 1 KB instead of 100.
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
