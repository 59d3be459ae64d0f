import { type InputOf, problem, type sessions } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { AnonymousActor, UserActor } from '../../http/actors.ts'
import { hashToken } from '../../lib/ids.ts'
import { findUserForUpdate } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import * as store from './store.ts'

/** Ends the current session (api §2.4). Succeeds without one. */
export async function logout(deps: TransactionDeps, visitor: AnonymousActor) {
  const session = await findSessionOfCookies(deps, visitor)
  const redirect_to = session && (await deps.frontchannelLogouts.prepare(deps, session.id))
  if (session) await deps.revoke('signed_out', { user_id: session.user_id, session_ids: [session.id] })
  clearSessionCookies(visitor)
  return { redirect_to }
}

/** Finds the session by either cookie, and by the former session cookie regardless of its grace period. */
async function findSessionOfCookies(
  deps: TransactionDeps,
  visitor: AnonymousActor,
): Promise<{ id: string; user_id: string } | undefined> {
  const now = toTime(deps.clock.now())
  const token = visitor.cookies.read('session')
  const access = visitor.cookies.read('access')
  return (
    (token ? await store.findByToken(deps.db, { token_hash: hashToken(token), now }) : undefined) ??
    (access ? await store.findByAccess(deps.db, hashToken(access), now) : undefined)
  )
}

/** Clears both session cookies. The device cookie stays: it grants no access and exempts from throttling. */
export function clearSessionCookies(visitor: AnonymousActor): void {
  visitor.cookies.clear('session')
  visitor.cookies.clear('access')
}

/** Ends one session of the user (api §2.4). Throws `not_found` for a session of another user. */
export async function logoutSession(
  deps: TransactionDeps,
  actor: UserActor,
  { id }: InputOf<typeof sessions.logoutSession>,
) {
  const { user_id, session_id } = actor
  const redirect_to = id === session_id ? await deps.frontchannelLogouts.prepare(deps, id) : undefined
  const ended = await deps.revoke('signed_out', { user_id, session_ids: [id] })
  if (ended.session_ids.length === 0) throw problem('not_found')
  if (id === session_id) clearSessionCookies(actor)
  else await recordActivity(deps, { type: 'LOGGED_OUT_DEVICE', user_id, from: actor, session_id })
  return { redirect_to }
}

/** Ends all sessions of the user, by default except the current one (api §2.4). */
export async function logoutAll(
  deps: TransactionDeps,
  actor: UserActor,
  { include_current }: InputOf<typeof sessions.logoutAll>,
) {
  // Locks the user before the sessions, like a change of the password (decision 0012).
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  const keep = include_current ? null : actor
  const redirect_to = keep ? undefined : await deps.frontchannelLogouts.prepare(deps, actor.session_id)
  const type = keep ? 'signed_out_elsewhere' : 'signed_out_everywhere'
  await deps.revoke(type, { user_id: user.id, keep, browser: actor })
  await deps.emit('security_event', { type, user_id: user.id, from: actor })
  if (include_current) clearSessionCookies(actor)
  return { redirect_to }
}
