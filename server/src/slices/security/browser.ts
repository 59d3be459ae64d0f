import type { Visitor } from '../../edge/actors.ts'
import { hashToken, newToken, type TokenHash } from '../../ports/ids.ts'

/**
 * The hash of this browser's device cookie; one that has none yet is given one. What was begun in a browser is finished
 * in it and in no other: the cookie opens nothing by itself.
 */
export function browserOf(visitor: Visitor): TokenHash {
  const token = visitor.cookies.read('device') ?? newToken()
  visitor.cookies.write('device', token)
  return hashToken(token)
}
