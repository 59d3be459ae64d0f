import type { Decision } from '../../features/extension-points.ts'

/** Stored members of a decision about a device or a backchannel authentication request; the last two once its client has collected it. */
type StoredDecision = Decision | 'used' | 'refused'

/** State of a decision after the client has collected it, which it can do once. */
export function collected(decision: Decision): 'used' | 'refused' {
  return decision === 'allowed' ? 'used' : 'refused'
}

export function isCollected(decision: StoredDecision | null): boolean {
  return decision === 'used' || decision === 'refused'
}

/** The decision of the user, also when the client has collected it; undefined without one. */
export function decisionOf(decision: StoredDecision | null): Decision | undefined {
  if (decision === null) return undefined
  return decision === 'allowed' || decision === 'used' ? 'allowed' : 'denied'
}
