import { type FileAnswer, type InputOf, LIMITS, type privacy, problem } from '@vrata/contract'
import { ARCHIVE_PARTS } from '@vrata/contract/privacy'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import { fromJson, timeAfter, toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { findUserForUpdate } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import * as store from './store.ts'

/** Kind of the job that creates an archive. */
export const ARCHIVE_JOB = 'archive'

const DAY = 24 * 60 * 60
/** Requests that are listed: more than can be made in the seven days of an archive and the month for which its row is kept. */
const LIST_LIMIT = LIMITS.data_requests_per_day * 40

/** Requests an archive: one at a time, three a day (api §3.9). */
export async function requestData(
  deps: TransactionDeps,
  actor: UserActor,
  { parts = [...ARCHIVE_PARTS] }: InputOf<typeof privacy.requestData>,
): Promise<privacy.DataRequest> {
  const { user_id, session_id } = actor
  // Serializes concurrent requests of the user, who may have been deleted since the guard has read the session.
  if (!(await findUserForUpdate(deps.db, user_id))) throw problem('unauthenticated')
  const now = deps.clock.now()
  const before = await store.listRequests(deps.db, user_id, LIMITS.data_requests_per_day)
  if (before.some(({ ready_until }) => ready_until === null)) throw problem('data_request_running')
  const third = before[LIMITS.data_requests_per_day - 1]
  if (third && third.created_at > timeAfter(now, -DAY)) {
    const seconds = Math.ceil((Date.parse(third.created_at) - now.getTime()) / 1000 + DAY)
    throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
  }
  const row: store.DataRequestRow = {
    id: newId(deps.clock),
    user_id,
    // In the order of the contract, without duplicates.
    parts: toJson(ARCHIVE_PARTS.filter((part) => parts.includes(part))),
    state: 'queued',
    file: null,
    bytes: null,
    created_at: toTime(now),
    ready_until: null,
  }
  if (!(await store.insertRequest(deps.db, row))) throw problem('data_request_running')
  await enqueue(deps, ARCHIVE_JOB, { id: row.id })
  await recordActivity(deps, { type: 'REQUESTED_DATA', user_id, from: actor, session_id })
  return toDataRequest(row, now)
}

/** Archives of the user, the newest first (api §3.9). */
export async function listDataRequests(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  actor: UserActor,
): Promise<privacy.DataRequest[]> {
  const rows = await store.listRequests(deps.db, actor.user_id, LIST_LIMIT)
  return rows.map((row) => toDataRequest(row, deps.clock.now()))
}

/** Returns the file of an archive. Throws `not_found` for an expired one or one of another user (api §3.9). */
export async function downloadData(
  deps: Pick<AppDeps, 'db' | 'clock' | 'archives'>,
  actor: UserActor,
  { id }: InputOf<typeof privacy.downloadData>,
): Promise<FileAnswer> {
  const row = await store.findRequest(deps.db, id)
  if (!row?.file || row.user_id !== actor.user_id || stateOf(row, deps.clock.now()) !== 'ready')
    throw problem('not_found')
  const file = await deps.archives.open(row.file)
  if (!file) throw problem('not_found')
  return { ...file, name: `vrata-${row.created_at.slice(0, 10)}.zip` }
}

function toDataRequest(row: store.DataRequestRow, now: Date): privacy.DataRequest {
  const { id, created_at, bytes } = row
  const state = stateOf(row, now)
  const ready_until = state === 'ready' ? row.ready_until : null
  return { id, state, parts: fromJson<privacy.ArchivePart[]>(row.parts), created_at, ready_until, bytes }
}

/** An archive expires at its time, not when it is pruned. */
function stateOf({ state, ready_until }: store.DataRequestRow, now: Date): privacy.DataRequest['state'] {
  return state === 'ready' && (ready_until ?? '') <= toTime(now) ? 'expired' : state
}
