import { type auth, type InputOf, problem } from '@vrata/contract'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { relyingParty, requestOptions } from '../../ports/passkeys.ts'
import { lockUser } from '../account/door.ts'
import { provePasskey, rememberChallenge, usePasskey } from '../security/door.ts'
import { enter } from './enter.ts'

/** Nobody has said who they are yet: the passkey does. */
const ASKING = { purpose: 'sign_in', user_id: null } as const

/** api.md §2: POST /auth/passkey/options. The same for everybody, so that it tells nothing about anybody. */
export async function passkeyLoginOptions(deps: Deps, visitor: Visitor) {
  const options = requestOptions(relyingParty(deps.config.url))
  await rememberChallenge(deps, visitor, ASKING, options.challenge)
  return options
}

/** api.md §2: POST /auth/passkey. The authenticator has asked its person, so that it stands for both factors. */
export async function passkeyLogin(open: OpenDeps, visitor: Visitor, { response }: InputOf<typeof auth.passkeyLogin>) {
  const proven = await provePasskey(open, visitor, ASKING, response)
  if (!proven) throw problem('invalid_passkey')
  const user = await open.transaction(async (deps) => {
    const owner = await lockUser(deps.db, proven.passkey.user_id)
    if (!owner || !(await usePasskey(deps, proven))) throw problem('invalid_passkey')
    if (owner.disabled_at !== null) throw problem('account_disabled')
    return await enter(deps, visitor, owner, 'LOGGED_IN', ['passkey'])
  })
  return { next: 'done' as const, user }
}
