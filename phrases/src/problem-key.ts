import { CLIENT_PROBLEMS, OPERATOR_PROBLEMS, type ProblemCode } from '@vrata/contract/problem'
import type { PhraseKey } from './keys.ts'

/** The sentence of an error code. Those that only some pages show stand in the phrases of these pages. */
export function problemKey(code: ProblemCode): PhraseKey {
  const isIn = (codes: readonly string[]) => codes.includes(code)
  const file = isIn(OPERATOR_PROBLEMS) ? 'operators.problem' : isIn(CLIENT_PROBLEMS) ? 'clients.problem' : 'problems'
  return `${file}.${code}` as PhraseKey
}
