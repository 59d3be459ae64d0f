import { type auth, type InputOf, type PasskeyProof, problem } from '@vrata/contract'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { relyingParty, requestOptions } from '../../ports/passkeys.ts'
import { findUser, lockUser } from '../account/door.ts'
import {
  forgetFailures,
  guessKey,
  knownPasskeys,
  provePasskey,
  provePassword,
  proveSecondFactor,
  rememberChallenge,
  tryKey,
  usePasskey,
  wrongCode,
} from '../security/door.ts'
import { type Methods, proveAgain } from './session.ts'
import * as store from './store.ts'

/** api.md §2: POST /auth/reauthenticate, with whichever proof the person has at hand. Good for ten minutes in this session. */
export async function reauthenticate(open: OpenDeps, actor: Person, input: InputOf<typeof auth.reauthenticate>) {
  const { password, otp_token, passkey } = input
  if (password !== undefined) await byPassword(open, actor, password)
  else if (otp_token !== undefined) await byCode(open, actor, otp_token)
  else if (passkey !== undefined) await byPasskey(open, actor, passkey)
  return {}
}

async function byPassword(open: OpenDeps, actor: Person, password: string): Promise<void> {
  const user = await findUser(open.db, actor.user_id)
  const key = guessKey.session(actor.user_id)
  const right = await provePassword(open, { key, hash: user?.password_hash, password })
  if (!right) throw problem('invalid_password', { fields: { password: 'wrong' } })
  await open.transaction(async (deps) => {
    await forgetFailures(deps, key)
    await proven(deps, actor, 'pwd')
  })
}

async function byCode(open: OpenDeps, actor: Person, otp_token: string): Promise<void> {
  const right = await open.transaction(async (deps) => {
    const user = await lockUser(deps.db, actor.user_id)
    if (!user) throw problem('unauthenticated')
    const verdict = await proveSecondFactor(deps, user, tryKey.session(user.id), { otp_token })
    if (verdict.right) await proven(deps, actor, 'otp')
    return verdict.right
  })
  if (!right) throw wrongCode('otp_token')
}

const asking = (actor: Person) => ({ purpose: 'reauthenticate', user_id: actor.user_id }) as const

async function byPasskey(open: OpenDeps, actor: Person, response: PasskeyProof): Promise<void> {
  const signed = await provePasskey(open, actor, asking(actor), response)
  if (!signed) throw problem('invalid_passkey')
  await open.transaction(async (deps) => {
    if (!(await usePasskey(deps, signed))) throw problem('invalid_passkey')
    await proven(deps, actor, 'passkey')
  })
}

/** POST /auth/reauthenticate/options: what the browser needs to prove it with a passkey of this person. */
export async function reauthenticateOptions(deps: Deps, actor: Person) {
  const known = await knownPasskeys(deps.db, actor.user_id)
  if (known.length === 0) throw problem('not_found')
  const options = requestOptions(relyingParty(deps.config.url), known)
  await rememberChallenge(deps, actor, asking(actor), options.challenge)
  return options
}

async function proven(deps: Deps, actor: Person, method: Methods[number]): Promise<void> {
  const session = await store.lockById(deps.db, actor.session_id, toTime(deps.clock.now()))
  if (!session) throw problem('unauthenticated')
  const methods = new Set([...fromJson<Methods>(session.methods), method])
  await proveAgain(deps, actor, session, { methods: toJson([...methods]) })
}
