import { type auth, type InputOf, problem } from '@vrata/contract'
import type { OpenDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import {
  createUser,
  findUserByEmail,
  findUserByLogin,
  lockUser,
  renewPasswordHash,
  type User,
} from '../account/door.ts'
import {
  asksSecondFactor,
  checkNewPassword,
  forgetFailures,
  guessKey,
  provePassword,
  sendConfirmation,
} from '../security/door.ts'
import { enter } from './enter.ts'
import { knownDevice } from './known-devices.ts'
import { beginPending } from './second-step.ts'

/** api.md §2: POST /auth/register. Signed in at once; the address is confirmed later. */
export async function register(open: OpenDeps, visitor: Visitor, input: InputOf<typeof auth.register>) {
  const { email, password, first_name = '', last_name = '', language = visitor.locale } = input
  checkNewPassword(password, { email, username: null, first_name, last_name }, 'password')
  if (await findUserByEmail(open.db, email)) throw emailExists()
  const password_hash = await open.passwords.hash(password)
  return await open.transaction(async (deps) => {
    const user = await createUser(deps, { email, password_hash, first_name, last_name, locale: language })
    if (!user) throw emailExists()
    await sendConfirmation(deps, user, email)
    return await enter(deps, visitor, user, 'CREATED_ACCOUNT', ['pwd'])
  })
}

function emailExists() {
  return problem('email_exists', { fields: { email: 'taken' } })
}

/**
 * api.md §2: POST /auth/login. An unknown name is answered like a wrong password, in words and in time: it is hashed,
 * counted and refused alike (security.md 6.3.8).
 */
export async function login(open: OpenDeps, visitor: Visitor, input: InputOf<typeof auth.login>) {
  const { username, password } = input
  const user = await findUserByLogin(open.db, username)
  const key = await keyOf(open, visitor, user, username)
  const right = await provePassword(open, { key, hash: user?.password_hash, password })
  if (!user?.password_hash || !right) throw problem('invalid_credentials')
  const proven = user.password_hash
  const renewed = open.passwords.needsRehash(proven) ? await open.passwords.hash(password) : undefined

  const user_info = await open.transaction(async (deps) => {
    await forgetFailures(deps, key)
    const current = await lockUser(deps.db, user.id)
    // The password was changed while it was being verified: the old one opens nothing any more.
    if (current?.password_hash !== proven) throw problem('invalid_credentials')
    if (current.disabled_at !== null) throw problem('account_disabled')
    if (renewed) await renewPasswordHash(deps.db, user.id, renewed)
    if (!(await asksSecondFactor(deps.db, user.id))) return await enter(deps, visitor, current, 'LOGGED_IN', ['pwd'])
    await beginPending(deps, visitor, user.id)
    return undefined
  })
  return user_info ? { next: 'done' as const, user: user_info } : { next: 'otp' as const }
}

async function keyOf(open: OpenDeps, visitor: Visitor, user: User | undefined, username: string) {
  if (!user) return guessKey.nobody(username)
  const device = await knownDevice(open, visitor, user.id)
  return device ? guessKey.device(user.id, device) : guessKey.account(user.id)
}
