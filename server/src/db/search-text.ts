/** Texts as they are sorted and searched: lower case without accents, so that `citanje` finds `Čitanje` on either engine. */
export function folded(...texts: string[]): string {
  return texts
    .join('\n')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('đ', 'd')
}

/** A `LIKE` pattern (escape character `\`) for text that stands anywhere. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
