import { type activity, DEFAULT_LOCALE } from '@vrata/contract'
import { localizedPlace } from '../../adapters/geoip/geoip.ts'
import type { ReadDb } from '../../db/open.ts'
import type { ActivitiesTable } from '../../db/schema.ts'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'
import {
  deleteActivitiesBefore,
  hasServiceAccess,
  insertActivities,
  insertActivity,
  listActivities,
  type ServiceAccess,
} from './store.ts'

export { listActivity } from './list-activity.ts'
export {
  deleteSomeActivities,
  hasManyActivities,
  listServiceAccess,
  listUserSignIns,
} from './store.ts'

/** Deletes up to `limit` activities that are older than the policy keeps them. Returns their number. */
export async function prune(deps: Pick<TransactionDeps, 'db' | 'clock' | 'policy'>, limit: number): Promise<number> {
  const { activity_days: days } = await deps.policy.find(deps.db)
  if (days === null) return 0
  return await deleteActivitiesBefore(deps.db, firstIdAt(deps.clock.now().getTime() - days * DAY_MS), limit)
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The browser in which something was done; null for what no request caused. */
export type ActivitySource = Pick<AnonymousActor, 'ip' | 'os' | 'browser' | 'request_id'> | null

export interface NewActivity {
  type: activity.ActivityType
  user_id: string
  from: ActivitySource
  session_id: string | null
  /** The client concerned. */
  client_id?: string
  /** The service that acted in it. */
  acting_client_id?: string
  scopes?: string[]
  /** Binding message of the request of a client that the user has answered. */
  binding_message?: string | null
}

/** Rows per read of an export. */
const BATCH_SIZE = 500

/** Activity of the user for a data archive, newest first. */
export async function* exportActivity(db: ReadDb, user_id: string): AsyncGenerator<object> {
  let before: string | undefined
  do {
    const rows = await listActivities(db, user_id, { before, limit: BATCH_SIZE })
    for (const { user_id: _, scopes, ...row } of rows) {
      yield {
        ...row,
        location: localizedPlace(DEFAULT_LOCALE, row.location),
        scopes: scopes && fromJson<string[]>(scopes),
      }
    }
    before = rows.length === BATCH_SIZE ? rows.at(-1)?.id : undefined
  } while (before)
}

/** Records an activity of the user in the transaction of the change (architecture §6.2). */
export async function recordActivity(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'geoip' | 'emit'>,
  happening: NewActivity,
): Promise<void> {
  await insertActivity(deps.db, await activityRow(deps, happening))
  await deps.emit('activity_recorded', happening)
}

/** `recordActivity` for many users. */
export async function recordActivities(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'geoip' | 'emit'>,
  happenings: readonly NewActivity[],
): Promise<void> {
  await insertActivities(deps.db, await Promise.all(happenings.map((happening) => activityRow(deps, happening))))
  for (const happening of happenings) await deps.emit('activity_recorded', happening)
}

/** `recordActivity` as statements of `GuardedWrites`. */
export async function activityStatements(deps: Pick<AppDeps, 'clock' | 'geoip'>, happening: NewActivity) {
  const written = insertActivity.with(await activityRow(deps, happening))
  return { writes: [written], events: [['activity_recorded', happening] as const] }
}

async function activityRow(deps: Pick<AppDeps, 'clock' | 'geoip'>, happening: NewActivity): Promise<ActivitiesTable> {
  const { type, user_id, from, session_id, client_id, acting_client_id, scopes, binding_message = null } = happening
  return {
    id: newId(deps.clock),
    user_id,
    type,
    created_at: toTime(deps.clock.now()),
    session_id,
    os: from?.os ?? null,
    browser: from?.browser ?? null,
    ip: from?.ip ?? null,
    location: from && (await deps.geoip.find(from.ip)),
    client_id: client_id ?? null,
    acting_client_id: acting_client_id ?? null,
    scopes: scopes ? toJson(scopes) : null,
    binding_message,
  }
}

/**
 * Records that a service acted for the user, at most once a day (UTC) for each client and service, because it may do so
 * with every request. The caller holds the connection of the user and the client, so that parallel requests record one.
 */
export async function recordServiceAccess(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'geoip' | 'emit'>,
  access: ServiceAccess,
): Promise<void> {
  const today = toTime(deps.clock.now()).slice(0, 10)
  if (await hasServiceAccess(deps.db, access, today)) return
  // No browser and no session: the request comes from the service.
  await recordActivity(deps, { type: 'SERVICE_USED_ACCESS', ...access, from: null, session_id: null })
}
