/**
 * Stands in `clients.scopes` for every scope that exists: no developer chooses scopes for an unregistered client, so its users
 * alone decide (decision 0031).
 */
export const ANY_SCOPE = '*'

/** Whether a client may request a scope, by its column `scopes`. */
export function mayRequest(scopes: readonly string[], key: string): boolean {
  return scopes.includes(key) || scopes[0] === ANY_SCOPE
}
