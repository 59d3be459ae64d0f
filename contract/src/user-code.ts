/** No vowels, so that no words arise, and no similar letters (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** The code for comparison: eight letters, however it was typed. */
export function readUserCode(typed: string): string {
  return [...typed.toUpperCase()].filter((letter) => LETTERS.includes(letter)).join('')
}

/** The code as a device shows it: `WDJB-MJHT`. */
export function showUserCode(typed: string): string {
  const code = readUserCode(typed).slice(0, 8)
  return code.length > 4 ? `${code.slice(0, 4)}-${code.slice(4)}` : code
}
