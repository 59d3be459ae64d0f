import { type activity, DEFAULT_LOCALE } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { newId } from '../../ports/ids.ts'
import { placeIn } from '../../ports/places.ts'
import { insertActivity, listActivities } from './store.ts'

export { listAppSignIns } from './store.ts'

/** Where something was done from; null for what no browser asked for. */
export type Origin = Pick<Visitor, 'ip' | 'os' | 'browser'> | null

export interface Happening {
  type: activity.ActivityType
  user_id: string
  from: Origin
  session_id: string | null
  /** The app that it is about. */
  client_id?: string
  scopes?: string[]
}

/** Rows read at once for an archive. */
const STRIDE = 500

/** What an archive holds of what happened, newest first. */
export async function* activityPart(db: ReadDb, user_id: string): AsyncGenerator<object> {
  let before: string | undefined
  do {
    const rows = await listActivities(db, user_id, { before, limit: STRIDE })
    for (const { user_id: _, scopes, ...row } of rows) {
      yield { ...row, location: placeIn(DEFAULT_LOCALE, row.location), scopes: scopes && fromJson<string[]>(scopes) }
    }
    before = rows.length === STRIDE ? rows.at(-1)?.id : undefined
  } while (before)
}

/** Writes down what happened with an account, in the transaction in which it happens (house.md §8). */
export async function record(
  deps: Pick<Deps, 'db' | 'clock' | 'places' | 'tell'>,
  happening: Happening,
): Promise<void> {
  const { type, user_id, from, session_id, client_id, scopes } = happening
  await insertActivity(deps.db, {
    id: newId(deps.clock),
    user_id,
    type,
    created_at: toTime(deps.clock.now()),
    session_id,
    os: from?.os ?? null,
    browser: from?.browser ?? null,
    ip: from?.ip ?? null,
    location: from && (await deps.places.find(from.ip)),
    client_id: client_id ?? null,
    scopes: scopes ? toJson(scopes) : null,
  })
  await deps.tell('activity_recorded', { user_id, type })
}
