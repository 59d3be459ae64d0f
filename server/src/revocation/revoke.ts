import type { TransactionDeps } from '../deps.ts'
import { REVOCABLES, type Revocable, type RevocationRow, type RevocationSubject } from './revocables.ts'
import { REVOCATIONS, type Revocation, type RevocationEvent, type Revoked } from './revocations.ts'

/**
 * Ends the revocables of one kind. Where every read checks a condition that the event has changed already, such as the level
 * of a member, a revoker has nothing to write.
 */
export type Revoker = (deps: TransactionDeps, revocation: Revocation, revoked: Revoked) => Promise<void>

/** A revoker for each kind, listed in `revokers.ts`. */
export type Revokers = Readonly<Record<Revocable, Revoker>>

/** Ends what the table names for the event, kind by kind, in the caller's transaction. */
export async function revoke(
  deps: TransactionDeps,
  revokers: Revokers,
  event: RevocationEvent,
  subject: RevocationSubject,
): Promise<Revoked> {
  const revoked: Revoked = { session_ids: [], renewed: new Map() }
  const row: RevocationRow = REVOCATIONS[event]
  for (const revocable of Object.keys(REVOCABLES) as Revocable[]) {
    const effect = row[revocable]
    if (effect !== 'stays') await revokers[revocable](deps, { ...subject, event, effect }, revoked)
  }
  return revoked
}
