import { problem } from '@vrata/contract'
import { fromJson, toTime } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { hashToken } from '../ports/ids.ts'
import type { PendingRequest, PendingRequests } from '../ports/pending-requests.ts'
import { findUser } from '../slices/account/door.ts'
import { acrOf } from './acr.ts'
import { isUnassured } from './client-metadata.ts'
import { answerDevice, findDeviceRequest, isUserCode, openDevice } from './device-requests.ts'
import { amrOf } from './engine-session.ts'
import type { Issuer } from './issuer.ts'
import { type NextStep, nextStep } from './next-step.ts'
import { ROUTES } from './paths.ts'
import { toSeconds } from './policy.ts'
import type { Resumed, Unit } from './unit-of-work.ts'
import { bindWaiting, decideWaiting, findWaiting, type WaitingRow } from './waiting-store.ts'

type Params = Partial<
  Record<'client_id' | 'redirect_uri' | 'scope' | 'prompt' | 'max_age' | 'login_hint' | 'ui_locales', string>
>
type Waiting = { params: Params; wanted?: string; claimed?: string[]; acr?: string[] }

/** Implements the port: what the consent screen and its call may know and do of a waiting request. */
export function pendingRequests(clock: Pick<Deps['clock'], 'now'>): PendingRequests {
  return {
    async find(db, uid) {
      if (isUserCode(uid)) return await findDeviceRequest(db, uid, toTime(clock.now()))
      const row = await findWaiting(db, 'Interaction', hashToken(uid), toTime(clock.now()))
      return row && requestOf(uid, row)
    },

    openDevice,

    async finish(deps, { uid, session_id }, decision) {
      if (isUserCode(uid)) return await answerDevice(deps, { uid, session_id }, decision)
      const answer = { id_hash: hashToken(uid), session_id, decision }
      const decided = await decideWaiting(deps.db, answer, toTime(deps.clock.now()))
      if (!decided) throw problem('not_found')
      return `${ROUTES.authorization}/${uid}`
    },
  }
}

function requestOf(uid: string, row: WaitingRow): PendingRequest {
  const { params, claimed = [] } = fromJson<Waiting>(row.payload)
  return {
    uid,
    client_id: params.client_id ?? '',
    session_id: row.session_id,
    scopes: [...words(params.scope), ...claimed],
    redirect_host: URL.parse(params.redirect_uri ?? '')?.host ?? '',
    device: null,
  }
}

/** Where the browser goes with a waiting request: to a page of ours, or on into the engine. */
export type Direction = { to: string } | { resume: Resumed } | { error: 'request_expired' | 'invalid_client' }

/**
 * Every step of a waiting request leads back here, and only here is it decided which one comes next (next-step.ts). The
 * caller has shown by its cookie that the request began in this browser; from now on it belongs to the session there.
 */
export async function direct(unit: Unit, uid: string, issuer: Pick<Issuer, 'knowing'>): Promise<Direction> {
  const { deps, now } = unit
  const row = await findWaiting(deps.db, 'Interaction', hashToken(uid), unit.nowText)
  if (!row) return { error: 'request_expired' }
  const { params, wanted, claimed = [], acr } = fromJson<Waiting>(row.payload)
  const [client, session] = await Promise.all([unit.client(params.client_id ?? ''), unit.session()])
  if (!client) return { error: 'invalid_client' }
  const [user, connection, blocked] = await Promise.all([
    session && findUser(deps.db, session.user_id),
    session && unit.connection(session.user_id, client.client_id),
    unit.isBlocked(client.client_id),
  ])
  const asked = [...words(params.scope), ...claimed]
  const known = (await issuer.knowing(asked)).scopes
  const step = nextStep({
    request: {
      scopes: asked.filter((scope) => known.has(scope)),
      prompts: new Set(words(params.prompt)),
      max_age: toSeconds(params.max_age),
      sub: wanted,
      acr,
      unassured: isUnassured(client, params.redirect_uri),
      asked_at: new Date(row.created_at),
      decision: row.session_id === session?.id ? saidIn(row) : undefined,
    },
    session: session && {
      user_id: session.user_id,
      authenticated_at: new Date(session.authenticated_at),
      acr: acrOf(session, acr),
    },
    user: user && user.disabled_at === null ? { email_verified: user.email_verified_at !== null } : undefined,
    connection,
    blocked,
    now,
  })
  if (session && row.session_id !== session.id) {
    const { id } = session
    await deps.transaction(({ db }) => bindWaiting(db, row.id_hash, id))
  }
  if (isOver(step) && session) {
    const ts = unit.toEngine(session.authenticated_at)
    const login = { accountId: session.user_id, ts, amr: amrOf(session), acr: acrOf(session, acr) }
    return { resume: { step, login } }
  }
  return { to: pageOf(step, uid, { ...params, scope: asked.join(' ') }, session !== undefined) }
}

function saidIn({ decision }: WaitingRow): 'allowed' | 'denied' | undefined {
  return decision === 'allowed' || decision === 'denied' ? decision : undefined
}

function isOver(step: NextStep): step is Resumed['step'] {
  return step === 'done' || step === 'deny' || step === 'refuse' || step === 'unmet'
}

function pageOf(step: NextStep, uid: string, params: Params, signedIn: boolean): string {
  const redirect = `${ROUTES.authorization}/${uid}`
  if (step === 'blocked') {
    return `/oauth?${new URLSearchParams({ error: 'user_blocked', client_id: params.client_id ?? '', uid })}`
  }
  if (step === 'verify') return `/verify?${new URLSearchParams({ redirect })}`
  if (step === 'consent') {
    return `/oauth?${new URLSearchParams({ uid, client_id: params.client_id ?? '', scope: params.scope ?? '' })}`
  }
  return `/login?${new URLSearchParams({
    redirect,
    // Without this, the login page would send somebody signed in straight back here.
    ...(signedIn ? { prompt: 'login' } : {}),
    ...(params.login_hint ? { login_hint: params.login_hint } : {}),
    ...(params.ui_locales ? { ui_locales: params.ui_locales } : {}),
  })}`
}

function words(text: string | undefined): string[] {
  return text ? [...new Set(text.split(' ').filter(Boolean))] : []
}
