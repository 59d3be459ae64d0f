import type { AppDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { type UserInfoRow, userInfoOf, verifiedUserGuard } from '../account/public.ts'
import { activityStatements } from '../activity/public.ts'
import { clearedFailuresGuard, networkGuard, type ThrottleKey, withoutFactorGuard } from '../security/public.ts'
import { deviceStatements, sessionStatement } from '../sessions/public.ts'
import { acceptSignIn } from './complete-sign-in.ts'
import type { SignInUser } from './login-store.ts'
import { nextStepOf } from './next-step.ts'

/** A user whose password is verified. */
type Verified = {
  user: SignInUser
  /** The rows of their user info, as they were before the password was verified. */
  info: readonly UserInfoRow[]
  key: ThrottleKey
  /** Whether wrong passwords were counted for the key before the password was verified. */
  isCounted: boolean
  /** Hash of the device cookie, if the user has signed in with this browser before. */
  device: string | undefined
}

/**
 * Completes a sign-in by a verified password by guarded writes: one round trip on PostgreSQL, one turn of the event loop on SQLite (decision
 * 0097). Resolves with undefined, and has written nothing, when the sign-in is not plain: a second factor or another step follows, the browser
 * has a session or the device cookie of others, a mail may go to an unconfirmed address, a deletion is scheduled, the account or a counter has
 * changed meanwhile, or the browser has been forgotten. The caller then runs the ordinary steps, which determine the reason.
 */
export async function signInAtOnce(app: AppDeps, visitor: AnonymousActor, verified: Verified) {
  const { user, info, device } = verified
  const { cookies } = visitor
  if (cookies.read('session') || (cookies.read('device') && !device)) return undefined
  // The mail about an unknown browser is counted (`queueNotice`).
  if (!device && user.email_verified_at === null) return undefined
  if ((await nextStepOf(app, user.id)) !== null) return undefined
  const browser = await deviceStatements(app, visitor, user)
  const methods = ['pwd'] as const
  const columns = { ...browser.columns, generation: user.session_generation }
  const session = await sessionStatement(app, visitor, user.id, [...methods], columns)
  const { session_id } = session
  const activity = await activityStatements(app, { type: 'LOGGED_IN', user_id: user.id, from: visitor, session_id })
  const guarded = {
    guards: [
      // The user is locked first, as in every change of an account.
      verifiedUserGuard(user),
      clearedFailuresGuard(app, verified),
      // Again, so that concurrent guesses learn no more than sequential ones.
      ...(device ? [] : [networkGuard(app, visitor.ip)]),
      withoutFactorGuard(user.id),
      app.accountDeletions.guard(user.id),
      ...browser.guards,
    ],
    writes: [session.write, ...browser.writes, ...activity.writes],
  }
  if (!(await app.together(guarded, activity.events))) return undefined
  browser.accept()
  await session.accept()
  const signedIn = userInfoOf(info, { user_id: user.id, session_id, developer_id: null, next_step: null })
  acceptSignIn(app, visitor, signedIn, 'LOGGED_IN', [...methods])
  return signedIn
}
