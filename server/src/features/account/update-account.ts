import { type account, type InputOf, isAddressAllowed, problem } from '@vrata/contract'
import { telephoneNumber } from '../../adapters/telephone.ts'
import type { UsersTable } from '../../db/schema.ts'
import { toFlag, toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { requireFreshSignIn } from '../../http/guards/request-guards.ts'
import { defined } from '../../lib/defined.ts'
import { isCountry } from './countries.ts'
import { findUserByEmail, findUserForUpdate, updateUser } from './store.ts'
import { userInfo } from './user-info.ts'

type Input = InputOf<typeof account.updateAccount>

/** Updates profile fields (api §3.1). */
export async function updateAccount(deps: TransactionDeps, actor: UserActor, input: Input): Promise<account.UserInfo> {
  const { email, pending_email, ...profile } = input
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  // Forms send the current and the pending address back unchanged.
  const wanted = email === undefined || email === user.email || email === user.pending_email ? undefined : email
  // Reauthentication, so that a stolen session cannot change the address (security §7.5.1). Whether it is taken is not revealed.
  if (wanted !== undefined) {
    requireFreshSignIn(deps, actor)
    // Signing out everywhere clears a pending address, including one whose request is in progress (decision 0055).
    await deps.liveSessions.require(deps, actor)
  }
  // Else an address of an allowed domain could be exchanged for any other right after the registration.
  if (wanted !== undefined && !isAddressAllowed(await deps.policy.find(deps.db), wanted))
    throw problem('registration_closed')

  // Turning QR sign-in on adds an authentication method and needs a fresh sign-in; turning it off does not.
  if (profile.allow_qr_sign_in && !user.allow_qr_sign_in) requireFreshSignIn(deps, actor)

  const changes = profileChanges(deps, profile)
  if (profile.phone_number != null) {
    changes.phone_number = await parsePhoneNumber(profile.phone_number, profile.country_code ?? user.country_code)
  }
  if (wanted !== undefined) changes.pending_email = wanted
  else if (pending_email === null) changes.pending_email = null
  if (Object.keys(changes).length === 0) return await userInfo(deps, actor)

  changes.updated_at = toTime(deps.clock.now())
  if (!(await updateUser(deps.db, user.id, changes))) throw problem('username_taken', { fields: { username: 'taken' } })
  await deps.emit('account_changed', { user_id: user.id })
  // The feature security voids links of the former pending address and mails the new one.
  const moved = changes.pending_email !== undefined && changes.pending_email !== user.pending_email
  if (moved) await deps.emit('pending_email_changed', { user_id: user.id, email: changes.pending_email ?? null })
  return await userInfo(deps, actor)
}

/** Sets one language or a list, the preferred one first (api §3.2). */
export async function setLanguage(
  deps: TransactionDeps,
  actor: UserActor,
  { language }: InputOf<typeof account.setLanguage>,
): Promise<account.UserInfo> {
  const list = typeof language === 'string' ? [language] : language
  return await updateAccount(deps, actor, { language: list })
}

type PersonChanges = { [name in 'first_name' | 'last_name' | 'email']?: string | undefined } & {
  pending_email?: null | undefined
}

/**
 * Changes names and address of a person for an operator. A new address waits for its confirmation, as if the person had
 * entered it, and null takes it back; with `at_once` it replaces the former one, for an unused account. Throws `email_exists`.
 */
export async function updatePerson(
  deps: TransactionDeps,
  user: UsersTable,
  { email, pending_email, ...names }: PersonChanges,
  { at_once }: { at_once: boolean },
): Promise<void> {
  const holder = email === undefined ? undefined : await findUserByEmail(deps.db, email)
  const taken = problem('email_exists', { fields: { email: 'taken' } })
  if (holder && holder.id !== user.id) throw taken
  const waiting = email === undefined || at_once ? pending_email : email
  const address = { pending_email: waiting, ...(at_once && { email }) }
  const changes = { ...defined({ ...names, ...address }), updated_at: toTime(deps.clock.now()) }
  if (!(await updateUser(deps.db, user.id, changes))) throw taken
  await deps.emit('account_changed', { user_id: user.id })
  if (waiting !== undefined) await deps.emit('pending_email_changed', { user_id: user.id, email: waiting })
}

/** Returns E.164. A number without a country code belongs to the country of the account. Throws `invalid_request`. */
async function parsePhoneNumber(written: string, country: string | null): Promise<string> {
  const found = await telephoneNumber(written, country)
  if (!found) throw problem('invalid_request', { fields: { phone_number: 'invalid' } })
  return found
}

/** Earlier dates are typing errors. */
const EARLIEST_BIRTH = '1900-01-01'

function profileChanges(deps: TransactionDeps, input: Omit<Input, 'email' | 'pending_email'>): Partial<UsersTable> {
  const { username, language, allow_personalized_ads, allow_details_on_login, allow_qr_sign_in, ...same } = input
  if (same.country_code != null && !isCountry(same.country_code)) {
    throw problem('invalid_request', { fields: { country_code: 'invalid' } })
  }
  const today = toTime(deps.clock.now()).slice(0, 10)
  if (same.birth_date != null && (same.birth_date < EARLIEST_BIRTH || same.birth_date > today)) {
    throw problem('invalid_request', { fields: { birth_date: 'invalid' } })
  }
  return {
    ...defined(same),
    ...(username === undefined ? {} : { username, username_key: username === null ? null : usernameKey(username) }),
    ...(language === undefined ? {} : { language: toJson([...new Set(language)]) }),
    ...(allow_personalized_ads === undefined ? {} : { allow_personalized_ads: toFlag(allow_personalized_ads) }),
    ...(allow_details_on_login === undefined ? {} : { allow_details_on_login: toFlag(allow_details_on_login) }),
    ...(allow_qr_sign_in === undefined ? {} : { allow_qr_sign_in: toFlag(allow_qr_sign_in) }),
  }
}

/** User names are unique regardless of case. They are ASCII, so lower case does not depend on the locale. */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}
