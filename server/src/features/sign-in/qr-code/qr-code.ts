import { randomInt } from 'node:crypto'
import { type AnswerOf, type InputOf, LIFETIMES, paths, problem, type signIn } from '@vrata/contract'
import { localizedPlace } from '../../../adapters/geoip/geoip.ts'
import { qrCode } from '../../../adapters/qr-code.ts'
import { timeAfter, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import { type AnonymousActor, actorWith, type UserActor } from '../../../http/actors.ts'
import { requireFreshSignIn } from '../../../http/guards/request-guards.ts'
import { hashToken, newShortToken, newToken } from '../../../lib/ids.ts'
import { accountDisabled, findUser, findUserForUpdate, userInfo } from '../../account/public.ts'
import {
  type Approver,
  findSession,
  readSession,
  requireLiveSession,
  writeCookiesAgain,
} from '../../sessions/public.ts'
import { isQrAllowed } from '../allowed-ways.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import * as store from './qr-store.ts'

/** Wrong numbers per code: guessing succeeds in 3 of 90 cases at most. */
const MAX_WRONG_MATCHES = 3

type Answer = AnswerOf<typeof signIn.getQrCode>

/** Creates a QR code, which is useless without the cookie of this browser (api §2.6, decision 0023). */
export async function createQrCode(
  app: AppDeps,
  visitor: AnonymousActor,
): Promise<AnswerOf<typeof signIn.createQrCode>> {
  if (!(await isQrAllowed(app))) throw problem('not_found')
  const code = newShortToken()
  const match = String(randomInt(10, 100))
  const now = app.clock.now()
  const expires_at = timeAfter(now, LIFETIMES.qr_code)
  const location = await app.geoip.find(visitor.ip)
  const browser = visitor.cookies.read('qr') ?? newToken()
  visitor.cookies.write('qr', browser)
  await app.transaction(({ db }) =>
    store.insertQrCode(db, {
      code_hash: hashToken(code),
      browser_hash: hashToken(browser),
      match,
      tries: 0,
      state: 'pending',
      user_id: null,
      session_id: null,
      opened_session_id: null,
      os: visitor.os,
      browser: visitor.browser,
      ip: visitor.ip,
      location,
      created_at: toTime(now),
      expires_at,
    }),
  )
  const url = `${app.config.url}${paths.qrCode(code)}`
  return { code, url, expires_at, match, qr_code: qrCode(url) }
}

/** Returns the state of the code in the browser that shows it, and the requesting device on a phone (api §2.6). */
export async function getQrCode(app: AppDeps, visitor: AnonymousActor, { code }: InputOf<typeof signIn.getQrCode>) {
  const row = await store.findQrCode(app.db, hashToken(code))
  if (row && row.browser_hash === browserHash(visitor)) return await pollQrCode(app, visitor, row, code)
  const access = visitor.cookies.read('access')
  const session = access ? await readSession(app, access) : undefined
  if (!session || session.next_step !== null) throw problem('unauthenticated')
  if (!row || !(await isQrAllowed(app))) throw problem('not_found')
  return await viewQrCode(app, actorWith(visitor, { ...session, locale: visitor.locale }), row)
}

/**
 * Polls the code in the browser that shows it. The first poll after approval consumes the code and signs in. Until the approval ends, later
 * ones get the same answer, in case it was lost.
 */
async function pollQrCode(app: AppDeps, visitor: AnonymousActor, row: store.QrCode, code: string): Promise<Answer> {
  const state = stateOf(app, row)
  // Only this browser has both.
  const seed = `${code} ${visitor.cookies.read('qr')}`
  if (row.state === 'used') return await answerAgain(app, visitor, row, seed)
  if (state !== 'approved') return { state }
  const { code_hash, browser_hash } = row
  const answer = await app.transaction(async (deps): Promise<Answer | undefined> => {
    // Locks the user before the code, in the same order as a change of the password, which consumes approved codes.
    const locked = row.user_id === null ? undefined : await findUserForUpdate(deps.db, row.user_id)
    const approval = await store.consumeQrCode(deps.db, { code_hash, browser_hash, now: toTime(deps.clock.now()) })
    if (!approval) return undefined
    const user = approval.user_id === locked?.id ? locked : undefined
    if (!user?.allow_qr_sign_in || !(await isQrAllowed(deps))) return { state: 'expired' }
    if (user.disabled_at !== null) throw accountDisabled(user)
    const approver = await findApprover(deps, approval)
    if (!approver) return { state: 'expired' }
    const info = await completeSignIn(deps, visitor, user, 'LOGGED_IN', ['qr'], { seed, approver })
    await store.updateOpenedSession(deps.db, code_hash, info.session_id)
    return { state, user: info }
  })
  return answer ?? (await answerAgain(app, visitor, await store.findQrCode(app.db, code_hash), seed))
}

/** Signs in to the session that the code has opened, unless that has ended or its cookies have been replaced since. */
async function answerAgain(
  app: AppDeps,
  visitor: AnonymousActor,
  row: store.QrCode | undefined,
  seed: string,
): Promise<Answer> {
  const isOpen = row && row.expires_at > toTime(app.clock.now())
  const opened = isOpen && row.opened_session_id
  const session = opened ? await writeCookiesAgain(app, visitor, opened, seed) : undefined
  return session ? { state: 'approved', user: await userInfo(app, session) } : { state: 'expired' }
}

/** The session that has approved the code; undefined when it has ended since (decision 0055). */
async function findApprover(
  { db, clock }: TransactionDeps,
  { session_id }: Pick<store.QrCode, 'session_id'>,
): Promise<Approver | undefined> {
  return session_id === null ? { unknown_since: null } : await findSession(db, session_id, clock.now())
}

/** Binds the code to the first account that views it; only that account can approve or deny it. */
async function viewQrCode(app: AppDeps, actor: UserActor, row: store.QrCode): Promise<Answer> {
  const user = await findUser(app.db, actor.user_id)
  if (!user?.allow_qr_sign_in) throw problem('qr_sign_in_off')
  if (row.state === 'pending' && stateOf(app, row) === 'pending') {
    const seen = await app.transaction(async (deps) => {
      const first = await store.updateSeen(deps.db, approverOf(deps, actor, row.code_hash))
      if (first) await deps.emit('qr_code_changed', { browser_hash: row.browser_hash })
      return first
    })
    if (seen) return toView(actor, { ...row, state: 'seen' }, 'seen')
  }
  const now = await store.findQrCode(app.db, row.code_hash)
  if (!now || (now.user_id !== null && now.user_id !== actor.user_id)) throw problem('not_found')
  return toView(actor, now, stateOf(app, now))
}

function toView(actor: UserActor, row: store.QrCode, state: Answer['state']): Answer {
  const { os, browser, ip, created_at, expires_at } = row
  return {
    state,
    created_at,
    expires_at,
    requester: { os, browser, ip, location: localizedPlace(actor.locale, row.location) },
  }
}

/** Approves or denies the code, once (api §2.6). */
export async function answerQrCode(app: AppDeps, actor: UserActor, input: InputOf<typeof signIn.answerQrCode>) {
  const { code, approve, match } = input
  if (approve) requireFreshSignIn(app, actor)
  if (approve && match === undefined) throw problem('invalid_request', { fields: { match: 'required' } })
  // A wrong number is counted, so the transaction commits before the error is thrown.
  const verdict = await app.transaction(async (deps) => {
    const user = await findUserForUpdate(deps.db, actor.user_id)
    if (!user?.allow_qr_sign_in || !(await isQrAllowed(deps))) throw problem('qr_sign_in_off')
    // The end of the session voids its approvals, also one that is on its way.
    if (approve) await requireLiveSession(deps, actor)
    const approver = approverOf(deps, actor, hashToken(code))
    if (!approve) return await emitChange(deps, await store.updateDenied(deps.db, approver), 'denied')
    const collect_until = timeAfter(deps.clock.now(), LIFETIMES.qr_collect)
    const approved = await store.updateApproved(deps.db, approver, { match: match ?? '', collect_until })
    if (approved) return await emitChange(deps, approved, 'approved')
    return await emitChange(deps, await store.updateWrongMatch(deps.db, approver, MAX_WRONG_MATCHES), 'wrong_match')
  })
  if (verdict === 'expired_code') throw problem('expired_code')
  if (verdict === 'wrong_match') throw problem('wrong_match', { fields: { match: 'wrong' } })
  return { state: verdict }
}

/** Emits the change to the browser that shows the code; returns `expired_code` when no code has changed. */
async function emitChange<V extends string>(
  deps: TransactionDeps,
  changed: Pick<store.QrCode, 'browser_hash'> | undefined,
  verdict: V,
): Promise<V | 'expired_code'> {
  if (!changed) return 'expired_code'
  await deps.emit('qr_code_changed', { browser_hash: changed.browser_hash })
  return verdict
}

/** Whether the browser has a code that has not expired. Decides whether a visitor may open a socket. */
export async function hasOpenQrCode(app: AppDeps, browser_hash: string): Promise<boolean> {
  return await store.hasOpenQrCode(app.db, browser_hash, toTime(app.clock.now()))
}

function approverOf(deps: Pick<AppDeps, 'clock'>, actor: UserActor, code_hash: string): store.Approver {
  const { user_id, session_id } = actor
  return { code_hash, user_id, session_id, browser_hash: browserHash(actor), now: toTime(deps.clock.now()) }
}

function browserHash(visitor: AnonymousActor): string | null {
  const token = visitor.cookies.read('qr')
  return token ? hashToken(token) : null
}

function stateOf(deps: Pick<AppDeps, 'clock'>, { state, expires_at }: store.QrCode): Answer['state'] {
  if (state === 'used') return 'approved'
  if (state === 'denied') return state
  return expires_at > toTime(deps.clock.now()) ? state : 'expired'
}
