import { DEFAULT_LOCALE, problem } from '@vrata/contract'
import { localizedPlace } from '../../adapters/geoip/geoip.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import { inSmallSteps } from '../../db/transactions/small-steps.ts'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { findDeviceNames } from './devices/device-store.ts'
import { findSessionByToken, readSession } from './session-lifecycle.ts'
import * as store from './store.ts'

export { type AuthenticationMethods, areTwoFactors } from './authentication/authentication-methods.ts'
export {
  type Approver,
  deleteDevice,
  deviceHashOf,
  deviceStatements,
  findKnownDevice,
  listDeviceUsers,
  onSignedIn,
  recordDevice,
} from './devices/known-devices.ts'
export { deleteSomeSessions, END_SESSIONS_JOB, endSessionsJob, pruneEndedSessions } from './ending/end-sessions.ts'
export { hasManySessions } from './ending/ending-store.ts'
export { sessionEndedAt } from './ending/generation.ts'
export { listSessions } from './list-sessions.ts'
export { clearSessionCookies } from './logout.ts'
export { updateNextSteps } from './next-step-store.ts'
export { refresh } from './refresh.ts'
export { revokeKnownBrowsers, revokeSessions } from './revokers.ts'
export {
  hasSignedInTo,
  listSessionClients,
  recordSessionClient,
  sessionClientStatements,
  signedInAfter,
} from './session-client-store.ts'
export {
  acceptedSession,
  beginSession,
  findSessionByToken,
  readSession,
  readSessionWithUser,
  sessionStatement,
} from './session-lifecycle.ts'
export { writeCookiesAgain } from './session-tokens.ts'
export { onPolicyChanged, SHORTEN_SESSIONS_JOB, shortenSessionsJob } from './shorten-sessions.ts'
export { hasEnded, type SessionRow, selectByToken } from './store.ts'
export { withCurrentStep } from './waiting-session.ts'

/** Returns the session while it is live. */
export async function findSession(db: ReadDb, id: string, now: Date): Promise<store.SessionRow | undefined> {
  return await store.findById(db, id, toTime(now))
}

/** Rows per read of an export. */
const BATCH_SIZE = 500

/** Sessions of the user for a data archive, without their secrets. */
export async function* exportSessions(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const names = await findDeviceNames(db, user_id)
  let after: store.StoredSession | undefined
  do {
    const rows = await store.listAllOfUser(db, { user_id, after, limit: BATCH_SIZE })
    for (const row of rows) {
      const { id, os, browser, ip, methods, created_at, last_seen_at, ended_at } = row
      const location = localizedPlace(DEFAULT_LOCALE, row.location)
      const device_name = names.get(row.device_id ?? '') ?? null
      yield {
        id,
        device_name,
        os,
        browser,
        ip,
        location,
        methods: fromJson<string[]>(methods),
        created_at,
        last_seen_at,
        ended_at,
      }
    }
    after = rows.length === BATCH_SIZE ? rows.at(-1) : undefined
  } while (after)
}

/** Implements the extension point `LiveSessions`. */
export async function findLiveSessionIds(db: ReadDb, user_id: string, now: Date): Promise<ReadonlySet<string>> {
  return new Set(await store.listLiveIdsOfUser(db, user_id, toTime(now)))
}

/**
 * Throws `unauthenticated` when the session has ended, or an authentication step has replaced its cookies, since the call was admitted. For what an
 * end takes back: the caller has locked the user, as events do that end sessions. A refresh in another tab meanwhile does not matter.
 */
export async function requireLiveSession(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  { cookies, session_id }: UserActor,
): Promise<void> {
  const token = cookies.read('session')
  const found =
    token === undefined
      ? (await readSession(deps, cookies.read('access') ?? ''))?.session_id
      : (await findSessionByToken(deps.db, token, deps.clock.now()))?.id
  if (found !== session_id) throw problem('unauthenticated')
}

/** Returns those of the ids whose session is live. Used to close sockets. */
export async function filterLiveSessions(db: ReadDb, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  return new Set(await store.listLive(db, ids, toTime(now)))
}

/** Sets the current developer account of a session. The caller checks the membership. Returns false when the session has ended. */
export async function updateSessionDeveloper(
  db: Db,
  session_id: string,
  developer_id: string | null,
): Promise<boolean> {
  return await store.updateSession(db, session_id, { developer_id })
}

/** Seconds for which an expired session is kept. */
const RETENTION = 24 * 60 * 60

/**
 * Deletes sessions that expired a day ago or earlier and to which no token refers, and returns how many. With its session, a
 * token of `offline_access` would lose what ends it. Each one is looked at once, because many may stay.
 */
export async function prune(deps: Pick<AppDeps, 'db' | 'clock' | 'transaction'>): Promise<number> {
  const before = timeAfter(deps.clock.now(), -RETENTION)
  let after: store.OldSession | undefined
  let deleted = 0
  await inSmallSteps(deps.db, async (most) => {
    const old = await store.listOldSessions(deps.db, { before, after }, most)
    after = old.at(-1)
    const ids = old.map(({ id }) => id)
    deleted += await deps.transaction(({ db }) => store.deleteOldSessions(db, ids, before))
    return old.length
  })
  return deleted
}
