import type { TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import type { SignInMethod } from '../../lib/meter.ts'
import { type User, userInfo } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuthenticationMethods, beginSession, recordDevice } from '../sessions/public.ts'
import { nextStepOf } from './next-step.ts'

/**
 * Completes a sign-in after authentication: opens the session, records the device and the activity, logs the methods
 * (security §16.3.1), returns user info. The first language of the account becomes that of the pages (api §1.5).
 */
export async function completeSignIn(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  user: User,
  type: 'CREATED_ACCOUNT' | 'LOGGED_IN',
  methods: AuthenticationMethods,
) {
  const session = await beginSession(deps, visitor, user.id, methods, await nextStepOf(deps, user.id))
  // In parallel, so that PostgreSQL pipelines the queries.
  const [info] = await Promise.all([
    userInfo(deps, session),
    recordDevice(deps, visitor, session, {
      isNewAccount: type === 'CREATED_ACCOUNT',
      by_qr: methods.includes('qr'),
    }),
    recordActivity(deps, { type, user_id: user.id, from: visitor, session_id: session.session_id }),
  ])
  const [language] = info.language
  if (language) visitor.cookies.writeLanguage(language)
  const line = { reqId: visitor.request_id, user_id: user.id, session_id: session.session_id, ip: visitor.ip, methods }
  deps.after(() => {
    deps.log.info(line, 'signed in')
    deps.meter.signIn(type === 'CREATED_ACCOUNT' ? 'registration' : methodOf(methods), 'signed_in')
  })
  return info
}

function methodOf(methods: AuthenticationMethods): SignInMethod {
  if (methods.includes('qr')) return 'qr'
  if (methods.includes('passkey')) return 'passkey'
  return methods.includes('otp') ? 'code' : 'password'
}
