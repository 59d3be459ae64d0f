import { hashToken, newToken, type Token, type TokenHash } from '../../lib/ids.ts'

/** Milliseconds in base 36: nine characters until the year 5188, which sort. */
const TIME_LENGTH = 9
const TIMED = /^[\da-z]{9}[\w-]{43}$/

/**
 * A code or an opaque token: the time, and 256 random bits. Tokens that are issued together are together in the primary key, too, so that a
 * commit writes one page of it instead of one for each token (performance §1.3.4, decision 0125). The time of a token is not secret.
 */
export function newTimedToken(now: Date): Token {
  return `${now.getTime().toString(36).padStart(TIME_LENGTH, '0')}${newToken()}` as Token
}

/**
 * Primary key of a code or an opaque token: its SHA-256, after its time. Those of seeded and older databases have no time. Of other text nothing
 * becomes a part of the key: PostgreSQL fails at a NUL in a parameter.
 */
export function tokenKey(token: string): TokenHash {
  const hash = hashToken(token)
  return (TIMED.test(token) ? `${token.slice(0, TIME_LENGTH)}${hash}` : hash) as TokenHash
}
