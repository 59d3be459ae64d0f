import { type InputOf, paths, type policy, problem, type security } from '@vrata/contract'
import { passwordWeakness } from '../../adapters/passwords/common-passwords.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor, UserActor } from '../../http/actors.ts'
import {
  findUser,
  findUserForUpdate,
  greetingName,
  hasSamePassword,
  localeOf,
  mailFacts,
  type User,
  updatePasswordHash,
} from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { queueNotice } from './mail-limits.ts'
import { clearFailures, throttleKey, verifyPassword } from './throttle/throttle.ts'

/** Names of the user that a password must not contain. */
export type PersonalNames = Pick<User, 'email' | 'username' | 'first_name' | 'last_name'>

/** Requirements for new passwords in this installation. */
type PasswordRules = Pick<policy.Policy, 'password_min_length'> & { installation?: string | undefined }

/** The current rules, with the name of the installation. */
export async function passwordRules(app: Pick<AppDeps, 'db' | 'policy' | 'branding'>): Promise<PasswordRules> {
  const { password_min_length } = await app.policy.find(app.db)
  return { password_min_length, installation: app.branding.public().name }
}

/**
 * Throws `password_too_short`, `password_is_email`, `password_breached` or `password_guessable` with the reason (product §5.1,
 * security §6.2). Characters are counted as code points of the composed form (NFC).
 */
export function checkNewPassword(
  { password_min_length: min, installation }: PasswordRules,
  password: string,
  names: PersonalNames,
  field: 'password' | 'new_password',
): void {
  if ([...password.normalize('NFC')].length < min)
    throw problem('password_too_short', { fields: { [field]: 'too_short' }, params: { min } })
  const weakness = passwordWeakness(password, {
    email: names.email,
    names: [names.username, names.first_name, names.last_name],
    installation,
  })
  if (weakness === 'address') throw problem('password_is_email')
  if (weakness === 'common') throw problem('password_breached')
  if (weakness) throw problem('password_guessable', { params: { reason: weakness } })
}

/** Changes the password. The current password in the body replaces reauthentication (api §3.5). */
export async function changePassword(
  app: AppDeps,
  actor: UserActor,
  { current_password, new_password }: InputOf<typeof security.changePassword>,
) {
  const user = await findUser(app.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  checkNewPassword(await passwordRules(app), new_password, user, 'new_password')
  const key = throttleKey.session(user.id)
  const valid = await verifyPassword(app, { key, hash: user.password_hash, password: current_password }, actor)
  if (!valid) throw wrongPassword()
  const hash = await app.passwords.hash(new_password)
  await app.transaction(async (deps) => {
    const current = await findUserForUpdate(deps.db, user.id)
    await clearFailures(deps, key)
    // The password was changed while it was being verified.
    if (!current || !hasSamePassword(current, user)) throw wrongPassword()
    await replacePassword(deps, current, hash, actor, actor)
  })
  return {}
}

function wrongPassword() {
  return problem('invalid_password', { fields: { current_password: 'wrong' } })
}

/** Stores a new password hash, ends what the old password may have opened except the session of `keep`, and mails the user. */
export async function replacePassword(
  deps: TransactionDeps,
  user: User,
  hash: string,
  from: AnonymousActor,
  keep: UserActor | null,
): Promise<void> {
  await updatePasswordHash(deps, user.id, hash)
  await recordActivity(deps, { type: 'CHANGED_PASSWORD', user_id: user.id, from, session_id: keep?.session_id ?? null })
  await deps.revoke(keep ? 'password_changed' : 'password_reset', { user_id: user.id, keep, browser: from })
  const locale = localeOf(user)
  await queueNotice(deps, user, {
    to: user.email,
    locale,
    template: 'password_changed',
    values: {
      name: greetingName(user),
      link: `${deps.config.url}${paths.login()}`,
      ...(await mailFacts(deps, locale, from)),
    },
  })
}
