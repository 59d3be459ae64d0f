import { ACCOUNT_EVENTS } from './account-events.ts'
import { CLIENT_EVENTS } from './client-events.ts'
import type { Effect, RevocationSubject } from './revocables.ts'

/** Table of events and the revocables that each ends: the source of `revoke`, of its test and of its documentation. */
export const REVOCATIONS = { ...ACCOUNT_EVENTS, ...CLIENT_EVENTS }
export type RevocationEvent = keyof typeof REVOCATIONS

/** An event with the effect that the table names for one kind of revocable. */
export interface Revocation extends RevocationSubject {
  event: RevocationEvent
  effect: Exclude<Effect, 'stays'>
}

/** Revocables that a revocation has ended so far; later revokers read it. */
export interface Revoked {
  session_ids: string[]
  /** All sessions but the kept one have ended; they are too many to list. A job ends their codes and tokens (decision 0145). */
  later?: boolean
  /** Former ids of connections whose tokens were too many to delete, with their new ones (decision 0145). */
  renewed: Map<string, string>
}

/** Returns a member of the subject that the effect needs. */
export function required<T>(value: T | null | undefined, { event, effect }: Revocation): T {
  if (value == null) throw new Error(`${event}: the effect ${effect} lacks its subject`)
  return value
}
