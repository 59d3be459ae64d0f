import type { account, Gender, Level, Locale } from '@vrata/contract'
import type { UsersTable } from '../../db/schema.ts'
import { fromFlag, fromJson } from '../../db/values.ts'
import type { ReadDeps } from '../../deps.ts'
import type { FactorsOf } from '../../ports/factors.ts'
import { countryName } from './countries.ts'
import { findUser } from './store.ts'

/** Whose information, as seen from which session. */
export interface Viewpoint {
  user_id: string
  session_id: string
  developer_id: string | null
}

/** The languages of an account, the preferred one first. */
export function languagesOf(user: Pick<UsersTable, 'language'>): Locale[] {
  return fromJson<Locale[]>(user.language)
}

/** The language of mails and of what apps ask for (api.md §1). */
export function localeOf(user: Pick<UsersTable, 'language'>): Locale {
  return languagesOf(user)[0] ?? 'en-US'
}

/** Specification §3, "User info", with what api.md §3 adds. */
export async function userInfo(
  deps: Pick<ReadDeps, 'db' | 'memberships' | 'factors'>,
  seen: Viewpoint,
): Promise<account.UserInfo> {
  const [user, developer_accounts, factors] = await Promise.all([
    findUser(deps.db, seen.user_id),
    deps.memberships.of(deps.db, seen.user_id),
    deps.factors.of(deps.db, seen.user_id),
  ])
  if (!user) throw new Error('A session without its account: the foreign key forbids it')
  return describe(user, developer_accounts, factors, seen)
}

function describe(
  user: UsersTable,
  developer_accounts: account.DeveloperAccount[],
  factors: FactorsOf,
  seen: Viewpoint,
): account.UserInfo {
  // Whoever was removed from the organisation that is current has none any more.
  const current = developer_accounts.find(({ developer_id }) => developer_id === seen.developer_id)
  return {
    id: user.id,
    first_name: user.first_name,
    last_name: user.last_name,
    profile_picture: user.profile_picture,
    username: user.username,
    email: user.email,
    email_verified: user.email_verified_at !== null,
    pending_email: user.pending_email,
    phone_number: user.phone_number,
    birth_date: user.birth_date,
    country_code: user.country_code,
    country_name: countryName(user.country_code, localeOf(user)),
    language: languagesOf(user),
    gender: user.gender as Gender | null,
    allow_personalized_ads: fromFlag(user.allow_personalized_ads),
    allow_details_on_login: fromFlag(user.allow_details_on_login),
    allow_qr_sign_in: fromFlag(user.allow_qr_sign_in),
    otp_enabled: factors.otp_enabled_at !== null,
    otp_enabled_at: factors.otp_enabled_at,
    recovery_codes_left: factors.recovery_codes_left,
    has_password: user.password_hash !== null,
    passkeys: factors.passkeys,
    developer_accounts,
    developer_id: current?.developer_id ?? null,
    permission: (current?.permission as Level | undefined) ?? null,
    session_id: seen.session_id,
    password_updated_at: user.password_updated_at,
    created_at: user.created_at,
  }
}

/** GET /account. */
export function getAccount(deps: ReadDeps, actor: Viewpoint): Promise<account.UserInfo> {
  return userInfo(deps, actor)
}
