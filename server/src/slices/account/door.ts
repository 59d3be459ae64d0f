import type { Locale } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import type { UsersTable } from '../../db/schema.ts'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../ports/ids.ts'
import * as store from './store.ts'
import { usernameKey } from './update.ts'

export { deleteUser, findUser, findUserByEmail, findUsers, lockUser } from './store.ts'
export { localeOf, userInfo, type Viewpoint } from './user-info.ts'

export type User = UsersTable

/** Whoever signs in with this: an address, or a user name without regard to case. */
export async function findUserByLogin(db: ReadDb, login: string): Promise<User | undefined> {
  if (login.includes('@')) return await store.findUserByEmail(db, login.trim().toLowerCase())
  return await store.findUserByUsername(db, usernameKey(login.trim()))
}

export interface NewUser {
  email: string
  password_hash: string
  first_name: string
  last_name: string
  locale: Locale
}

/** What an archive holds of the account itself: all but what proves who somebody is. */
export async function* accountPart(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const user = await store.findUser(db, user_id)
  if (!user) return
  const { password_hash: _, username_key: __, language, ...told } = user
  yield { ...told, language: fromJson<string[]>(language) }
}

/** A new account with an address that is not confirmed yet; undefined when the address has one already. */
export async function createUser(deps: Pick<Deps, 'db' | 'clock'>, input: NewUser): Promise<User | undefined> {
  const now = toTime(deps.clock.now())
  const user: User = {
    id: newId(deps.clock),
    email: input.email,
    email_verified_at: null,
    pending_email: null,
    username: null,
    username_key: null,
    password_hash: input.password_hash,
    password_updated_at: now,
    first_name: input.first_name,
    last_name: input.last_name,
    profile_picture: null,
    phone_number: null,
    birth_date: null,
    country_code: null,
    gender: null,
    language: toJson([input.locale]),
    allow_personalized_ads: 0,
    allow_details_on_login: 1,
    allow_qr_sign_in: 1,
    created_at: now,
    updated_at: now,
    disabled_at: null,
  }
  return (await store.insertUser(deps.db, user)) ? user : undefined
}

/** A password that the person chose. */
export async function changePasswordHash(deps: Pick<Deps, 'db' | 'clock'>, user_id: string, password_hash: string) {
  const now = toTime(deps.clock.now())
  await store.updateUser(deps.db, user_id, { password_hash, password_updated_at: now, updated_at: now })
}

/** No address waits any more to become the account's; what was mailed for it is void. */
export async function dropPendingAddress(deps: Pick<Deps, 'db' | 'clock' | 'tell'>, user_id: string): Promise<void> {
  await store.updateUser(deps.db, user_id, { pending_email: null, updated_at: toTime(deps.clock.now()) })
  await deps.tell('pending_email_changed', { user_id, email: null })
}

/** The same password, hashed with today's settings; the person did nothing, so no date moves. */
export async function renewPasswordHash(db: Db, user_id: string, password_hash: string): Promise<void> {
  await store.updateUser(db, user_id, { password_hash })
}

/**
 * The address is theirs: it becomes (or stays) the account's, confirmed, and none waits any more. False when it belongs
 * to another account by now.
 */
export async function confirmAddress(
  deps: Pick<Deps, 'db' | 'clock' | 'tell'>,
  user: User,
  email: string,
): Promise<boolean> {
  const now = toTime(deps.clock.now())
  const pending_email = user.pending_email === email ? null : user.pending_email
  const changes = { email, email_verified_at: now, pending_email, updated_at: now }
  if (!(await store.updateUser(deps.db, user.id, changes))) return false
  await deps.tell('account_changed', { user_id: user.id })
  return true
}
