import { type account, type InputOf, problem } from '@vrata/contract'
import type { UsersTable } from '../../db/schema.ts'
import { toFlag, toJson, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { isFresh } from '../../edge/fence.ts'
import { telephoneNumber } from '../../ports/telephone.ts'
import { isCountry } from './countries.ts'
import { findUserByEmail, lockUser, updateUser } from './store.ts'
import { userInfo } from './user-info.ts'

type Input = InputOf<typeof account.updateAccount>

/** api.md §3: PUT /account/. */
export async function updateAccount(deps: Deps, actor: Person, input: Input): Promise<account.UserInfo> {
  const { email, pending_email, ...profile } = input
  const user = await lockUser(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  // An address that is here already is what a form sends back unchanged, not a wish.
  const wanted = email === undefined || email === user.email || email === user.pending_email ? undefined : email
  if (wanted !== undefined) await mayBecome(deps, actor, wanted)

  // One more way in is opened by whoever has just proven who they are; closed by anybody signed in.
  if (profile.allow_qr_sign_in && !user.allow_qr_sign_in && !isFresh(deps.clock, actor))
    throw problem('reauthentication_required')

  const changes = profileChanges(deps, profile)
  if (profile.phone_number != null) {
    changes.phone_number = await validNumber(profile.phone_number, profile.country_code ?? user.country_code)
  }
  if (wanted !== undefined) changes.pending_email = wanted
  else if (pending_email === null) changes.pending_email = null
  if (Object.keys(changes).length === 0) return await userInfo(deps, actor)

  changes.updated_at = toTime(deps.clock.now())
  if (!(await updateUser(deps.db, user.id, changes))) throw problem('username_taken', { fields: { username: 'taken' } })
  await deps.tell('account_changed', { user_id: user.id })
  // Links for the address that waited until now are void; a new one gets its own (slice security listens).
  const moved = changes.pending_email !== undefined && changes.pending_email !== user.pending_email
  if (moved) await deps.tell('pending_email_changed', { user_id: user.id, email: changes.pending_email ?? null })
  return await userInfo(deps, actor)
}

/** PUT /account/language: one or a list, the preferred one first. */
export async function setLanguage(
  deps: Deps,
  actor: Person,
  { language }: InputOf<typeof account.setLanguage>,
): Promise<account.UserInfo> {
  const list = typeof language === 'string' ? [language] : language
  return await updateAccount(deps, actor, { language: list })
}

/** A stolen session must not be able to move the account to another address (security.md 7.5.1). */
async function mayBecome(deps: Deps, actor: Person, email: string): Promise<void> {
  if (!isFresh(deps.clock, actor)) throw problem('reauthentication_required')
  if (await findUserByEmail(deps.db, email)) throw problem('email_exists', { fields: { email: 'taken' } })
}

/** Throws for what is no number anywhere; without a country code it is one of the account's country. */
async function validNumber(written: string, country: string | null): Promise<string> {
  const found = await telephoneNumber(written, country)
  if (!found) throw problem('invalid_request', { fields: { phone_number: 'invalid' } })
  return found
}

/** Nobody alive was born earlier: it is a typing error. */
const EARLIEST_BIRTH = '1900-01-01'

function profileChanges(deps: Deps, input: Omit<Input, 'email' | 'pending_email'>): Partial<UsersTable> {
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

/** User names are unique without regard to case; they are ASCII, so lower case is the same everywhere. */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

function defined<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never
}
