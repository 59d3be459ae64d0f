/** A page of documentation as data (`web/build/docs-tree.ts`), never HTML. */
export type DocPage = { title: string; blocks: Block[] }

/** Text, bold, code, or a link with its address. */
export type Inline = string | ['b', Inline[]] | ['c', string] | ['a', string, Inline[]]

/** Heading with level and anchor, paragraph, list, note, code with its language, or table with head and rows. */
export type Block =
  | ['h', 2 | 3, string, Inline[]]
  | ['p', Inline[]]
  | ['ul' | 'ol', Block[][]]
  | ['note', Block[]]
  | ['code', string, string]
  | ['table', Inline[][], Inline[][][]]

/** Groups of pages in reading order. */
export type Contents = { title: string; pages: { page: string; title: string; text: string }[] }[]

/** Search index: page, anchor, heading, text. */
export type Sections = [page: string, anchor: string, heading: string, text: string][]
