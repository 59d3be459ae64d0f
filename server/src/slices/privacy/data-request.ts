import { type FileAnswer, type InputOf, LIMITS, type privacy, problem } from '@vrata/contract'
import { ARCHIVE_PARTS } from '@vrata/contract/privacy'
import { fromJson, timeAfter, toJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { newId } from '../../ports/ids.ts'
import { enqueue } from '../../ports/jobs/jobs.ts'
import { lockUser } from '../account/door.ts'
import { record } from '../activity/door.ts'
import * as store from './store.ts'

/** The kind of job that makes an archive. */
export const ARCHIVE_JOB = 'archive'

const DAY = 24 * 60 * 60
/** More than can have been asked for in the time for which they are kept. */
const LISTED = 20

/** api.md §3: POST /account/data-request. One at a time, three a day. */
export async function requestData(
  deps: Deps,
  actor: Person,
  { parts = [...ARCHIVE_PARTS] }: InputOf<typeof privacy.requestData>,
): Promise<privacy.DataRequest> {
  const { user_id, session_id } = actor
  // Two that are asked for at once are counted one after the other.
  await lockUser(deps.db, user_id)
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
    // In the order of the page, each once.
    parts: toJson(ARCHIVE_PARTS.filter((part) => parts.includes(part))),
    state: 'queued',
    file: null,
    bytes: null,
    created_at: toTime(now),
    ready_until: null,
  }
  if (!(await store.insertRequest(deps.db, row))) throw problem('data_request_running')
  await enqueue(deps, ARCHIVE_JOB, { id: row.id })
  await record(deps, { type: 'REQUESTED_DATA', user_id, from: actor, session_id })
  return told(row, now)
}

/** api.md §3: GET /account/data-request. */
export async function listDataRequests(deps: ReadDeps, actor: Person): Promise<privacy.DataRequest[]> {
  const rows = await store.listRequests(deps.db, actor.user_id, LISTED)
  return rows.map((row) => told(row, deps.clock.now()))
}

/** Only for whom it is about, and only while its days last; to anybody else there is none. */
export async function downloadData(
  deps: ReadDeps,
  actor: Person,
  { id }: InputOf<typeof privacy.downloadData>,
): Promise<FileAnswer> {
  const row = await store.findRequest(deps.db, id)
  if (!row?.file || row.user_id !== actor.user_id || stateOf(row, deps.clock.now()) !== 'ready')
    throw problem('not_found')
  const file = await deps.archives.open(row.file)
  if (!file) throw problem('not_found')
  return { ...file, name: `vrata-${row.created_at.slice(0, 10)}.zip` }
}

function told(row: store.DataRequestRow, now: Date): privacy.DataRequest {
  const { id, created_at, bytes } = row
  const state = stateOf(row, now)
  const ready_until = state === 'ready' ? row.ready_until : null
  return { id, state, parts: fromJson<privacy.ArchivePart[]>(row.parts), created_at, ready_until, bytes }
}

/** Its time is over at its time, not when somebody tidies up. */
function stateOf({ state, ready_until }: store.DataRequestRow, now: Date): privacy.DataRequest['state'] {
  return state === 'ready' && (ready_until ?? '') <= toTime(now) ? 'expired' : state
}
