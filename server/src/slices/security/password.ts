import { type account, type InputOf, LIMITS, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { isGuessable } from '../../ports/common-passwords.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { changePasswordHash, dropPendingAddress, findUser, localeOf, lockUser, type User } from '../account/door.ts'
import { type Origin, record } from '../activity/door.ts'
import { voidTokens } from './one-time-tokens.ts'
import { forgetFailures, guessKey, provePassword, resetThrottle } from './throttle.ts'

/** Who will use it: their own name is the first thing that is guessed. */
export type Owner = Pick<User, 'email' | 'username' | 'first_name' | 'last_name'>

/**
 * Throws `password_too_short` or `password_breached` (specification §5, security.md 6.2). Characters are counted as a
 * person sees them written: composed, and one for each code point.
 */
export function checkNewPassword(password: string, owner: Owner, field: 'password' | 'new_password'): void {
  if ([...password.normalize('NFC')].length < LIMITS.password_min) {
    throw problem('password_too_short', { fields: { [field]: 'too_short' }, params: { min: LIMITS.password_min } })
  }
  const own = [owner.email, owner.username, owner.first_name, owner.last_name].filter((one) => one !== null)
  if (isGuessable(password, own)) throw problem('password_breached')
}

/** api.md §3: PUT /account/password. The current password in the body is its own proof. */
export async function setPassword(
  open: OpenDeps,
  actor: Person,
  { current_password, new_password }: InputOf<typeof account.setPassword>,
) {
  const user = await findUser(open.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  checkNewPassword(new_password, user, 'new_password')
  const key = guessKey.session(user.id)
  const right = await provePassword(open, { key, hash: user.password_hash, password: current_password })
  if (!right) throw wrongPassword()
  const hash = await open.passwords.hash(new_password)
  await open.transaction(async (deps) => {
    await forgetFailures(deps, key)
    const current = await lockUser(deps.db, user.id)
    // Somebody was faster: what was proven is not the password any more.
    if (current?.password_hash !== user.password_hash) throw wrongPassword()
    await adoptPassword(deps, current, hash, actor, actor)
  })
  return {}
}

function wrongPassword() {
  return problem('invalid_password', { fields: { current_password: 'wrong' } })
}

/**
 * A new password and all that hangs on it: sessions but that of `keep` end, links of forgotten passwords are void, no
 * other address waits any more (whoever knew the old password may have begun to move the account to theirs), the owner
 * is told by mail.
 */
export async function adoptPassword(
  deps: Deps,
  user: User,
  hash: string,
  from: Origin,
  keep: Person | null,
): Promise<void> {
  await changePasswordHash(deps, user.id, hash)
  await voidTokens(deps, 'reset_password', user.id)
  if (user.pending_email !== null) await dropPendingAddress(deps, user.id)
  await resetThrottle(deps.db, user.id)
  await record(deps, { type: 'CHANGED_PASSWORD', user_id: user.id, from, session_id: keep?.session_id ?? null })
  await deps.tell('password_changed', { user_id: user.id, keep })
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'password_changed',
    values: { name: user.first_name, link: `${deps.config.url}/login`, when: toTime(deps.clock.now()) },
  })
}
