import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import type { SignInMethod } from '../../lib/meter.ts'
import { type User, userInfo } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type Approver, type AuthenticationMethods, beginSession, recordDevice } from '../sessions/public.ts'
import { nextStepOf } from './next-step.ts'

type SignInType = 'CREATED_ACCOUNT' | 'LOGGED_IN'
type UserInfo = Awaited<ReturnType<typeof userInfo>>

/**
 * Completes a sign-in after authentication: opens the session, records the device and the activity, logs the methods
 * (security §16.3.1), returns user info. The first language of the account becomes that of the pages (api §1.5). `seed` of a sign-in by QR code: see `beginSession`.
 */
export async function completeSignIn(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  user: User,
  type: SignInType,
  methods: AuthenticationMethods,
  by_qr?: { seed: string; approver: Approver },
) {
  const session = await beginSession(deps, visitor, user.id, methods, await nextStepOf(deps, user.id), by_qr?.seed)
  // In parallel, so that PostgreSQL pipelines the queries.
  const [info] = await Promise.all([
    userInfo(deps, session),
    recordDevice(deps, visitor, session, {
      isNewAccount: type === 'CREATED_ACCOUNT',
      approver: by_qr?.approver,
    }),
    recordActivity(deps, { type, user_id: user.id, from: visitor, session_id: session.session_id }),
  ])
  deps.after(() => countSignIn(deps, visitor, info, type, methods))
  writeLanguage(visitor, info)
  return info
}

/** Runs after the transaction of a sign-in has committed. */
export function acceptSignIn(
  deps: CountDeps,
  visitor: AnonymousActor,
  info: UserInfo,
  type: SignInType,
  methods: AuthenticationMethods,
): void {
  writeLanguage(visitor, info)
  countSignIn(deps, visitor, info, type, methods)
}

type CountDeps = Pick<AppDeps, 'log' | 'meter' | 'signInDays'>

function writeLanguage({ cookies }: AnonymousActor, { language: [first] }: UserInfo): void {
  if (first) cookies.writeLanguage(first)
}

function countSignIn(
  { log, meter, signInDays }: CountDeps,
  { request_id, ip }: AnonymousActor,
  { id: user_id, session_id }: UserInfo,
  type: SignInType,
  methods: AuthenticationMethods,
): void {
  log.info({ reqId: request_id, user_id, session_id, ip, methods }, 'signed in')
  meter.signIn(type === 'CREATED_ACCOUNT' ? 'registration' : methodOf(methods), 'signed_in')
  signInDays.signedIn()
}

function methodOf(methods: AuthenticationMethods): SignInMethod {
  if (methods.includes('qr')) return 'qr'
  if (methods.includes('passkey')) return 'passkey'
  return methods.includes('otp') ? 'code' : 'password'
}
