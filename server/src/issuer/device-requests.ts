import { problem } from '@vrata/contract'
import type { ReadDb } from '../db/open.ts'
import { fromJson, toTime } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { hashToken } from '../ports/ids.ts'
import type { PendingRequest } from '../ports/pending-requests.ts'
import { bindDevice, findDevice } from './device-store.ts'
import { ROUTES } from './paths.ts'
import { decideWaiting, type WaitingRow } from './waiting-store.ts'

/** What is kept of a device's request besides the columns. */
export interface DeviceAsks {
  client_id: string
  scope: string
  claims?: string | undefined
  resource: string[]
  from: { os: string | null; browser: string | null; ip: string; location: string | null }
}

/** A device's request goes by the code that it shows. It is too short for a secret: only the session it is bound to may use it. */
export function isUserCode(uid: string): boolean {
  return /^[A-Z]{8}$/.test(uid)
}

/** Whose time is not up, and which nobody has answered. */
export async function findDeviceRequest(db: ReadDb, code: string, now: string): Promise<PendingRequest | undefined> {
  const row = await findDevice(db, 'user_code_hash', hashToken(code))
  return row && row.decision === null && row.expires_at > now ? requestOf(code, row) : undefined
}

/** See `PendingRequests.openDevice`. */
export async function openDevice(
  deps: Deps,
  code: string,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<PendingRequest | 'unknown' | 'ended'> {
  const row = isUserCode(code) ? await findDevice(deps.db, 'user_code_hash', hashToken(code)) : undefined
  if (!row) return 'unknown'
  const bound = await bindDevice(deps.db, row, { user_id, session_id }, toTime(deps.clock.now()))
  return bound ? requestOf(code, { ...row, session_id }) : 'ended'
}

/** Records the answer, once; the page says that the device goes on by itself. */
export async function answerDevice(
  deps: Deps,
  { uid, session_id }: Pick<PendingRequest, 'uid' | 'session_id'>,
  decision: 'allowed' | 'denied',
): Promise<string> {
  const row = await findDevice(deps.db, 'user_code_hash', hashToken(uid))
  const answer = { id_hash: row?.id_hash ?? '', session_id, decision }
  const decided = await decideWaiting(deps.db, answer, toTime(deps.clock.now()))
  if (!decided) throw problem('not_found')
  return `${ROUTES.code_verification}?${new URLSearchParams({ done: decision })}`
}

function requestOf(uid: string, { payload, session_id, created_at }: WaitingRow): PendingRequest {
  const { client_id, scope, from } = fromJson<DeviceAsks>(payload)
  const scopes = [...new Set(scope.split(' ').filter(Boolean))]
  return { uid, client_id, session_id, scopes, redirect_host: '', device: { ...from, asked_at: created_at } }
}
