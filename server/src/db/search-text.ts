/**
 * Folds text for sorting and searching: lower case without accents, so that `citanje` finds `Čitanje` in both
 * databases, and without word joiners, which people do not type.
 */
export function folded(...texts: string[]): string {
  return texts
    .join('\n')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{Mn}\u2060]/gu, '')
    .replaceAll('đ', 'd')
}

/** A `LIKE` pattern (escape character `\`) for text at any position. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Sorts after every text with the same beginning. */
export const HIGHEST = '\u{10ffff}'
