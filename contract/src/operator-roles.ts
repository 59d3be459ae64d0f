/** Roles of operators, who run the installation, lowest to highest (operators §1). */
export const OPERATOR_ROLES = ['auditor', 'support', 'admin'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** Access of a call or page for operators with at least this role. */
export type OperatorNeed = `operator:${OperatorRole}`

/** Returns the role that a call or page needs; undefined where no role is needed. */
export function roleNeeded(needs: string): OperatorRole | undefined {
  return OPERATOR_ROLES.find((role) => needs === `operator:${role}`)
}

/** Tells whether a role satisfies a required role. Null means no operator. */
export function hasRole(have: OperatorRole | null | undefined, needed: OperatorRole): boolean {
  return have != null && OPERATOR_ROLES.indexOf(have) >= OPERATOR_ROLES.indexOf(needed)
}
