import type { account, Gender, Level, Locale, NextStep, OperatorRole } from '@vrata/contract'
import type { UsersTable } from '../../db/schema.ts'
import { fromFlag, fromJson } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { AccountActor } from '../../http/actors.ts'
import { countryName } from './countries.ts'
import { listUserInfo, type UserInfoRow } from './user-info-store.ts'

/** User, session and current developer account. */
export interface SessionContext {
  user_id: string
  session_id: string
  developer_id: string | null
  next_step: NextStep | null
}

/** Languages of the user, the preferred one first. */
function languagesOf(user: Pick<UsersTable, 'language'>): Locale[] {
  return fromJson<Locale[]>(user.language)
}

/** Language of mails and of claims for clients (api §1.5). */
export function localeOf(user: Pick<UsersTable, 'language'>): Locale {
  return languagesOf(user)[0] ?? 'en-US'
}

/** User info (product §3.1, api §3.1), in one read. */
export async function userInfo({ db }: Pick<AppDeps, 'db'>, seen: SessionContext): Promise<account.UserInfo> {
  return userInfoOf(await listUserInfo(db, seen.user_id), seen)
}

/** Converts the rows of `selectUserInfo`. */
export function userInfoOf(rows: readonly UserInfoRow[], seen: SessionContext): account.UserInfo {
  const [user] = rows
  if (!user) throw new Error('A session without its account: the foreign key forbids it')
  const developer_accounts = rows.flatMap(toDeveloperAccount)
  // Undefined after the user was removed from the current developer account.
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
    otp_enabled: user.otp_enabled_at !== null,
    otp_enabled_at: user.otp_enabled_at,
    recovery_codes_left: user.recovery_codes_left,
    has_password: user.password_hash !== null,
    passkeys: user.passkeys,
    passkey_offered: user.passkey_offered_at !== null,
    developer_accounts,
    developer_id: current?.developer_id ?? null,
    permission: (current?.permission as Level | undefined) ?? null,
    next_step: seen.next_step,
    session_id: seen.session_id,
    password_updated_at: user.password_updated_at,
    created_at: user.created_at,
    operator_role: user.operator_role as OperatorRole | null,
  }
}

function toDeveloperAccount(row: UserInfoRow): account.DeveloperAccount[] {
  const { developer_id, developer_name: name, logo, approval, approval_reason, permission } = row
  if (developer_id === null || name === null) return []
  return [{ developer_id, name, logo, approval, approval_reason, permission: permission as Level }]
}

/** User info of the signed-in user (api §3.1), which was read with the session. */
export async function getAccount(_: unknown, { user_info }: AccountActor): Promise<account.UserInfo> {
  return user_info
}
