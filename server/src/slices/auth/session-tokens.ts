import { timingSafeEqual } from 'node:crypto'
import { newToken } from '../../ports/ids.ts'
import type { Sealing } from '../../ports/sealing.ts'

/**
 * The value of the session cookie: `<secret>.<session id>.<tag>`. Known to the table by its SHA-256 only. The tag says
 * that we made it for that session, so that one of any earlier generation is recognised when it is replayed, without a
 * row for each (decision 0040).
 */
export type SessionToken = string

/** A new secret, which nobody can tell from the one before: for every sign-in step (ASVS 7.2.4). */
export function freshToken(sealing: Sealing, session_id: string): SessionToken {
  return [newToken(), session_id, tag(sealing, session_id)].join('.')
}

/**
 * The token after this one, always the same: tabs that refresh at once all get it, and it needs not be kept in plain.
 * Without the server's secret nobody can tell it from this one.
 */
export function successorOf(sealing: Sealing, session_id: string, token: SessionToken): SessionToken {
  return [sealing.derive('session', `${session_id} ${token}`), session_id, tag(sealing, session_id)].join('.')
}

/** The access cookie that belongs to a session token. */
export function accessOf(sealing: Sealing, token: SessionToken): string {
  return sealing.derive('access', token)
}

/** The session for which we once made this token; undefined when we did not. */
export function sessionNamedBy(sealing: Sealing, token: string): string | undefined {
  const [, session_id = '', given = ''] = token.split('.')
  const expected = Buffer.from(tag(sealing, session_id))
  const offered = Buffer.from(given)
  return offered.length === expected.length && timingSafeEqual(offered, expected) ? session_id : undefined
}

/** 128 bits. */
function tag(sealing: Sealing, session_id: string): string {
  return sealing.derive('session-tag', session_id).slice(0, 22)
}
