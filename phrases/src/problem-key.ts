import { CLIENT_PROBLEMS, CONFLICT_PROBLEMS, OPERATOR_PROBLEMS, type ProblemCode } from '@vrata/contract/problem'
import type { PhraseKey } from './keys.ts'

/** The sentence of an error code. Those that only some pages show stand in the phrases of these pages. */
export function problemKey(code: ProblemCode): PhraseKey {
  const isIn = (codes: readonly string[]) => codes.includes(code)
  const own = { operators: OPERATOR_PROBLEMS, clients: CLIENT_PROBLEMS, conflicts: CONFLICT_PROBLEMS }
  const [file] = Object.entries(own).find(([, codes]) => isIn(codes)) ?? []
  return (file ? `${file}.problem.${code}` : `problems.${code}`) as PhraseKey
}
