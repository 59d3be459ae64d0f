import { type auth, LIFETIMES } from '@vrata/contract'
import { timeAfter, toJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { hashToken, newId } from '../../ports/ids.ts'
import { voidApproved } from './qr-store.ts'
import { accessOf, freshToken, type SessionToken, sessionNamedBy, successorOf } from './session-tokens.ts'
import * as store from './store.ts'

/** How somebody proved who they are (contract `auth.METHODS`). */
export type Methods = (typeof auth.METHODS)[number][]

/** As the column says it that nothing but a QR code proved who this is. */
const VOUCHED = toJson<Methods>(['qr'])

/** What the fence learns from the access cookie: one read (performance.md W7). */
export async function readSession(deps: Pick<ReadDeps, 'db' | 'clock'>, access: string) {
  const found = await store.findByAccess(deps.db, hashToken(access), toTime(deps.clock.now()))
  if (!found) return undefined
  const { id, methods, ...person } = found
  return { session_id: id, ...person, vouched: methods === VOUCHED }
}

/**
 * The live session that this browser's session cookie names; one that has been rotated counts while its grace lasts,
 * so that racing tabs stay signed in.
 */
export async function browserSession(
  deps: Pick<ReadDeps, 'db' | 'clock'>,
  token: string | undefined,
): Promise<store.StoredSession | undefined> {
  if (!token) return undefined
  const now = toTime(deps.clock.now())
  const hash = hashToken(token)
  return counting(await store.findByToken(deps.db, hash, now), hash, now)
}

/** The same, and nobody else changes it until this transaction has ended. */
async function lockBrowserSession(deps: Deps, token: string | undefined): Promise<store.StoredSession | undefined> {
  if (!token) return undefined
  const now = toTime(deps.clock.now())
  const hash = hashToken(token)
  return counting(await store.lockByToken(deps.db, hash, now), hash, now)
}

function counting(
  session: store.StoredSession | undefined,
  hash: string,
  now: string,
): store.StoredSession | undefined {
  return session && (session.token_hash === hash || inGrace(session, now)) ? session : undefined
}

function inGrace(session: Pick<store.StoredSession, 'previous_until'>, now: string): boolean {
  return session.previous_until !== null && session.previous_until > now
}

/**
 * Somebody has just proved who they are in this browser. Their own session goes on with a new token, which what apps have
 * of it survives; somebody else's ends; without one a new one begins.
 */
export async function beginSession(
  deps: Deps,
  visitor: Visitor,
  user_id: string,
  methods: Methods,
): Promise<{ user_id: string; session_id: string; developer_id: string | null }> {
  const existing = await lockBrowserSession(deps, visitor.cookies.read('session'))
  if (existing && existing.user_id !== user_id) await endSessions(deps, existing.user_id, { only: [existing.id] })
  if (existing?.user_id === user_id) {
    await proveAgain(deps, visitor, existing, { methods: toJson(methods), ...newLife(deps), ...origin(visitor) })
    return { user_id, session_id: existing.id, developer_id: existing.developer_id }
  }

  const id = newId(deps.clock)
  const token = freshToken(deps.sealing, id)
  const now = toTime(deps.clock.now())
  await store.insertSession(deps.db, {
    id,
    user_id,
    ...named(deps, token),
    previous_hash: null,
    previous_until: null,
    authenticated_at: now,
    methods: toJson(methods),
    ...origin(visitor),
    location: await deps.places.find(visitor.ip),
    developer_id: null,
    created_at: now,
    last_seen_at: now,
    ...newLife(deps),
    ended_at: null,
    unknown_since: null,
  })
  handOver(deps, visitor, token)
  return { user_id, session_id: id, developer_id: null }
}

/**
 * A new token for a sign-in step in a session that goes on. It has no grace: whoever holds the one before must not come to
 * the new rights with it (ASVS 7.2.4). Racing tabs are refused once and go on with the cookie that this one sets.
 */
export async function proveAgain(
  deps: Deps,
  visitor: Visitor,
  session: store.StoredSession,
  changes: Partial<store.StoredSession> = {},
): Promise<void> {
  const token = freshToken(deps.sealing, session.id)
  const now = deps.clock.now()
  await store.rotateSession(deps.db, session, {
    ...named(deps, token),
    previous_hash: null,
    previous_until: timeAfter(now, LIFETIMES.session_grace),
    authenticated_at: toTime(now),
    last_seen_at: toTime(now),
    ...changes,
  })
  handOver(deps, visitor, token)
}

/** What became of a session cookie that wants to be renewed. */
export type Renewal = { session: store.StoredSession } | 'unknown' | 'replayed'

/**
 * Rotates the session cookie (api.md §2). Tabs that come with the same one within the grace get the same successor; later
 * it is a replay, somebody holds a copy, and the session ends.
 */
export async function renewSession(deps: Deps, visitor: Visitor): Promise<Renewal> {
  const token = visitor.cookies.read('session')
  if (!token) return 'unknown'
  const now = toTime(deps.clock.now())
  const hash = hashToken(token)
  const session = await store.lockByToken(deps.db, hash, now)
  if (!session) return await earlierGeneration(deps, token, now)
  if (session.token_hash !== hash && !inGrace(session, now)) return await replayed(deps, session)

  const next = successorOf(deps.sealing, session.id, token)
  if (session.token_hash === hash) {
    await store.rotateSession(deps.db, session, {
      ...named(deps, next),
      previous_hash: hash,
      previous_until: timeAfter(deps.clock.now(), LIFETIMES.session_grace),
      last_seen_at: now,
      ip: visitor.ip,
      idle_until: earlier(timeAfter(deps.clock.now(), LIFETIMES.session_idle), session.expires_at),
    })
  }
  handOver(deps, visitor, next)
  return { session }
}

/** Not the token before the current one, but ours: two rotations within the grace excuse it, nothing else does. */
async function earlierGeneration(deps: Deps, token: string, now: string): Promise<Renewal> {
  const id = sessionNamedBy(deps.sealing, token)
  const session = id === undefined ? undefined : await store.findById(deps.db, id, now)
  return session && !inGrace(session, now) ? await replayed(deps, session) : 'unknown'
}

async function replayed(deps: Deps, session: store.StoredSession): Promise<'replayed'> {
  await endSessions(deps, session.user_id, { only: [session.id] })
  deps.log.warn(
    { session_id: session.id, user_id: session.user_id },
    'a rotated session cookie was replayed; its session has ended',
  )
  return 'replayed'
}

/** Ends sessions of a person, and with them, in the same transaction, what later slices hang on them. */
export async function endSessions(deps: Deps, user_id: string, which: store.Which): Promise<string[]> {
  // Who came in by a code that is not collected yet would come in after all. Before the sessions: whoever collects it
  // takes them in this order.
  if (which === 'all' || 'except' in which) await voidApproved(deps.db, user_id)
  const session_ids = await store.endSessions(deps.db, user_id, which, toTime(deps.clock.now()))
  if (session_ids.length > 0) await deps.tell('sessions_ended', { user_id, session_ids })
  return session_ids
}

/** How both cookies are known to the table. */
function named(deps: Pick<Deps, 'sealing' | 'clock'>, token: SessionToken) {
  return {
    token_hash: hashToken(token),
    access_hash: hashToken(accessOf(deps.sealing, token)),
    access_until: timeAfter(deps.clock.now(), LIFETIMES.access_cookie),
  }
}

function newLife(deps: Pick<Deps, 'clock'>) {
  const now = deps.clock.now()
  return { idle_until: timeAfter(now, LIFETIMES.session_idle), expires_at: timeAfter(now, LIFETIMES.session_absolute) }
}

function origin({ os, browser, ip }: Visitor) {
  return { os, browser, ip }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function handOver(deps: Pick<Deps, 'sealing'>, visitor: Visitor, token: SessionToken): void {
  visitor.cookies.write('session', token)
  visitor.cookies.write('access', accessOf(deps.sealing, token))
}
