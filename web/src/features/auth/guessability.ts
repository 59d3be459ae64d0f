import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as everywhere } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import type { Weakness } from './password-strength.ts'

// The name of the product is in no list of words, and the first thing that comes to mind here.
const estimator = new ZxcvbnFactory({
  dictionary: { ...everywhere, ...english, product: ['vrata'] },
  graphs: adjacencyGraphs,
  maxLength: 64,
})

/** "Safely unguessable" begins at 10^8 guesses (zxcvbn's score 3); below that the meter says not secure. */
const SECURE_FROM = 3

/** Why somebody who guesses with lists and patterns would soon find this password; undefined when they would not. */
export function guessabilityOf(password: string, own: readonly string[] = []): Weakness | undefined {
  const { score, sequence } = estimator.check(password, own.filter(Boolean))
  if (score >= SECURE_FROM) return undefined
  const patterns = new Set(sequence.map(({ pattern }) => pattern))
  const lists = sequence.flatMap((match) => ('dictionaryName' in match ? [String(match.dictionaryName)] : []))
  if (lists.includes('userInputs') || lists.includes('product')) return 'own'
  if (lists.some((list) => list.startsWith('passwords'))) return 'common'
  if (patterns.has('repeat')) return 'repeats'
  if (patterns.has('sequence') || patterns.has('spatial')) return 'run'
  if (patterns.has('date')) return 'date'
  if (lists.length) return 'words'
  return 'plain'
}
