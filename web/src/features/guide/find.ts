import type { Sections } from './tree.ts'

export type Found = { page: string; anchor: string; heading: string; excerpt: string; score: number }

const WEIGHT = { heading: 6, text: 1 }
const MOST = 8

/** Sections in which every word begins some word; those that say it in their heading, or whole, come first. */
export function find(sections: Sections, query: string): Found[] {
  const wanted = query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []
  if (!wanted.length) return []
  return sections
    .flatMap(([page, anchor, heading, text]): Found[] => {
      const scores = wanted.map((word) => scoreOf(word, heading) * WEIGHT.heading + scoreOf(word, text) * WEIGHT.text)
      if (scores.includes(0)) return []
      // A page's own beginning stands before its sections.
      const score = scores.reduce((sum, one) => sum + one, anchor ? 0 : 0.5)
      return [{ page, anchor, heading, excerpt: excerptOf(text, wanted), score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
}

/** 2 for the whole word, 1 for the beginning of one. */
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

/** Some words around the first place where one of the words stands. */
function excerptOf(text: string, wanted: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = wanted.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 30)
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const part = text.slice(begin, begin + 110)
  return `${begin > 0 ? '… ' : ''}${part}${begin + 110 < text.length ? ' …' : ''}`
}
