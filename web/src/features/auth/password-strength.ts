import { LIMITS } from '@vrata/contract/limits'

/** Why a password that is long enough is still easy to guess. */
export type Weakness = 'repeats' | 'run' | 'own' | 'plain' | 'common' | 'words' | 'date'

/** From here on length alone is enough, unless one of the patterns below makes it worthless (security.md, "Decided"). */
const LONG = 15
/** So many different characters make a shorter one good. */
const VARIED = 8
/** Shorter pieces of a name stand in too many good passwords by chance. */
const TELLING = 4
/** With this many other characters around it, an own word adds to a password instead of being it. */
const OTHER = 10

const ORDERS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm']

/**
 * A first opinion while somebody types; the server has the last word, as it knows the passwords that leaked. Undefined
 * when nothing speaks against it.
 *
 * @param own names and addresses of the person
 */
export function weaknessOf(password: string, own: readonly string[] = []): Weakness | undefined {
  const lower = password.normalize('NFC').toLowerCase()
  const characters = [...lower]
  if (isRepetition(lower)) return 'repeats'
  if (isRun(characters)) return 'run'
  if (holdsOwnWord(lower, own)) return 'own'
  const different = new Set(characters).size
  if (characters.length < LONG ? different < VARIED : different < VARIED - 2) return 'plain'
}

/** Whether the meter would call it secure. */
export function isSecure(password: string, own?: readonly string[]): boolean {
  return [...password].length >= LIMITS.password_min && weaknessOf(password, own) === undefined
}

function isRepetition(lower: string): boolean {
  return [1, 2, 3, 4, 5, 6].some(
    (length) => lower === lower.slice(0, length).repeat(lower.length).slice(0, lower.length),
  )
}

/** Mostly neighbours of the alphabet, the figures or the keyboard, in either direction. */
function isRun(characters: readonly string[]): boolean {
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`)
  const ordered = pairs.filter((pair) =>
    ORDERS.some((order) => order.includes(pair) || order.includes([...pair].reverse().join(''))),
  )
  return ordered.length > pairs.length * 0.7
}

function holdsOwnWord(lower: string, own: readonly string[]): boolean {
  return [
    'vrata',
    ...own.flatMap((one) =>
      one
        .normalize('NFC')
        .toLowerCase()
        .split(/[@\s._+-]+/),
    ),
  ].some((word) => word.length >= TELLING && lower.includes(word) && lower.length - word.length < OTHER)
}
