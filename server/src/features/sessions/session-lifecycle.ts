import { LIFETIMES, type NextStep, problem } from '@vrata/contract'
import type { ReadDb, Statement } from '../../db/open.ts'
import { timeAfter, toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { hashToken, newId } from '../../lib/ids.ts'
import { type SessionContext, userInfoOf } from '../account/public.ts'
import { type AuthenticationMethods, lastVerifiedAt, QR_ONLY } from './authentication/authentication-methods.ts'
import { deviceIdOf } from './devices/device-id.ts'
import {
  DAY,
  hasOtherCookies,
  newSessionToken,
  nextSessionToken,
  type SessionCookies,
  sessionCookies,
  verifiedSessionId,
  writeSessionCookies,
} from './session-tokens.ts'
import { listByAccess } from './session-user-store.ts'
import * as store from './store.ts'

/** Returns the live session of an access cookie, with one read (performance §1.1). */
export async function readSession(deps: Pick<AppDeps, 'db' | 'clock'>, access: string) {
  const found = await store.findByAccess(deps.db, hashToken(access), toTime(deps.clock.now()))
  if (!found) return undefined
  const { id: session_id, user_id, developer_id, next_step } = found
  return { session_id, user_id, developer_id, next_step, ...verification(found) }
}

/** `readSession` with the info of its user, in one read, too. */
export async function readSessionWithUser(deps: Pick<AppDeps, 'db' | 'clock'>, access: string) {
  const rows = await listByAccess(deps.db, hashToken(access), toTime(deps.clock.now()))
  const [found] = rows
  if (!found) return undefined
  const { session_id, user_id, current_developer_id: developer_id, next_step } = found
  const session = { session_id, user_id, developer_id, next_step, ...verification(found) }
  return { ...session, user_info: userInfoOf(rows, session) }
}

type VerificationColumns = Pick<store.StoredSession, 'methods' | 'authenticated_at' | 'reauthenticated_at'>

function verification(session: VerificationColumns) {
  return { authenticated_at: lastVerifiedAt(session), vouched: session.methods === QR_ONLY }
}

/** Returns the live session of a session cookie. */
export async function findSessionByToken(db: ReadDb, token: string, now: Date): Promise<store.SessionRow | undefined> {
  return await acceptedSession(token, now, (by) => store.findByToken(db, by))
}

/**
 * Returns the session that `find` has read by its token (`selectByToken`). The cookie before the last rotation is accepted for the
 * grace period, so that parallel tabs stay signed in (protocol §3.3).
 */
export async function acceptedSession<Row extends store.SessionTokens>(
  token: string,
  now: Date,
  find: (by: { token_hash: string; now: string }) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const by = { token_hash: hashToken(token), now: toTime(now) }
  return ifTokenAccepted(await find(by), by.token_hash, by.now)
}

/** Returns the live session of a session cookie and locks it. */
async function findSessionByTokenForUpdate(
  deps: TransactionDeps,
  token: string | undefined,
): Promise<store.StoredSession | undefined> {
  if (!token) return undefined
  const now = toTime(deps.clock.now())
  const hash = hashToken(token)
  return ifTokenAccepted(await store.findByTokenForUpdate(deps.db, hash, now), hash, now)
}

function ifTokenAccepted<Row extends store.SessionTokens>(
  session: Row | undefined,
  hash: string,
  now: string,
): Row | undefined {
  return session && (session.token_hash === hash || inGrace(session, now)) ? session : undefined
}

function inGrace(session: Pick<store.StoredSession, 'previous_until'>, now: string): boolean {
  return session.previous_until !== null && session.previous_until > now
}

/**
 * Opens a session after authentication. A session of the same user in this browser continues with a new token, so that
 * tokens of clients stay valid; a session of another user ends. `seed`: see `newSessionToken`.
 */
export async function beginSession(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  user_id: string,
  methods: AuthenticationMethods,
  next_step: NextStep | null,
  seed?: string,
): Promise<SessionContext> {
  const existing = await findSessionByTokenForUpdate(deps, visitor.cookies.read('session'))
  if (existing && existing.user_id !== user_id)
    await deps.revoke('signed_out', { user_id: existing.user_id, session_ids: [existing.id] })
  if (existing?.user_id === user_id) {
    const browser = { ...(await deviceColumns(deps, visitor)), ...deviceId(visitor, user_id) }
    const authenticated_at = toTime(deps.clock.now())
    const changes = {
      methods: toJson(methods),
      authenticated_at,
      next_step,
      ...browser,
      ...(await expiryColumns(deps)),
    }
    await updateAuthentication(deps, visitor, existing, changes, seed)
    return { user_id, session_id: existing.id, developer_id: existing.developer_id, next_step }
  }

  const { row, cookies } = await newSession(deps, visitor, user_id, methods, next_step, seed)
  await store.insertSession(deps.db, row)
  await writeSessionCookies(deps, visitor, cookies)
  return { user_id, session_id: row.id, developer_id: null, next_step }
}

type NewSessionDeps = Pick<AppDeps, 'db' | 'clock' | 'encryption' | 'geoip' | 'policy'>

async function newSession(
  deps: NewSessionDeps,
  visitor: AnonymousActor,
  user_id: string,
  methods: AuthenticationMethods,
  next_step: NextStep | null,
  seed?: string,
): Promise<{ row: Parameters<typeof store.insertSession>[1]; cookies: SessionCookies }> {
  const id = newId(deps.clock)
  const cookies = sessionCookies(deps, newSessionToken(deps.encryption, id, seed))
  const now = toTime(deps.clock.now())
  const row = {
    id,
    user_id,
    ...tokenColumns(deps, cookies),
    previous_hash: null,
    previous_until: null,
    authenticated_at: now,
    reauthenticated_at: null,
    methods: toJson(methods),
    ...(await deviceColumns(deps, visitor)),
    device_id: null,
    ...deviceId(visitor, user_id),
    developer_id: null,
    created_at: now,
    last_seen_at: now,
    ...(await expiryColumns(deps)),
    ended_at: null,
    unknown_since: null,
    next_step,
  }
  return { row, cookies }
}

/**
 * `beginSession` as a statement of `GuardedWrites`, in a browser without a session. A guard compares the generation with that of the user. `accept` writes
 * the cookies, after the commit.
 */
export async function sessionStatement(
  deps: NewSessionDeps,
  visitor: AnonymousActor,
  user_id: string,
  methods: AuthenticationMethods,
  columns: Pick<store.StoredSession, 'device_id' | 'unknown_since' | 'generation'>,
): Promise<{ write: Statement; session_id: string; accept(): Promise<void> }> {
  const { row, cookies } = await newSession(deps, visitor, user_id, methods, null)
  return {
    write: store.insertSessionOf.with({ ...row, ...columns }),
    session_id: row.id,
    accept: () => writeSessionCookies(deps, visitor, cookies),
  }
}

/**
 * Replaces the token of a session at an authentication step. The former token has no grace period, so that a copy of it
 * does not gain the new privileges (security §7.2.4). A parallel tab is refused once and continues with the new cookie.
 *
 * Throws `unauthenticated` for cookies that have been replaced since the request was admitted. After a refresh its answer is still on its
 * way to this browser, and would replace the cookie of this step: the page waits for it and repeats the step. After another authentication
 * step they are a copy, which must not come to the new cookies.
 */
export async function updateAuthentication(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  session: store.StoredSession,
  changes: Partial<store.StoredSession>,
  seed?: string,
): Promise<void> {
  if (hasOtherCookies(visitor, session)) throw problem('unauthenticated')
  const cookies = sessionCookies(deps, newSessionToken(deps.encryption, session.id, seed))
  const now = deps.clock.now()
  await store.updateSessionToken(deps.db, session, {
    ...tokenColumns(deps, cookies),
    previous_hash: null,
    previous_until: timeAfter(now, LIFETIMES.session_grace),
    last_seen_at: toTime(now),
    ...changes,
  })
  await writeSessionCookies(deps, visitor, cookies)
}

/** Result of rotating a session cookie. */
export type Rotation = { session: store.StoredSession } | 'unknown' | 'replayed'

/**
 * Rotates the session cookie (api §2.1). The same cookie within the grace period gets the same successor; after it, the
 * cookie counts as replayed and the session ends.
 */
export async function rotateSession(deps: TransactionDeps, visitor: AnonymousActor): Promise<Rotation> {
  const token = visitor.cookies.read('session')
  if (!token) return 'unknown'
  const now = toTime(deps.clock.now())
  const hash = hashToken(token)
  const session = await store.findByTokenForUpdate(deps.db, hash, now)
  if (!session) return await detectReplay(deps, visitor, token, now)
  if (session.token_hash !== hash && !inGrace(session, now)) return await endReplayedSession(deps, visitor, session)

  const next = sessionCookies(deps, nextSessionToken(deps.encryption, session.id, token, session.token_hash))
  if (session.token_hash === hash) {
    await store.updateSessionToken(deps.db, session, {
      ...tokenColumns(deps, next),
      previous_hash: hash,
      previous_until: timeAfter(deps.clock.now(), LIFETIMES.session_grace),
      last_seen_at: now,
      ...(await placeColumns(deps, visitor)),
      ...deviceId(visitor, session.user_id),
      idle_until: minTime((await expiryColumns(deps)).idle_until, session.expires_at),
    })
  }
  await writeSessionCookies(deps, visitor, next)
  return { session }
}

/** A token of an earlier generation counts as replayed, except within the grace period, in which two rotations may occur. */
async function detectReplay(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  token: string,
  now: string,
): Promise<Rotation> {
  const id = verifiedSessionId(deps.encryption, token)
  const session = id === undefined ? undefined : await store.findById(deps.db, id, now)
  return session && !inGrace(session, now) ? await endReplayedSession(deps, visitor, session) : 'unknown'
}

async function endReplayedSession(
  deps: TransactionDeps,
  from: AnonymousActor,
  session: store.StoredSession,
): Promise<'replayed'> {
  await deps.revoke('signed_out', { user_id: session.user_id, session_ids: [session.id] })
  await deps.emit('security_event', { type: 'session_replayed', user_id: session.user_id, from })
  deps.log.warn(
    { session_id: session.id, user_id: session.user_id },
    'a rotated session cookie was replayed; its session has ended',
  )
  return 'replayed'
}

/** Columns that identify the session by its two cookies. */
function tokenColumns({ clock }: Pick<AppDeps, 'clock'>, { session, access }: SessionCookies) {
  return {
    token_hash: hashToken(session),
    access_hash: hashToken(access),
    access_until: timeAfter(clock.now(), LIFETIMES.access_cookie),
  }
}

async function expiryColumns({ db, clock, policy }: Pick<AppDeps, 'db' | 'clock' | 'policy'>) {
  const { session_idle_days, session_max_days } = await policy.find(db)
  const now = clock.now()
  return { idle_until: timeAfter(now, session_idle_days * DAY), expires_at: timeAfter(now, session_max_days * DAY) }
}

async function deviceColumns(deps: Pick<AppDeps, 'geoip'>, visitor: AnonymousActor) {
  const { os, browser } = visitor
  return { os, browser, ...(await placeColumns(deps, visitor)) }
}

/** The address and the location that belongs to it: a session that is used elsewhere must not show the location of its sign-in. */
async function placeColumns({ geoip }: Pick<AppDeps, 'geoip'>, { ip }: AnonymousActor) {
  return { ip, location: await geoip.find(ip) }
}

/** The browser; missing at its first sign-in, until the device is recorded. */
function deviceId({ cookies }: AnonymousActor, user_id: string): Pick<store.StoredSession, 'device_id'> | undefined {
  const cookie = cookies.read('device')
  return cookie ? { device_id: deviceIdOf(user_id, cookie) } : undefined
}

function minTime(a: string, b: string): string {
  return a < b ? a : b
}
