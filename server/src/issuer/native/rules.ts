/**
 * Conditions under which a request is answered without oidc-provider, by name. A request that fails one is passed to
 * oidc-provider, so a condition can only be too strict, never wrong. A test removes each one and expects that the comparison with
 * oidc-provider finds it (oracle.test.ts).
 */
export type Rules<Facts> = Record<string, (facts: Facts) => boolean>

/** Whether every rule holds. */
export function hold<Facts>(rules: Rules<Facts>, facts: Facts): boolean {
  for (const name in rules) if (rules[name]?.(facts) !== true) return false
  return true
}
