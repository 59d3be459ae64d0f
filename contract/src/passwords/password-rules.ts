/**
 * Why a long enough password is rejected (security §6.2.4, §6.2.11). The server and the password meter of the pages use
 * the same rules and the same list, so their verdicts agree.
 */
export type PasswordWeakness = 'address' | 'common' | 'own' | 'repeats' | 'run' | 'words' | 'plain'

/** Words of the user that a password must not consist of. */
export type PersonalWords = {
  email?: string | null | undefined
  /** First name, last name, user name. */
  names: readonly (string | null | undefined)[]
  /** Name of the installation, where it is not Vrata. */
  installation?: string | null | undefined
}

/** Length of the entries of the list of known passwords: the first bytes of SHA-256. */
export const LIST_ENTRY_BYTES = 5

/** Shorter words are contained in too many good passwords by chance. */
const MIN_WORD = 4
/** A word with at least this many other characters does not weaken a password. */
const MIN_OTHER = 10
/** Minimum number of distinct characters. */
const MIN_DISTINCT = 6
/** Share of neighbors from which on a password counts as a sequence. */
const RUN_SHARE = 0.7

/** The alphabet, the digits, and rows of the keyboard. */
const ORDERS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm']
/** Words of the most common passwords, in the languages of the pages. */
const COMMON_WORDS = [
  'password',
  'passwort',
  'qwerty',
  'qwertz',
  'letmein',
  'welcome',
  'iloveyou',
  'geslo',
  'lozinka',
  'zaporka',
]
const SUBSTITUTES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** The form in which passwords are compared with words and with the list. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFC').toLowerCase()
}

/** Weakness by the patterns of a password; undefined when there is none. The list of known passwords is a separate step. */
export function patternWeakness(
  password: string,
  { email, names, installation }: PersonalWords,
): PasswordWeakness | undefined {
  const text = canonicalPassword(password)
  if (email && isMostly(text, canonicalPassword(email))) return 'address'
  const words = [installation || 'vrata', email, ...names]
  const own = words.flatMap((one) => [one ?? '', ...(one ?? '').split(/[@\s._+-]+/)])
  if (own.some((word) => isMostly(text, canonicalPassword(word)))) return 'own'
  if (isRepetition(text)) return 'repeats'
  if (isRun(text)) return 'run'
  const plain = text.replaceAll(/[013457@$!]/g, (character) => SUBSTITUTES[character] ?? character)
  if (COMMON_WORDS.some((word) => isMostly(text, word) || isMostly(plain, word))) return 'words'
  if (new Set(text).size < MIN_DISTINCT) return 'plain'
}

/** Whether the sorted list of entries contains the SHA-256 of a canonical password. */
export function isListed(list: Uint8Array, hash: Uint8Array): boolean {
  let low = 0
  let high = list.length / LIST_ENTRY_BYTES
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compareEntry(list, middle * LIST_ENTRY_BYTES, hash)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

function compareEntry(list: Uint8Array, offset: number, hash: Uint8Array): number {
  for (let index = 0; index < LIST_ENTRY_BYTES; index++) {
    const order = (list[offset + index] ?? 0) - (hash[index] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

function isMostly(text: string, word: string): boolean {
  return word.length >= MIN_WORD && text.includes(word) && text.length - word.length < MIN_OTHER
}

/** A part of any length, repeated at least twice. The shortest period of a text follows from its longest border. */
function isRepetition(text: string): boolean {
  const borders = [0]
  for (let end = 1; end < text.length; end++) {
    let length = borders[end - 1] ?? 0
    while (length > 0 && text[end] !== text[length]) length = borders[length - 1] ?? 0
    borders.push(text[end] === text[length] ? length + 1 : 0)
  }
  return text.length > 0 && text.length - (borders.at(-1) ?? 0) <= text.length / 2
}

/** Mostly neighbors in the alphabet, the digits or the keyboard, in either direction. */
function isRun(text: string): boolean {
  let neighbors = 0
  for (let index = 1; index < text.length; index++) {
    const pair = text.slice(index - 1, index + 1)
    const reversed = `${pair[1]}${pair[0]}`
    if (ORDERS.some((order) => order.includes(pair) || order.includes(reversed))) neighbors++
  }
  return text.length > 1 && neighbors > (text.length - 1) * RUN_SHARE
}
