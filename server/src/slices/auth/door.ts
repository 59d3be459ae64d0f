import { DEFAULT_LOCALE } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import type { Listener } from '../../events.ts'
import { placeIn } from '../../ports/places.ts'
import { deleteExpiredPending, deletePendingOfUser } from './pending-store.ts'
import { deleteOldQrCodes } from './qr-store.ts'
import { browserSession, endSessions, proveAgain } from './session.ts'
import * as store from './store.ts'

export { FORGOT_PASSWORD_JOB, forgotPasswordJob } from './forgot-password.ts'
export { onSignedIn } from './known-devices.ts'
export { browserWaits } from './qr-sign-in.ts'
export { endSessions, readSession } from './session.ts'
export { forget as signOut } from './sessions.ts'
export { hasEnded, type SessionRow } from './store.ts'

/** The live session that a session cookie names, also just after it was rotated (oidc.md §4.4). */
export async function sessionByToken(db: ReadDb, token: string, now: Date): Promise<store.SessionRow | undefined> {
  return await browserSession({ db, clock: { now: () => now } }, token)
}

/** A live session. */
export async function sessionById(db: ReadDb, id: string, now: Date): Promise<store.SessionRow | undefined> {
  return await store.findById(db, id, toTime(now))
}

/** What an archive holds of sessions: all but their secrets. */
export async function* sessionsPart(db: ReadDb, user_id: string): AsyncGenerator<object> {
  for (const row of await store.listAllOfUser(db, user_id)) {
    const { id, os, browser, ip, methods, created_at, last_seen_at, ended_at } = row
    const location = placeIn(DEFAULT_LOCALE, row.location)
    yield { id, os, browser, ip, location, methods: fromJson<string[]>(methods), created_at, last_seen_at, ended_at }
  }
}

/** Implements the port `LiveSessions`. */
export async function liveSessionsOf(db: ReadDb, user_id: string, now: Date): Promise<ReadonlySet<string>> {
  return new Set((await store.listOfUser(db, user_id, toTime(now))).map(({ id }) => id))
}

/** Those of these sessions that have not ended; for open sockets. */
export async function liveAmong(db: ReadDb, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  return new Set(await store.listLive(db, ids, toTime(now)))
}

/** Makes an organisation current in a session; whether the person belongs to it is for the caller to know. */
export async function setDeveloper(db: Db, session_id: string, developer_id: string | null): Promise<boolean> {
  return await store.updateSession(db, session_id, { developer_id })
}

/** Listens to slice security: whoever knew the old password is signed out. */
export const onPasswordChanged: Listener<'password_changed'> = async (deps, { user_id, keep }) => {
  await endOthers(deps, user_id, keep)
}

/** Listens to slice security: who came in by the rules of before is signed out, or never gets in. */
export const onSecondFactorChanged: Listener<'second_factor_changed'> = async (deps, { user_id, keep }) => {
  await endOthers(deps, user_id, keep)
}

/** The one that goes on gets new cookies: whoever holds a copy of the old ones must not stay in either (ASVS 7.2.4). */
async function endOthers(deps: Deps, user_id: string, keep: Person | null): Promise<void> {
  await endSessions(deps, user_id, keep === null ? 'all' : { except: keep.session_id })
  await deletePendingOfUser(deps.db, user_id)
  const kept = keep && (await store.lockById(deps.db, keep.session_id, toTime(deps.clock.now())))
  if (kept) await proveAgain(deps, keep, kept)
}

const KEPT = 24 * 60 * 60
/** So long a screen that was left alone is told that its code has expired. */
const CODES_KEPT = 60 * 60

/** Deletes up to `most` sessions that ended of themselves a day ago or earlier, and sign-ins left half way; answers how many. */
export async function prune(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  const now = deps.clock.now()
  const sessions = await store.deleteOldSessions(deps.db, timeAfter(now, -KEPT), most)
  const codes = await deleteOldQrCodes(deps.db, timeAfter(now, -CODES_KEPT), most)
  return sessions + codes + (await deleteExpiredPending(deps.db, toTime(now), most))
}
