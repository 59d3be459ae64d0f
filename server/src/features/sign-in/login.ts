import { type InputOf, problem, type signIn } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import {
  accountDisabled,
  createUser,
  findUserByEmail,
  findUserForUpdate,
  hasSamePassword,
  loginKey,
  replacePasswordHash,
} from '../account/public.ts'
import {
  checkNetwork,
  checkNewPassword,
  clearFailures,
  countNetworkFailure,
  isSecondFactorEnabled,
  passwordRules,
  readSignInThrottles,
  sendEmailConfirmation,
  throttleKey,
  verifyUnblockedPassword,
} from '../security/public.ts'
import { deviceHashOf } from '../sessions/public.ts'
import { requireMethod, requireRegistration } from './allowed-ways.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { createPendingSignIn } from './login-otp.ts'
import { findUserWithDevice, type SignInUser } from './login-store.ts'
import { signInAnswer } from './next-step.ts'
import { signInAtOnce } from './sign-in-at-once.ts'

/** Creates an account and signs in; the address is confirmed later (api §2.2). */
export async function register(app: AppDeps, visitor: AnonymousActor, input: InputOf<typeof signIn.register>) {
  const { email, password, first_name = '', last_name = '', language = visitor.locale } = input
  await requireRegistration(app, input)
  checkNewPassword(await passwordRules(app), password, { email, username: null, first_name, last_name }, 'password')
  if (await findUserByEmail(app.db, email)) throw emailExists()
  const password_hash = await app.passwords.hash(password)
  return await app.transaction(async (deps) => {
    const user = await createUser(deps, { email, password_hash, first_name, last_name, locale: language })
    if (!user) throw emailExists()
    await sendEmailConfirmation(deps, user, email)
    return await completeSignIn(deps, visitor, user, 'CREATED_ACCOUNT', ['pwd'])
  })
}

function emailExists() {
  return problem('email_exists', { fields: { email: 'taken' } })
}

/**
 * Verifies the password (api §2.2). An unknown name is hashed, counted and refused like a wrong password, so that answer
 * and timing are the same (security §6.3.8).
 */
export async function login(app: AppDeps, visitor: AnonymousActor, input: InputOf<typeof signIn.login>) {
  const { username, password } = input
  await requireMethod(app, 'password')
  const device_hash = deviceHashOf(visitor)
  // At once, so that PostgreSQL needs one round trip.
  const [{ user, info, device }, throttles] = await Promise.all([
    findUserWithDevice(app.db, loginKey(username), device_hash),
    readSignInThrottles(app, { ip: visitor.ip, login: username, device_hash }),
  ])
  const key = throttleKeyOf(user, device, username)
  // A known browser waits neither with its network nor with other browsers.
  if (!device) throttles.checkNetwork()
  throttles.checkLogin(key)
  const valid = await verifyUnblockedPassword(app, { key, hash: user?.password_hash, password }, visitor)
  if (!user?.password_hash || !valid) {
    if (!device) await countNetworkFailure(app, visitor)
    app.log.info({ user_id: user?.id ?? null, method: 'pwd' }, 'sign-in rejected')
    throw problem('invalid_credentials')
  }
  const rehashed = app.passwords.needsRehash(user.password_hash) ? await app.passwords.hash(password) : undefined
  const verified = { user, info, key, device, isCounted: throttles.isCounted(key) }
  const at_once = rehashed ? undefined : await signInAtOnce(app, visitor, verified)
  if (at_once) return await signInAnswer(app, at_once)
  // Again, so that concurrent guesses learn no more than sequential ones.
  if (!device) await checkNetwork(app, visitor.ip)
  const done = await app.transaction(async (deps) => {
    const current = await findUserForUpdate(deps.db, user.id)
    await clearFailures(deps, key)
    // The password was changed while it was being verified.
    if (!current || !hasSamePassword(current, user)) throw problem('invalid_credentials')
    if (current.disabled_at !== null) throw accountDisabled(current)
    if (rehashed) await replacePasswordHash(deps.db, user.id, rehashed)
    if (!(await isSecondFactorEnabled(deps.db, user.id)))
      return await completeSignIn(deps, visitor, current, 'LOGGED_IN', ['pwd'])
    return await createPendingSignIn(deps, visitor, user.id)
  })
  return typeof done === 'string' ? { next: 'otp' as const, sign_in: done } : await signInAnswer(app, done)
}

function throttleKeyOf(user: SignInUser | undefined, device: string | undefined, username: string) {
  if (!user) return throttleKey.unknownLogin(username)
  return device ? throttleKey.device(user.id, device) : throttleKey.account(user.id)
}
