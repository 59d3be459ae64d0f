import { type InputOf, problem, type signIn } from '@vrata/contract'
import { relyingParty, requestOptions } from '../../adapters/passkeys.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { accountDisabled, findUserForUpdate } from '../account/public.ts'
import { createChallenge, recordPasskeyUse, verifyPasskey } from '../security/public.ts'
import { requireMethod } from './allowed-ways.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { signInAnswer } from './next-step.ts'

/** The user is not known yet: the passkey identifies them (discoverable credential, WebAuthn §4). */
const CHALLENGE = { purpose: 'sign_in', user_id: null } as const

/** WebAuthn request options (api §2.2). The same for all, so that they reveal no account. */
export async function passkeyLoginOptions(deps: TransactionDeps, visitor: AnonymousActor) {
  await requireMethod(deps, 'passkey')
  const options = requestOptions(relyingParty(deps.config.url))
  await createChallenge(deps, visitor, CHALLENGE, options.challenge)
  return options
}

/** Signs in with a passkey. User verification by the authenticator makes it count as both factors (api §2.2). */
export async function passkeyLogin(
  app: AppDeps,
  visitor: AnonymousActor,
  { response }: InputOf<typeof signIn.passkeyLogin>,
) {
  await requireMethod(app, 'passkey')
  const verified = await verifyPasskey(app, visitor, CHALLENGE, response)
  if (!verified) throw problem('invalid_passkey')
  const user = await app.transaction(async (deps) => {
    const account = await findUserForUpdate(deps.db, verified.passkey.user_id)
    if (!account || !(await recordPasskeyUse(deps, verified))) throw problem('invalid_passkey')
    if (account.disabled_at !== null) throw accountDisabled(account)
    return await completeSignIn(deps, visitor, account, 'LOGGED_IN', ['passkey'])
  })
  return await signInAnswer(app, user)
}
