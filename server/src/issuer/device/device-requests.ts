import { problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Decided, Decision, Interaction, InteractionUser } from '../../features/extension-points.ts'
import { hashToken } from '../../lib/ids.ts'
import { decisionOf } from '../interactions/decisions.ts'
import { ROUTES } from '../paths.ts'
import { type ProviderModelRow, updateDecision } from '../provider/provider-model-store.ts'
import type { AnsweredRequest } from '../tokens/answered-grant.ts'
import { findDeviceCode, updateDeviceSession } from './store.ts'

/** `payload` of a device code's row. */
export interface StoredDeviceRequest extends AnsweredRequest {
  from: { os: string | null; browser: string | null; ip: string; location: string | null }
}

/**
 * Whether the uid of an interaction is a user code. It is too short to be a secret, so only the session to which it is bound
 * may use it (decision 0039).
 */
export function isUserCode(uid: string): boolean {
  return /^[A-Z]{8}$/.test(uid)
}

/** Undefined when it has expired or was answered. */
export async function findDeviceRequest(db: ReadDb, code: string, now: string): Promise<Interaction | undefined> {
  const row = await findDeviceCode(db, 'user_code_hash', hashToken(code))
  return row && row.decision === null && row.expires_at > now ? interactionOf(code, row) : undefined
}

/** See `Interactions.openDevice`. */
export async function openDevice(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  code: string,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<Interaction | 'unknown' | 'ended'> {
  const row = isUserCode(code) ? await findDeviceCode(deps.db, 'user_code_hash', hashToken(code)) : undefined
  if (!row) return 'unknown'
  const bound = await updateDeviceSession(deps.db, row, { user_id, session_id }, toTime(deps.clock.now()))
  return bound ? interactionOf(code, { ...row, session_id }) : 'ended'
}

/** The decision that was made in this session, also when the device has collected it. */
export async function findDeviceDecision(
  db: ReadDb,
  code: string,
  { session_id }: Pick<InteractionUser, 'session_id'>,
): Promise<Decided | undefined> {
  const row = await findDeviceCode(db, 'user_code_hash', hashToken(code))
  const decision = row?.session_id === session_id ? decisionOf(row.decision) : undefined
  if (!row || !decision) return undefined
  const { client_id } = fromJson<StoredDeviceRequest>(row.payload)
  return { client_id, decision, redirect_to: pageAfter(decision) }
}

/** Records the user's decision, once. Returns the page that says that the device continues by itself. */
export async function decideDeviceRequest(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  { uid, session_id }: Pick<Interaction, 'uid'> & Pick<InteractionUser, 'session_id'>,
  decision: Decision,
): Promise<string> {
  const row = await findDeviceCode(deps.db, 'user_code_hash', hashToken(uid))
  const update = { id_hash: row?.id_hash ?? '', session_id, decision }
  if (await updateDecision(deps.db, update, toTime(deps.clock.now()))) return pageAfter(decision)
  // The browser may have sent the same decision twice at once, and the device has collected the first.
  if ((await findDeviceDecision(deps.db, uid, { session_id }))?.decision !== decision) throw problem('not_found')
  return pageAfter(decision)
}

const pageAfter = (decision: Decision) => `${ROUTES.code_verification}?${new URLSearchParams({ done: decision })}`

function interactionOf(uid: string, { payload, session_id, created_at }: ProviderModelRow): Interaction {
  const { client_id, scope, from } = fromJson<StoredDeviceRequest>(payload)
  const scopes = [...new Set(scope.split(' ').filter(Boolean))]
  return {
    uid,
    client_id,
    session_id,
    scopes,
    redirect_host: '',
    device: { ...from, asked_at: created_at },
    request: null,
  }
}
