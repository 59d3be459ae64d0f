import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson, timeAfter, toJson } from '../db/values.ts'
import { hashToken } from '../ports/ids.ts'
import { ShownTwice } from './refusals.ts'
import { type Unit, unitOfWork } from './unit-of-work.ts'
import {
  deleteWaiting,
  findWaiting,
  markOnce,
  putWaiting,
  takeWaiting,
  type WaitingModel,
  type WaitingRow,
} from './waiting-store.ts'

/** What must not be kept of a waiting request: its own id, the session's cookie, tokens that came with it. */
function stripped({
  jti,
  returnTo,
  session,
  result,
  lastSubmission,
  parJti,
  ...payload
}: AdapterPayload): AdapterPayload {
  const { id_token_hint, ...params } = payload.params ?? {}
  return { ...payload, params, ...(payload.prompt ? { prompt: { ...payload.prompt, details: {} } } : {}) }
}

export const interactions: Partial<Adapter> = {
  async upsert(id, payload, expiresIn) {
    const unit = unitOfWork()
    const session = await unit.session()
    const row: WaitingRow = {
      ...markOf(unit, 'Interaction', id, expiresIn as number),
      session_id: session?.id ?? null,
      payload: toJson({
        ...stripped(payload),
        wanted: unit.wanted,
        claimed: unit.claimed,
        acr: unit.acr,
        pushed: payload.parJti ? hashToken(payload.parJti) : undefined,
      }),
    }
    unit.later(({ db }) => putWaiting(db, row))
  },

  async find(id) {
    const unit = unitOfWork()
    const row = await findWaiting(unit.deps.db, 'Interaction', hashToken(id), unit.nowText)
    const session = await unit.session()
    if (!row || !unit.resumed || !session) return undefined
    const { pushed, ...payload } = fromJson<AdapterPayload & { pushed?: string }>(row.payload)
    if (pushed) unit.later(({ db }) => deleteWaiting(db, pushed))
    return {
      ...payload,
      jti: id,
      uid: id,
      returnTo: `${unit.deps.config.url}/authorize/${id}`,
      session: { accountId: session.user_id, uid: session.id },
      result: resultOf(unit),
      iat: unit.toEngine(row.created_at),
      exp: unit.toEngine(row.expires_at),
    }
  },

  async destroy(id) {
    unitOfWork().later(({ db }) => deleteWaiting(db, hashToken(id)))
  },
}

/** The steps were all taken (next-step.ts); this tells the engine so, in its own words. */
function resultOf(unit: Unit): AdapterPayload['result'] {
  switch (unit.resumed?.step) {
    case 'deny':
      return { error: 'access_denied', error_description: 'the person denied the request' }
    case 'refuse':
      return { error: 'login_required', error_description: 'somebody else has signed in' }
    case 'unmet':
      return {
        error: 'unmet_authentication_requirements',
        error_description: 'the person has not proved who they are as the app insists',
      }
    default:
      return { login: unit.resumed?.login, select_account: {}, verify: {}, consent: {} }
  }
}

/** A proof counts once (RFC 7523 §3, RFC 9449 §11.1): of two that come at once, the later write fails. */
export const replays: Partial<Adapter> = {
  async upsert(id, _, expiresIn) {
    const unit = unitOfWork()
    const row = markOf(unit, 'ReplayDetection', id, expiresIn as number)
    unit.later(async ({ db }) => {
      if (!(await markOnce(db, row))) throw new ShownTwice()
    })
  },
  async find(id) {
    const unit = unitOfWork()
    const row = await findWaiting(unit.deps.db, 'ReplayDetection', hashToken(id), unit.nowText)
    return row && ({ jti: id, kind: 'ReplayDetection', exp: unit.toEngine(row.expires_at) } as AdapterPayload)
  },
}

/**
 * Requests that an app has sent ahead (RFC 9126). One is used up by the answer that comes of it, be it at once or when the
 * person has done what had to be done first; until then, a page may be loaded again.
 */
export const pushed: Partial<Adapter> = {
  async upsert(id, { request, dpopJkt, trusted }, expiresIn) {
    const unit = unitOfWork()
    const row = markOf(unit, 'PushedRequest', id, expiresIn as number)
    row.payload = toJson({ request, dpopJkt, trusted })
    unit.later(({ db }) => putWaiting(db, row))
  },
  async find(id) {
    const unit = unitOfWork()
    const row = await findWaiting(unit.deps.db, 'PushedRequest', hashToken(id), unit.nowText)
    if (!row) return undefined
    const exp = unit.toEngine(row.expires_at)
    return { ...fromJson<object>(row.payload), jti: id, kind: 'PushedAuthorizationRequest', exp } as AdapterPayload
  },
  async consume(id) {
    unitOfWork().later(async ({ db }) => {
      if (!(await takeWaiting(db, hashToken(id)))) throw new ShownTwice()
    })
  },
}

/** A row that says nothing yet but what it is and how long it counts. */
export function markOf(unit: Unit, model: WaitingModel, id: string, expiresIn: number): WaitingRow {
  return {
    id_hash: hashToken(id),
    model,
    session_id: null,
    decision: null,
    user_code_hash: null,
    asked_at: null,
    payload: '{}',
    created_at: unit.nowText,
    expires_at: timeAfter(unit.now, expiresIn),
  }
}
