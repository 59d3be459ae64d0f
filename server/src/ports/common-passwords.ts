import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `common-passwords.bin` holds the first five bytes of the SHA-256 of each known password of twelve or more characters,
 * in lower case, sorted. Shorter ones are refused for their length. Made by `scripts/common-passwords.ts` from the lists
 * of SecLists and zxcvbn (both MIT, decision 0013); as hashes, because people choose words that nobody wants to ship.
 */
const PREFIX = 5
let known: Buffer | undefined

/** Shorter parts of a name or address stand in too many good passwords by chance. */
const TELLING = 4

/**
 * Would somebody who guesses try this early (security.md 6.2.4, 6.2.11)? True for known passwords, for a short piece
 * said over and over, for runs such as `123456789012`, and when it is mostly made of `own` words: names, address,
 * product. Letter case does not help.
 */
export function isGuessable(password: string, own: readonly string[]): boolean {
  const lower = password.normalize('NFC').toLowerCase()
  return isKnown(lower) || isRepetition(lower) || isRun(lower) || holdsOwnWord(lower, own)
}

/** Five bytes that stand for a password in the list. */
export function listEntry(lower: string): Buffer {
  return createHash('sha256').update(lower).digest().subarray(0, PREFIX)
}

function isKnown(lower: string): boolean {
  known ??= readFileSync(join(import.meta.dirname, 'common-passwords.bin'))
  const wanted = listEntry(lower)
  let low = 0
  let high = known.length / PREFIX
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = known.compare(wanted, 0, PREFIX, middle * PREFIX, (middle + 1) * PREFIX)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

function isRepetition(lower: string): boolean {
  return [1, 2, 3, 4].some((length) => lower === lower.slice(0, length).repeat(lower.length).slice(0, lower.length))
}

/** Each character the one after (or before) the last one, `9` going on with `0`. */
function isRun(lower: string): boolean {
  const codes = [...lower].map((c) => (c === '0' ? 58 : (c.codePointAt(0) ?? 0)))
  const steps = new Set(codes.slice(1).map((code, i) => code - (codes[i] ?? 0)))
  for (const wrap of [-9, 9]) steps.delete(wrap)
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

function holdsOwnWord(lower: string, own: readonly string[]): boolean {
  const words = ['vrata', ...own.flatMap((one) => [one, ...one.split(/[@\s._+-]+/)])]
  return words
    .map((word) => word.normalize('NFC').toLowerCase())
    .some((word) => word.length >= TELLING && lower.includes(word) && lower.length - word.length < OTHER)
}

/** With this many other characters around it, an own word adds to a password instead of being it. */
const OTHER = 10
