/**
 * A query as a page is primed with it, asked a single time: what fails is said in its own place, which tries again by
 * itself, and nobody looks at an empty frame meanwhile.
 */
export function once<T extends object>(query: T): T & { retry: false } {
  return { ...query, retry: false }
}
