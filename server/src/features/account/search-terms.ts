import type { UsersTable } from '../../db/schema.ts'
import { folded } from '../../db/search-text.ts'

/** Columns from which the terms are made. */
export const SEARCHED_COLUMNS = ['first_name', 'last_name', 'username', 'email'] as const

/** Texts with their parts: of `Novak-Kovač` people look for `Kovač`, too. */
export function withParts(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{M}\p{N}]+/u)])
}

/**
 * Words by which operators find a person: those of the names and the address with their parts, and its domain. A search compares
 * their beginnings.
 */
export function accountTerms({
  first_name,
  last_name,
  username,
  email,
}: Pick<UsersTable, (typeof SEARCHED_COLUMNS)[number]>): string[] {
  const texts = withParts([first_name, last_name, username ?? '', email])
  return accountSearchWords([...texts, email.split('@')[1] ?? ''].join('\n'))
}

/** The folded words of a search, each once. `@example.com` is the domain. */
export function accountSearchWords(text: string): string[] {
  const words = folded(text).split(/\s+/)
  return [...new Set(words.map((word) => word.replace(/^@/, '')).filter(Boolean))]
}
