import { toTime } from '../../db/values.ts'
import { hashToken } from '../../lib/ids.ts'
import { type RevocationEvent, required } from '../../revocation/revocations.ts'
import type { Revoker } from '../../revocation/revoke.ts'
import { deleteDevicesOfUser } from './devices/device-store.ts'
import { endManySessions } from './ending/end-sessions.ts'
import { updateAuthentication } from './session-lifecycle.ts'
import { findByIdForUpdate, type SessionSelection, updateSessionsEnded } from './store.ts'

/** Events whose call has verified the password or a code. */
const VERIFIED: ReadonlySet<RevocationEvent> = new Set(['password_changed', 'second_factor_disabled'])

/**
 * Ends sessions. After a call that has verified the password or a code, the session that stays gets new cookies, so that a copy of the old ones is
 * void (ASVS 7.2.4). Other calls leave them: their answer has the recovery codes, and a browser that does not get it must be able to ask again
 * (decision 0016).
 */
export const revokeSessions: Revoker = async (deps, revocation, revoked) => {
  const { event, effect, keep } = revocation
  const user_id = required(revocation.user_id, revocation)
  const now = toTime(deps.clock.now())
  const which = selectionOf()
  // Sessions of a deleted account are deleted with it.
  const isDeleted = event === 'account_deleted' || event === 'unconfirmed_account_reset'
  if (effect !== 'session_ends' && !isDeleted) revoked.later = await endManySessions(deps, user_id, keptOf())
  if (!revoked.later) {
    const session_ids = await updateSessionsEnded(deps.db, user_id, which, now)
    for (const id of session_ids) revoked.session_ids.push(id)
    if (session_ids.length > 0) await deps.emit('sessions_ended', { user_id, session_ids })
  }
  if (effect !== 'others_end' || !keep || !VERIFIED.has(event)) return
  const current = await findByIdForUpdate(deps.db, keep.session_id, now)
  if (current) await updateAuthentication(deps, keep, current, { reauthenticated_at: now })

  function selectionOf(): SessionSelection {
    if (effect === 'session_ends') return { only: [...required(revocation.session_ids, revocation)] }
    const kept = keptOf()
    return kept === undefined ? 'all' : { except: kept }
  }

  function keptOf(): string | undefined {
    return effect === 'others_end' ? required(keep, revocation).session_id : undefined
  }
}

/** Forgets the browsers in which the user has signed in, except that of the request where others end. */
export const revokeKnownBrowsers: Revoker = async ({ db }, revocation) => {
  const user_id = required(revocation.user_id, revocation)
  const browser = revocation.keep ?? revocation.browser
  const device = revocation.effect === 'others_end' ? browser?.cookies.read('device') : undefined
  await deleteDevicesOfUser(db, user_id, device === undefined ? null : hashToken(device))
}
