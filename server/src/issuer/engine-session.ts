import { createHash } from 'node:crypto'
import { type auth, LIFETIMES } from '@vrata/contract'
import type { AdapterPayload } from 'oidc-provider'
import { fromJson, timeAfter } from '../db/values.ts'
import { hashToken } from '../ports/ids.ts'
import type { SessionRow } from '../slices/auth/door.ts'
import { CONFIRM_PATH } from './paths.ts'
import { type Unit, unitOfWork } from './unit-of-work.ts'
import { findWaiting, putWaiting } from './waiting-store.ts'

/**
 * The engine's session is our row, read through our cookie and never written: it makes, moves, extends and ends none,
 * so it cannot revive one that has ended, nor set a cookie beside ours (decision 0061; oidc.md §2, hazard 3).
 */
export async function sessionOfCookie(unit: Unit, cookie: string): Promise<AdapterPayload | undefined> {
  const session = await unit.session()
  if (!session) return undefined
  return {
    jti: cookie,
    kind: 'Session',
    uid: session.id,
    accountId: session.user_id,
    loginTs: unit.toEngine(session.authenticated_at),
    amr: amrOf(session),
    authorizations: {},
    ...(unit.start.path === CONFIRM_PATH ? { state: await pendingSignOut(unit, session.id) } : {}),
    iat: unit.toEngine(session.created_at),
    exp: unit.toEngine(unit.nowText) + LIFETIMES.session_idle,
  }
}

/**
 * How the person proved who they are, in the words of RFC 8176 and of the registry that it began: a passkey is a key that
 * the person holds (`pop`) and an authenticator that asked for them (`user`), so two factors by itself.
 */
export function amrOf(session: Pick<SessionRow, 'methods'>): string[] {
  const methods = fromJson<(typeof auth.METHODS)[number][]>(session.methods)
  const mfa = methods.includes('passkey') || (methods.includes('pwd') && methods.includes('otp'))
  return [...methods.flatMap((method) => AMR[method]), ...(mfa ? ['mfa'] : [])]
}

const AMR = { pwd: ['pwd'], otp: ['otp'], passkey: ['pop', 'user'], qr: ['user'] } satisfies Record<string, string[]>

/**
 * What an app knows a session by (`sid`, OpenID Connect Back-Channel Logout §2.1): the same for the session's whole life, and
 * another one for every app, so that two apps cannot compare whom they have.
 */
export function sidOf(session_id: string, client_id: string): string {
  return createHash('sha256').update(`sid ${session_id} ${client_id}`).digest('base64url').slice(0, 22)
}

/** The session behind a token that was just found alive; its row was read with the token. */
export function sessionOfBinding(unit: Unit, uid: string): AdapterPayload | undefined {
  const bound = [...unit.found].filter(([, found]) => found.session_id === uid)
  const accountId = bound[0]?.[1].user_id
  if (!accountId) return undefined
  const authorizations = Object.fromEntries(bound.map(([grantId, { client_id }]) => [client_id, { grantId }]))
  const now = unit.toEngine(unit.nowText)
  return { jti: uid, kind: 'Session', uid, accountId, authorizations, iat: now, exp: now + 60 } as AdapterPayload
}

/** While somebody is asked whether to sign out, the engine's question waits, sealed, under their session. */
export function keepSignOut({ uid, accountId, state }: AdapterPayload): void {
  if (!uid || !accountId || !state) return
  const unit = unitOfWork()
  unit.later(({ db, sealing }) =>
    putWaiting(db, {
      id_hash: signOutId(uid),
      model: 'SignOut',
      session_id: uid,
      decision: null,
      user_code_hash: null,
      asked_at: null,
      payload: sealing.seal(JSON.stringify(state), contextOf(uid)),
      created_at: unit.nowText,
      expires_at: timeAfter(unit.now, LIFETIMES.fresh_sign_in),
    }),
  )
}

async function pendingSignOut(unit: Unit, uid: string): Promise<AdapterPayload['state']> {
  const row = await findWaiting(unit.deps.db, 'SignOut', signOutId(uid), unit.nowText)
  return row && (JSON.parse(unit.deps.sealing.open(row.payload, contextOf(uid))) as AdapterPayload['state'])
}

const signOutId = (uid: string) => hashToken(`sign-out/${uid}`)
const contextOf = (uid: string) => `sign-out/${uid}`
