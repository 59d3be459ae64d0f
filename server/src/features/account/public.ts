import { type Locale, type Problem, problem } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import type { UsersTable } from '../../db/schema.ts'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { newId } from '../../lib/ids.ts'
import { replacePicture } from '../media/public.ts'
import * as store from './store.ts'

export { completeTerms } from './complete-terms.ts'
export { mailFacts } from './mail-facts.ts'
export { accountSearchWords, accountTerms, withParts } from './search-terms.ts'
export {
  clearSessionGeneration,
  findSessionGeneration,
  listUsersWithEndedSessions,
  updateSessionGeneration,
} from './session-generation-store.ts'
export {
  findOldestAccountTime,
  findUnconfirmedForUpdate,
  findUser,
  findUserByEmail,
  findUserForUpdate,
  findUsers,
  findUsersByEmail,
  listUnconfirmed,
  prepareForLogin,
  selectByLogin as selectUserByLogin,
  selectUsersForUpdate,
  updateUserGroups,
  verifiedUserGuard,
} from './store.ts'
export { updatePerson } from './update-account.ts'
export { getAccount, localeOf, type SessionContext, userInfo, userInfoOf } from './user-info.ts'
export { selectUserInfo, type UserInfoRow } from './user-info-store.ts'

export type User = UsersTable

/**
 * The name with which a mail greets the user; empty while the address is unconfirmed, because it may belong to another
 * person, to whom the mail must not carry text that the user chose.
 */
export function greetingName(user: Pick<User, 'first_name' | 'email_verified_at'>): string {
  return user.email_verified_at === null ? '' : user.first_name
}

/** Finds a user by email address or user name, ignoring case. */
export async function findUserByLogin(db: ReadDb, login: string): Promise<User | undefined> {
  return await store.findUserByLogin(db, loginKey(login))
}

/** What `prepareForLogin` compares with email addresses and user names, whose case does not count, nor how letters are composed. */
export function loginKey(login: string): string {
  return login.trim().toLowerCase().normalize('NFC')
}

export interface NewUser {
  email: string
  /** Null for an account that an operator creates: the person sets a password or passkey. */
  password_hash: string | null
  first_name: string
  last_name: string
  locale: Locale
}

/** The user for a data archive, without the password hash. */
export async function* exportAccount(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const user = await store.findUser(db, user_id)
  if (!user) return
  const {
    password_hash: _,
    username_key: __,
    token_generation: ___,
    session_generation: ____,
    language,
    groups,
    ...columns
  } = user
  yield { ...columns, language: fromJson<string[]>(language), groups: fromJson<string[]>(groups) }
}

/** Creates a user with an unconfirmed address. Returns undefined when the address is taken. */
export async function createUser(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  input: NewUser,
): Promise<User | undefined> {
  const now = toTime(deps.clock.now())
  const user: User = {
    id: newId(deps.clock),
    email: input.email,
    email_verified_at: null,
    pending_email: null,
    username: null,
    username_key: null,
    password_hash: input.password_hash,
    password_updated_at: input.password_hash === null ? null : now,
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
    passkey_offered_at: null,
    created_at: now,
    updated_at: now,
    disabled_at: null,
    disabled_reason: null,
    token_generation: 0,
    session_generation: null,
    groups: toJson([]),
  }
  return (await store.insertUser(deps.db, user)) ? user : undefined
}

/** Stores a new password and its time. */
export async function updatePasswordHash(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  user_id: string,
  password_hash: string,
) {
  const now = toTime(deps.clock.now())
  await store.updateUser(deps.db, user_id, { password_hash, password_updated_at: now, updated_at: now })
}

/** Clears the pending address; its mailed links become void. */
export async function clearPendingEmail(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'emit'>,
  user_id: string,
): Promise<void> {
  await store.updateUser(deps.db, user_id, { pending_email: null, updated_at: toTime(deps.clock.now()) })
  await deps.emit('pending_email_changed', { user_id, email: null })
}

/**
 * Whether the password is the one that was verified for the former state of the user. Its hash may be another one: a sign-in meanwhile may have
 * stored the same password with current parameters (`replacePasswordHash`).
 */
export function hasSamePassword(now: Password, before: Password): boolean {
  return now.password_hash !== null && now.password_updated_at === before.password_updated_at
}

type Password = Pick<User, 'password_hash' | 'password_updated_at'>

/** Stores the same password hashed with current parameters; changes no dates. */
export async function replacePasswordHash(db: Db, user_id: string, password_hash: string): Promise<void> {
  await store.updateUser(db, user_id, { password_hash })
}

/** Ends all JWT access tokens of the user: introspection compares their generation. */
export async function incrementTokenGeneration(db: Db, user_id: string): Promise<void> {
  await store.incrementTokenGeneration(db, user_id)
}

/** Thrown after the person of a disabled account has authenticated, and never before (operators §2). */
export function accountDisabled({ disabled_reason }: Pick<User, 'disabled_reason'>): Problem {
  return problem('account_disabled', { params: { reason: disabled_reason ?? '' } })
}

/** Disables an account with a reason for its person, or enables it with null. The caller revokes what it has. */
export async function updateDisabled(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'emit'>,
  user_id: string,
  disabled_reason: string | null,
): Promise<void> {
  const now = toTime(deps.clock.now())
  const disabled_at = disabled_reason === null ? null : now
  await store.updateUser(deps.db, user_id, { disabled_at, disabled_reason, updated_at: now })
  await deps.emit('account_changed', { user_id })
}

/** Deletes an account with everything that belongs to it. */
export async function deleteAccount(deps: TransactionDeps, user: User): Promise<void> {
  // Listeners run first, so that they still find the rows, and lock developer accounts before sessions.
  await deps.emit('account_deleted', { user_id: user.id })
  await deps.revoke('account_deleted', { user_id: user.id })
  await deleteRows(deps, user)
}

/** Foreign keys delete what refers to the user. */
async function deleteRows(deps: TransactionDeps, user: User): Promise<void> {
  await replacePicture(deps, user.profile_picture, null)
  await store.deleteUser(deps.db, user.id)
}

/**
 * Deletes an account whose address was never confirmed and creates an empty one with the same address, which counts as
 * confirmed: a link that was mailed to it has been used, in the language `locale`. Nothing stays of what a stranger may have entered, whatever
 * table it is in. Returns the new user.
 */
export async function restartAccount(
  deps: TransactionDeps,
  user: User,
  password_hash: string,
  locale: Locale,
): Promise<User> {
  await deps.emit('account_deleted', { user_id: user.id })
  await deps.revoke('unconfirmed_account_reset', { user_id: user.id })
  await deleteRows(deps, user)
  const created = await createUser(deps, { email: user.email, password_hash, first_name: '', last_name: '', locale })
  if (!created || !(await confirmEmail(deps, created, created.email))) throw problem('invalid_token')
  return { ...created, email_verified_at: created.created_at }
}

/**
 * Gives an account that an operator has created, and nobody has used, to the person who uses a link that was mailed to its address: the address
 * is confirmed, and the language is that in which they read the page, as at a registration. Returns the user as it is now.
 */
export async function takeOverAccount(deps: TransactionDeps, user: User, locale: Locale): Promise<User> {
  const language = toJson([locale])
  await store.updateUser(deps.db, user.id, { language })
  if (!(await confirmEmail(deps, user, user.email))) throw problem('invalid_token')
  return { ...user, language, email_verified_at: toTime(deps.clock.now()) }
}

/** Records that a passkey was offered, so that it is not offered again. */
export async function recordPasskeyOffer(deps: Pick<TransactionDeps, 'db' | 'clock'>, user_id: string): Promise<void> {
  await store.updateUser(deps.db, user_id, { passkey_offered_at: toTime(deps.clock.now()) })
}

/** Makes `email` the confirmed address of the user. Returns false when another user has taken it meanwhile. */
export async function confirmEmail(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'emit'>,
  user: User,
  email: string,
): Promise<boolean> {
  const now = toTime(deps.clock.now())
  const pending_email = user.pending_email === email ? null : user.pending_email
  const changes = { email, email_verified_at: now, pending_email, updated_at: now }
  if (!(await store.updateUser(deps.db, user.id, changes))) return false
  await deps.emit('account_changed', { user_id: user.id })
  await deps.emit('address_confirmed', { user_id: user.id })
  return true
}
