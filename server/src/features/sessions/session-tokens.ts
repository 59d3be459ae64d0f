import { timingSafeEqual } from 'node:crypto'
import type { SessionsTable } from '../../db/schema.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import type { Encryption } from '../../lib/encryption.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import type { SessionContext } from '../account/public.ts'
import { findById } from './store.ts'

/**
 * Value of the session cookie: `<secret>.<session id>.<tag>`. The table stores its SHA-256 only. The tag authenticates
 * the session id, so that a replayed cookie of any earlier generation is detected without a row for each (decision 0016).
 */
export type SessionToken = string

/**
 * Returns a token with a random secret, for each authentication step (security §7.2.4). With a `seed`, which only this browser has, it is derived
 * as a successor is, so that the same answer can be given again.
 */
export function newSessionToken(encryption: Encryption, session_id: string, seed?: string): SessionToken {
  if (seed !== undefined) return nextSessionToken(encryption, session_id, seed)
  return [newToken(), session_id, tagOf(encryption.derive(TAG, session_id))].join('.')
}

/**
 * Returns the successor of a token. It is derived with the server's secret, so that parallel tabs get the same one and the
 * table need not store it in plain text. `issued_hash`: hash of the successor, if a parallel tab has got it, perhaps from
 * a node that has another secret while the secret is being replaced.
 */
export function nextSessionToken(
  encryption: Encryption,
  session_id: string,
  token: SessionToken,
  issued_hash?: string,
): SessionToken {
  const tags = tagsOf(encryption, session_id)
  const successors = encryption
    .deriveEach('session', `${session_id} ${token}`)
    .map((secret, n) => [secret, session_id, tags[n]].join('.'))
  return successors.find((one) => hashToken(one) === issued_hash) ?? (successors[0] as string)
}

/** The two cookies of a session. */
export type SessionCookies = { session: SessionToken; access: string }

/** Returns the cookies of a session token. */
export function sessionCookies({ encryption }: { encryption: Encryption }, session: SessionToken): SessionCookies {
  return { session, access: encryption.derive('access', session) }
}

/**
 * Writes again the cookies that a session got with this `seed`, for a browser that may not have got them. Returns undefined, and
 * writes none, when the session has ended or has others by now.
 */
export async function writeCookiesAgain(
  deps: Pick<AppDeps, 'db' | 'clock' | 'encryption' | 'policy'>,
  visitor: AnonymousActor,
  session_id: string,
  seed: string,
): Promise<SessionContext | undefined> {
  const found = await findById(deps.db, session_id, toTime(deps.clock.now()))
  if (!found) return undefined
  const token = nextSessionToken(deps.encryption, session_id, seed, found.token_hash)
  if (hashToken(token) !== found.token_hash) return undefined
  await writeSessionCookies(deps, visitor, sessionCookies(deps, token))
  const { user_id, developer_id, next_step } = found
  return { user_id, session_id, developer_id, next_step }
}

/** Writes the cookies of a session. */
export async function writeSessionCookies(
  deps: Pick<AppDeps, 'db' | 'policy'>,
  visitor: AnonymousActor,
  { session, access }: SessionCookies,
): Promise<void> {
  const { session_idle_days } = await deps.policy.find(deps.db)
  visitor.cookies.write('session', session, session_idle_days * DAY)
  visitor.cookies.write('access', access)
}

/** Returns the session id of a token whose tag is valid, of any generation. */
export function verifiedSessionId(encryption: Encryption, token: string): string | undefined {
  const [, session_id = '', given = ''] = token.split('.')
  const offered = Buffer.from(given)
  const isValid = tagsOf(encryption, session_id)
    .map((tag) => Buffer.from(tag))
    .some((expected) => offered.length === expected.length && timingSafeEqual(offered, expected))
  return isValid ? session_id : undefined
}

/** Whether a request came with another session or access cookie than the session has. */
export function hasOtherCookies(
  { cookies }: Pick<AnonymousActor, 'cookies'>,
  { token_hash, access_hash }: Pick<SessionsTable, 'token_hash' | 'access_hash'>,
): boolean {
  const isOther = (cookie: string | undefined, hash: string) => cookie !== undefined && hashToken(cookie) !== hash
  return isOther(cookies.read('session'), token_hash) || isOther(cookies.read('access'), access_hash)
}

/** Seconds of a day. */
export const DAY = 24 * 60 * 60

const TAG = 'session-tag'

/** 128 bits. */
const tagOf = (derived: string) => derived.slice(0, 22)

/** With each accepted secret, the current one first. */
function tagsOf(encryption: Encryption, session_id: string): string[] {
  return encryption.deriveEach(TAG, session_id).map(tagOf)
}
