import { hash, randomBytes, randomFillSync, randomInt } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock } from './clock.ts'

/** Public id of a row. */
export type Id = string & { readonly __id: true }
/** A secret token in plain text: sent to its holder, never stored or logged. */
export type Token = string & { readonly __token: true }
/** SHA-256 of a token, as stored. */
export type TokenHash = string & { readonly __hash: true }

/**
 * A UUIDv7 (RFC 9562 §5.7). Ids sort by creation, so that new rows are appended to the index (performance §1) and lists
 * page by id. An id reveals its creation time and is not secret.
 */
export function newId(clock: Clock): Id {
  sequence = (sequence + 1) % SEQUENCE_END
  const start = takeBytes(16)
  return v7({ msecs: clock.now().getTime(), seq: sequence, random: bytes.subarray(start, start + 16) }) as Id
}

/** 256 random bits as 43 characters of base64url that are not secret: the `jti` of a JWT (RFC 7519 §4.1.7). */
export function newJwtId(): string {
  const start = takeBytes(32)
  return bytes.toString('base64url', start, start + 32)
}

/** Random bytes for 128 ids: a call of the system for each id takes as long as the rest of it. Ids are not secret, so the bytes of the next ones may be kept here. */
const bytes = Buffer.alloc(16 * 128)
let unused = 0

/** Returns where the taken ones begin. */
function takeBytes(length: number): number {
  if (unused < length) {
    randomFillSync(bytes)
    unused = bytes.length
  }
  unused -= length
  return unused
}

/** Lower bound of the ids that are created at this time or later (RFC 9562 §5.7). */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** Orders ids of the same millisecond. Starts at a random value, so that processes differ. */
const SEQUENCE_END = 2 ** 31
let sequence = randomInt(SEQUENCE_END)

/** 256 random bits as 43 characters of base64url: session cookies, mailed links, client secrets. */
export function newToken(): Token {
  return randomBytes(32).toString('base64url') as Token
}

/** 128 random bits as 22 characters of base64url: codes in QR codes, which must be short. */
export function newShortToken(): Token {
  return randomBytes(16).toString('base64url') as Token
}

/** SHA-256 as base64url. Sufficient for random tokens, which cannot be guessed; passwords use `passwords.ts`. */
export function hashToken(token: string): TokenHash {
  return hash('sha256', token, 'base64url') as TokenHash
}

/** 128 random bits and the file type: `<22 characters>.webp` (security §5.3.1). */
export function newPictureName(): string {
  return `${randomBytes(16).toString('base64url')}.webp`
}
