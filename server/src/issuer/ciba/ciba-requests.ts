import { isRequestUid, paths, problem, REQUEST_LINK_PREFIX } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson, fromTime, secondsSince, toTime } from '../../db/values.ts'
import type {
  Decided,
  Decision,
  Finished,
  Interaction,
  InteractionUser,
  WaitingRequest,
} from '../../features/extension-points.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashToken } from '../../lib/ids.ts'
import { decisionOf } from '../interactions/decisions.ts'
import { type CibaRequestRow, findCibaRequest, listOpenCibaRequests, updateCibaDecision } from './store.ts'
import type { StoredCibaRequest } from './stored-ciba-request.ts'

/** The open request of this user with the id or the token of the mailed link. */
export async function findOpenRequest(
  db: ReadDb,
  uid: string,
  user_id: string,
  now: string,
): Promise<WaitingRequest | undefined> {
  const row = await findByUid(db, uid)
  if (!row || row.user_id !== user_id || row.delivered_at === null) return undefined
  return row.decision === null && row.expires_at > now ? interactionOf(uid, row, now) : undefined
}

/** See `Interactions.listRequests`. */
export async function listOpenRequests(db: ReadDb, user_id: string, now: string): Promise<WaitingRequest[]> {
  return (await listOpenCibaRequests(db, user_id, now)).map((row) => interactionOf(row.id, row, now))
}

/** The decision that this user has made in this session, also when the client has collected it. */
export async function findRequestDecision(
  db: ReadDb,
  uid: string,
  { user_id, session_id }: InteractionUser,
): Promise<Decided | undefined> {
  const row = await findByUid(db, uid)
  const decision = row?.user_id === user_id && row.session_id === session_id ? decisionOf(row.decision) : undefined
  return row && decision && { client_id: row.client_id, decision, redirect_to: paths.requestAnswered(decision) }
}

/** Records the user's decision, once, in one conditional write. Returns the page that says what happens next. */
export async function decideRequest(
  deps: { db: Db; clock: Clock },
  { uid, user_id, session_id }: InteractionUser & Pick<Interaction, 'uid'>,
  decision: Decision,
): Promise<Finished> {
  const row = await findByUid(deps.db, uid)
  const answer = { id: row?.id ?? '', user_id, session_id, decision }
  const isFirst = await updateCibaDecision(deps.db, answer, toTime(deps.clock.now()))
  // The browser may have sent the same decision twice at once.
  const decided = isFirst ? decision : (await findRequestDecision(deps.db, uid, { user_id, session_id }))?.decision
  if (decided !== decision) throw problem('not_found')
  return { redirect_to: paths.requestAnswered(decision), again: !isFirst }
}

async function findByUid(db: ReadDb, uid: string): Promise<CibaRequestRow | undefined> {
  if (!isRequestUid(uid)) return undefined
  if (uid.startsWith(REQUEST_LINK_PREFIX)) return await findCibaRequest(db, 'link_hash', hashToken(uid))
  return await findCibaRequest(db, 'id', uid)
}

function interactionOf(
  uid: string,
  { id, client_id, payload, created_at, expires_at }: CibaRequestRow,
  now: string,
): WaitingRequest {
  const { scope, binding_message } = fromJson<StoredCibaRequest>(payload)
  const scopes = [...new Set(scope.split(' ').filter(Boolean))]
  const expires_in = Math.floor(secondsSince(now, fromTime(expires_at)))
  const age = secondsSince(created_at, fromTime(now))
  const request = { id, binding_message, asked_at: created_at, age, expires_at, expires_in }
  return { uid, client_id, session_id: null, scopes, redirect_host: null, device: null, request }
}
