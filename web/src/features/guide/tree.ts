/** A page of documentation as the build made it of its Markdown (`web/build/guide-tree.ts`): data, never HTML. */
export type Guide = { title: string; blocks: Block[] }

/** Plain words, or bold ones, code, or a link with its address. */
export type Inline = string | ['b', Inline[]] | ['c', string] | ['a', string, Inline[]]

/** A heading with level and anchor, a paragraph, a list, a note, code with its language, or a table: head, then rows. */
export type Block =
  | ['h', 2 | 3, string, Inline[]]
  | ['p', Inline[]]
  | ['ul' | 'ol', Block[][]]
  | ['note', Block[]]
  | ['code', string, string]
  | ['table', Inline[][], Inline[][][]]

/** The contents: groups of pages, in the order in which one reads them. */
export type Contents = { title: string; pages: { page: string; title: string; text: string }[] }[]

/** What can be found: page, anchor in it, heading, text. */
export type Sections = [page: string, anchor: string, heading: string, text: string][]
