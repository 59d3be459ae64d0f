import { type auth, type InputOf, LIFETIMES, problem } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { hashToken, newToken } from '../../ports/ids.ts'
import { lockUser } from '../account/door.ts'
import { browserOf, proveSecondFactor, TRIES, tryKey, wrongCode } from '../security/door.ts'
import { enter } from './enter.ts'
import { knownDevice } from './known-devices.ts'
import * as store from './pending-store.ts'

/**
 * The password was right, and the second factor is owed: a sign-in that waits, and no session. It is bound to its person
 * and to this browser, lives 5 minutes and bears 5 tries (decision 0082).
 */
export async function beginPending(deps: Deps, visitor: Visitor, user_id: string): Promise<void> {
  const token = newToken()
  const now = deps.clock.now()
  await store.insertPending(deps.db, {
    token_hash: hashToken(token),
    user_id,
    browser_hash: browserOf(visitor),
    tries: 0,
    created_at: toTime(now),
    expires_at: timeAfter(now, LIFETIMES.pending_sign_in),
  })
  visitor.cookies.write('pending', token)
}

/** api.md §2: POST /auth/login/otp. */
export async function loginOtp(open: OpenDeps, visitor: Visitor, proof: InputOf<typeof auth.loginOtp>) {
  const token = visitor.cookies.read('pending')
  if (!token) throw problem('sign_in_expired')
  const pending = { token_hash: hashToken(token), browser_hash: browserOf(visitor) }
  // A wrong code is refused only after its transaction: its try must stay counted.
  const info = await open.transaction(async (deps) => {
    const waiting = await store.takePending(deps.db, pending, TRIES, toTime(deps.clock.now()))
    const user = waiting && (await lockUser(deps.db, waiting.user_id))
    if (!user) throw problem('sign_in_expired')
    if (user.disabled_at !== null) throw problem('account_disabled')
    const device = await knownDevice(deps, visitor, user.id)
    const key = device ? tryKey.device(user.id, device) : tryKey.account(user.id)
    const { right } = await proveSecondFactor(deps, user, key, proof)
    if (!right) return undefined
    if (!(await store.deletePending(deps.db, pending.token_hash))) throw problem('sign_in_expired')
    visitor.cookies.clear('pending')
    return await enter(deps, visitor, user, 'LOGGED_IN', ['pwd', 'otp'])
  })
  if (!info) throw wrongCode(proof.otp_token === undefined ? 'recovery_code' : 'otp_token')
  return { next: 'done' as const, user: info }
}
