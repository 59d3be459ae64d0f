import type { ReactNode } from 'react'
import type { Icon } from '../../ui/icons/draw-icon.tsx'

/** Groups of results, in the order in which they are shown. */
export const GROUPS = ['pages', 'settings', 'organizations', 'apps', 'people'] as const
export type Group = (typeof GROUPS)[number]

/** Something that the search finds. */
export type Entry = {
  key: string
  group: Group
  label: string
  text?: string | undefined
  icon?: Icon
  picture?: ReactNode
} & ({ href: string; newTab?: boolean } | { run: () => void })

/** Results shown of each group while there is a query. */
const SHOWN = 6

/**
 * Entries that contain every word of the query in label or text, by group. Those whose label begins with it come first. One
 * or two letters are inside too many words, so they find words that begin with them.
 * Case and diacritics do not matter.
 */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  const wanted = plain(query)
  const words = wanted.split(/\s+/).filter(Boolean)
  if (!words.length) return entries.filter(({ group }) => group === 'pages')
  const rank = ({ label }: Entry) => (plain(label).startsWith(wanted) ? 0 : plain(label).includes(wanted) ? 1 : 2)
  const found = entries.filter(({ label, text = '' }) => {
    const content = plain(`${label} ${text}`)
    return words.every((word) => (word.length < 3 ? beginsWord(content, word) : content.includes(word)))
  })
  return GROUPS.flatMap((group) =>
    found
      .filter((entry) => entry.group === group)
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, SHOWN),
  )
}

/** Whether a word of `content` begins with `start`. */
function beginsWord(content: string, start: string): boolean {
  return content.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start))
}

/** Lower case without diacritics and word joiners; đ has no diacritic that can be removed. */
function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\p{M}\u2060]/gu, '')
    .replaceAll('đ', 'd')
}
