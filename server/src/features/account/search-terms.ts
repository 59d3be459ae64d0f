import type { UsersTable } from '../../db/schema.ts'
import { folded } from '../../db/search-text.ts'

/** Columns from which the terms are made. */
export const SEARCHED_COLUMNS = ['first_name', 'last_name', 'username', 'email'] as const

/**
 * Words by which operators find a person: those of the names, the whole address, its parts and its domain. A search compares
 * their beginnings.
 */
export function accountTerms({
  first_name,
  last_name,
  username,
  email,
}: Pick<UsersTable, (typeof SEARCHED_COLUMNS)[number]>): string[] {
  const parts = email.split(/[^\p{L}\p{N}]+/u)
  return accountSearchWords(
    [first_name, last_name, username ?? '', email, ...parts, email.split('@')[1] ?? ''].join('\n'),
  )
}

/** The folded words of a search, each once. `@example.com` is the domain. */
export function accountSearchWords(text: string): string[] {
  const words = folded(text).split(/\s+/)
  return [...new Set(words.map((word) => word.replace(/^@/, '')).filter(Boolean))]
}
