import { createHash } from 'node:crypto'
import { LIFETIMES } from '@vrata/contract'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { type AuthenticationMethods, areTwoFactors, type SessionRow } from '../../features/sessions/public.ts'
import { hashToken } from '../../lib/ids.ts'
import { CONFIRM_PATH } from '../paths.ts'
import {
  findProviderModel,
  listProviderModels,
  newProviderModelRow,
  updateProviderModelPayload,
  upsertProviderModel,
} from '../provider/provider-model-store.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/**
 * Adapter of oidc-provider's session: our session, found through our cookie, read-only. So the library cannot revive a
 * revoked session (decision 0033, protocol §3.3).
 */
export function sessionModel(request: ProviderRequest): Partial<Adapter> {
  return {
    find: (cookie) => sessionOfCookie(request, cookie),
    findByUid: async (uid) => sessionOfToken(request, uid),
    async upsert(_, payload) {
      storeSignOut(request, payload)
    },
  }
}

async function sessionOfCookie(request: ProviderRequest, cookie: string): Promise<AdapterPayload | undefined> {
  const session = await request.reads.session()
  if (!session) return undefined
  return {
    jti: cookie,
    kind: 'Session',
    uid: session.id,
    accountId: session.user_id,
    loginTs: request.toProviderTime(session.authenticated_at),
    amr: amrOf(session),
    authorizations: {},
    ...(request.options.path === CONFIRM_PATH ? { state: await stateOfSignOut(request, session.id) } : {}),
    iat: request.toProviderTime(session.created_at),
    exp: request.toProviderTime(request.nowText) + LIFETIMES.session_idle,
  }
}

/** The session of a token that this request has found; `find` of the token has checked that it is live. */
function sessionOfToken(request: ProviderRequest, uid: string): AdapterPayload | undefined {
  const grants = [...request.reads.grants].filter(([, owner]) => owner.session_id === uid)
  const accountId = grants[0]?.[1].user_id
  if (!accountId) return undefined
  const authorizations = Object.fromEntries(grants.map(([grantId, { client_id }]) => [client_id, { grantId }]))
  const now = request.toProviderTime(request.nowText)
  return { jti: uid, kind: 'Session', uid, accountId, authorizations, iat: now, exp: now + 60 } as AdapterPayload
}

/** Authentication methods of a session (RFC 8176). A passkey is a key (`pop`) with user verification (`user`). */
export function amrOf(session: Pick<SessionRow, 'methods'>): string[] {
  const methods = fromJson<AuthenticationMethods>(session.methods)
  return [...methods.flatMap((method) => AMR[method]), ...(areTwoFactors(methods) ? ['mfa'] : [])]
}

const AMR = { pwd: ['pwd'], otp: ['otp'], passkey: ['pop', 'user'], qr: ['user'] } satisfies Record<string, string[]>

/**
 * `sid` of a session: constant for its life and different for each client, so that clients cannot correlate users
 * (OpenID Connect Back-Channel Logout §2.1, decision 0042).
 */
export function sidOf(session_id: string, client_id: string): string {
  return createHash('sha256').update(`sid ${session_id} ${client_id}`).digest('base64url').slice(0, 22)
}

/** State of a sign-out between its question and the answer, as oidc-provider names it. */
type SignOutState = { secret: string; clientId?: string; postLogoutRedirectUri?: string; state?: string }

/** Stores the state of a sign-out, encrypted, until the user has confirmed it. A session may be asked in several tabs, each with a secret of its own. */
function storeSignOut(request: ProviderRequest, { uid, accountId, state }: AdapterPayload): void {
  if (!uid || !accountId || !state) return
  request.writes.push(({ db, encryption }) =>
    upsertProviderModel(db, {
      ...newProviderModelRow('SignOut', signOutIdHash(String(state.secret)), request.now, LIFETIMES.fresh_sign_in),
      session_id: uid,
      payload: encryption.encrypt(JSON.stringify(state), contextOf(uid)),
    }),
  )
}

/** The sign-out whose secret the form of this request has, with the session that was asked. */
export async function findSignOut({
  deps,
  options,
  nowText,
}: ProviderRequest): Promise<{ session_id: string; state: SignOutState } | undefined> {
  if (!options.xsrf) return undefined
  const row = await findProviderModel(deps.db, 'SignOut', signOutIdHash(options.xsrf), nowText)
  if (!row?.session_id) return undefined
  const { session_id } = row
  return { session_id, state: JSON.parse(deps.encryption.decrypt(row.payload, contextOf(session_id))) as SignOutState }
}

async function stateOfSignOut(request: ProviderRequest, session_id: string): Promise<SignOutState | undefined> {
  const found = await findSignOut(request)
  return found?.session_id === session_id ? found.state : undefined
}

/** Encrypts the stored sign-outs with the current secret; returns how many were encrypted with another one. */
export async function resealSignOuts({ db, encryption }: Pick<TransactionDeps, 'db' | 'encryption'>): Promise<number> {
  let resealed = 0
  for (const { id_hash, session_id, payload } of await listProviderModels(db, 'SignOut')) {
    const sealed = encryption.reseal(payload, contextOf(session_id ?? ''))
    if (sealed === undefined) continue
    await updateProviderModelPayload(db, id_hash, sealed)
    resealed += 1
  }
  return resealed
}

const signOutIdHash = (secret: string) => hashToken(`sign-out/${secret}`)
const contextOf = (uid: string) => `sign-out/${uid}`
