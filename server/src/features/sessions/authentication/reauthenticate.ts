import { type InputOf, type PasskeyAssertion, problem, type sessions } from '@vrata/contract'
import { relyingParty, requestOptions } from '../../../adapters/passkeys.ts'
import { toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { findUser, findUserForUpdate, type User } from '../../account/public.ts'
import {
  attemptKey,
  clearFailures,
  createChallenge,
  invalidOtp,
  listCredentialDescriptors,
  recordPasskeyUse,
  throttleKey,
  verifyPasskey,
  verifyPassword,
  verifySecondFactor,
} from '../../security/public.ts'
import { updateAuthentication } from '../session-lifecycle.ts'
import * as store from '../store.ts'
import { type AuthenticationMethods, verifiedAgain } from './authentication-methods.ts'

/** Reauthenticates with a password, a one-time password or a passkey; valid for ten minutes in this session (api §2.7). */
export async function reauthenticate(app: AppDeps, actor: UserActor, input: InputOf<typeof sessions.reauthenticate>) {
  const { password, otp_token, passkey } = input
  if (password !== undefined) await verifyByPassword(app, actor, password)
  else if (otp_token !== undefined) await verifyByOtp(app, actor, otp_token)
  else if (passkey !== undefined) await verifyByPasskey(app, actor, passkey)
  return {}
}

async function verifyByPassword(app: AppDeps, actor: UserActor, password: string): Promise<void> {
  const user = await findUser(app.db, actor.user_id)
  const key = throttleKey.session(actor.user_id)
  const valid = await verifyPassword(app, { key, hash: user?.password_hash, password }, actor)
  if (!valid) throw problem('invalid_password', { fields: { password: 'wrong' } })
  await app.transaction(async (deps) => {
    await lockUser(deps, actor)
    await clearFailures(deps, key)
    await addMethod(deps, actor, 'pwd')
  })
}

async function verifyByOtp(app: AppDeps, actor: UserActor, otp_token: string): Promise<void> {
  const valid = await app.transaction(async (deps) => {
    const user = await lockUser(deps, actor)
    const { valid } = await verifySecondFactor(deps, user, attemptKey.session(user.id), { otp_token }, actor)
    if (valid) await addMethod(deps, actor, 'otp')
    return valid
  })
  if (!valid) throw invalidOtp('otp_token')
}

const challengeContext = (actor: UserActor) => ({ purpose: 'reauthenticate', user_id: actor.user_id }) as const

async function verifyByPasskey(app: AppDeps, actor: UserActor, response: PasskeyAssertion): Promise<void> {
  const signed = await verifyPasskey(app, actor, challengeContext(actor), response)
  if (!signed) throw problem('invalid_passkey')
  await app.transaction(async (deps) => {
    await lockUser(deps, actor)
    if (!(await recordPasskeyUse(deps, signed))) throw problem('invalid_passkey')
    await addMethod(deps, actor, 'passkey')
  })
}

/** WebAuthn request options for reauthentication with a passkey of the user (api §2.7). */
export async function reauthenticateOptions(deps: TransactionDeps, actor: UserActor) {
  const known = await listCredentialDescriptors(deps.db, actor.user_id)
  if (known.length === 0) throw problem('not_found')
  const options = requestOptions(relyingParty(deps.config.url), known)
  await createChallenge(deps, actor, challengeContext(actor), options.challenge)
  return options
}

/** Before anything else is locked, in the same order as what ends the session. */
async function lockUser({ db }: TransactionDeps, { user_id }: UserActor): Promise<User> {
  const user = await findUserForUpdate(db, user_id)
  if (!user) throw problem('unauthenticated')
  return user
}

async function addMethod(
  deps: TransactionDeps,
  actor: UserActor,
  method: AuthenticationMethods[number],
): Promise<void> {
  const now = toTime(deps.clock.now())
  const session = await store.findByIdForUpdate(deps.db, actor.session_id, now)
  if (!session) throw problem('unauthenticated')
  await updateAuthentication(deps, actor, session, verifiedAgain(session, method, now))
  const line = { reqId: actor.request_id, user_id: actor.user_id, session_id: actor.session_id, method }
  deps.after(() => deps.log.info(line, 'reauthenticated'))
}
