import type { Sections } from './tree.ts'

export type FoundSection = { page: string; anchor: string; heading: string; excerpt: string; score: number }

const WEIGHT = { heading: 6, text: 1 }
const MAX_RESULTS = 8

/** Sections in which every word of the query starts a word. Matches in headings and whole words rank higher. */
export function findSections(sections: Sections, query: string): FoundSection[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []
  if (!words.length) return []
  return sections
    .flatMap(([page, anchor, heading, text]): FoundSection[] => {
      const scores = words.map((word) => scoreOf(word, heading) * WEIGHT.heading + scoreOf(word, text) * WEIGHT.text)
      if (scores.includes(0)) return []
      // The introduction of a page ranks above its sections.
      const score = scores.reduce((sum, one) => sum + one, anchor ? 0 : 0.5)
      return [{ page, anchor, heading, excerpt: excerptOf(text, words), score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
}

/** 2 for a whole word, 1 for a prefix. */
function scoreOf(word: string, text: string): number {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(word), best = 0; ; at = lower.indexOf(word, at + 1)) {
    if (at < 0) return best
    const begins = at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')
    const ends = !/[\p{L}\p{N}]/u.test(lower[at + word.length] ?? '')
    if (begins && ends) return 2
    if (begins) best = 1
  }
}

/** Text around the first match. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 30)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const part = text.slice(start, start + 110)
  return `${start > 0 ? '… ' : ''}${part}${start + 110 < text.length ? ' …' : ''}`
}
