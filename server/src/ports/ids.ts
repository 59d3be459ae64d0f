import { createHash, randomBytes, randomInt } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock } from './clock.ts'

/** Public name of a row. */
export type Id = string & { readonly __id: true }
/** A secret in plain: goes to its holder, never into a table or a log. */
export type Token = string & { readonly __token: true }
/** What a table knows of a token. */
export type TokenHash = string & { readonly __hash: true }

/**
 * A UUIDv7 (RFC 9562 §5.7) in its usual form with dashes. Ids made one after the other sort one after the other, so that
 * new rows land at the end of the index (performance.md §1), and one that was made later pages later. An id tells when
 * it was made and is no secret.
 */
export function newId(clock: Clock): Id {
  sequence = (sequence + 1) % SEQUENCE_END
  return v7({ msecs: clock.now().getTime(), seq: sequence }) as Id
}

/** Orders ids of the same millisecond; begins anywhere, so that two processes do not run in step. */
const SEQUENCE_END = 2 ** 31
let sequence = randomInt(SEQUENCE_END)

/** 256 random bits as 43 characters of base64url: for session cookies, mailed links, client secrets. */
export function newToken(): Token {
  return randomBytes(32).toString('base64url') as Token
}

/** 128 random bits as 22 characters of base64url: for codes that a camera reads, which must be short. */
export function newShortToken(): Token {
  return randomBytes(16).toString('base64url') as Token
}

/** SHA-256 as base64url. Enough for random tokens, of which nobody can try all; passwords go through `passwords.ts`. */
export function hashToken(token: string): TokenHash {
  return createHash('sha256').update(token).digest('base64url') as TokenHash
}

/** 128 random bits and what it is: `<22 characters>.webp` (security.md 5.3.1). */
export function newPictureName(): string {
  return `${randomBytes(16).toString('base64url')}.webp`
}
