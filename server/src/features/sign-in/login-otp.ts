import { type InputOf, LIFETIMES, problem, type signIn } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { hashToken, newToken, type TokenHash } from '../../lib/ids.ts'
import { accountDisabled, findUserForUpdate } from '../account/public.ts'
import {
  attemptKey,
  checkNetwork,
  countNetworkFailure,
  ensureDeviceCookie,
  invalidOtp,
  MAX_ATTEMPTS,
  verifySecondFactor,
} from '../security/public.ts'
import { findKnownDevice } from '../sessions/public.ts'
import { requireMethod } from './allowed-ways.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { signInAnswer } from './next-step.ts'
import * as store from './pending-sign-in-store.ts'

/**
 * Creates a pending sign-in after a correct password when the second factor is on. It is not a session. It is bound to the
 * user and this browser, lives 5 minutes and allows 5 attempts (decision 0023). Returns what names it to the page: the hash of the token, which signs in nobody.
 */
export async function createPendingSignIn(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  user_id: string,
): Promise<TokenHash> {
  const token = newToken()
  const token_hash = hashToken(token)
  const now = deps.clock.now()
  await store.insertPendingSignIn(deps.db, {
    token_hash,
    user_id,
    browser_hash: ensureDeviceCookie(visitor),
    tries: 0,
    created_at: toTime(now),
    expires_at: timeAfter(now, LIFETIMES.pending_sign_in),
  })
  visitor.cookies.write('pending', token)
  return token_hash
}

/** Completes a pending sign-in with a code (api §2.2). */
export async function loginOtp(app: AppDeps, visitor: AnonymousActor, factor: InputOf<typeof signIn.loginOtp>) {
  await requireMethod(app, 'password')
  const token = visitor.cookies.read('pending')
  if (!token) throw problem('sign_in_expired')
  const pending = { token_hash: hashToken(token), browser_hash: ensureDeviceCookie(visitor) }
  // A wrong code is counted, so the transaction commits before the error is thrown.
  let known = false
  const info = await app.transaction(async (deps) => {
    // Locks the user before the pending sign-in, in the same order as what ends it.
    const user_id = await store.findPendingUser(deps.db, pending)
    const asked = { ...pending, token_hash: (factor.sign_in ?? pending.token_hash) as TokenHash }
    // The tabs of a browser share the cookie. A code is judged only for the user for whom the page asked for it.
    if (asked.token_hash !== pending.token_hash) {
      const asked_user_id = await store.findPendingUser(deps.db, asked)
      if (asked_user_id !== user_id) throw problem(asked_user_id ? 'sign_in_replaced' : 'sign_in_expired')
    }
    const user = user_id === undefined ? undefined : await findUserForUpdate(deps.db, user_id)
    const counted = await store.consumeAttempt(deps.db, pending, MAX_ATTEMPTS, toTime(deps.clock.now()))
    if (!user || !counted) throw problem('sign_in_expired')
    if (user.disabled_at !== null) throw accountDisabled(user)
    const device = await findKnownDevice(deps, visitor, user.id)
    known = device !== undefined
    if (!known) await checkNetwork(deps, visitor.ip)
    const key = device ? attemptKey.device(user.id, device) : attemptKey.account(user.id)
    const { valid } = await verifySecondFactor(deps, user, key, factor, visitor)
    if (!valid) {
      app.log.info({ user_id: user.id, method: 'otp' }, 'sign-in rejected')
      return undefined
    }
    if (!(await store.deletePendingSignIn(deps.db, pending.token_hash))) throw problem('sign_in_expired')
    visitor.cookies.clear('pending')
    return await completeSignIn(deps, visitor, user, 'LOGGED_IN', ['pwd', 'otp'])
  })
  if (!info && !known) await countNetworkFailure(app, visitor)
  if (!info) throw invalidOtp(factor.otp_token === undefined ? 'recovery_code' : 'otp_token')
  return await signInAnswer(app, info)
}
