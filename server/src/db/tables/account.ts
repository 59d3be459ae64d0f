import type { Flag, Json, Nullable, Time } from './columns.ts'

export interface UsersTable {
  id: string
  email: string
  email_verified_at: Nullable<Time>
  pending_email: Nullable<string>
  username: Nullable<string>
  /** `username` in lower case: unique regardless of case. */
  username_key: Nullable<string>
  password_hash: Nullable<string>
  password_updated_at: Nullable<Time>
  first_name: string
  last_name: string
  profile_picture: Nullable<string>
  phone_number: Nullable<string>
  birth_date: Nullable<string>
  country_code: Nullable<string>
  gender: Nullable<string>
  /** JSON list of locales, the preferred one first. */
  language: Json
  allow_personalized_ads: Flag
  allow_details_on_login: Flag
  allow_qr_sign_in: Flag
  /** A passkey is offered once after a sign-in with the password. */
  passkey_offered_at: Nullable<Time>
  created_at: Time
  updated_at: Time
  disabled_at: Nullable<Time>
  /** Reason that the operator gives to the user of a disabled account. */
  disabled_reason: Nullable<string>
  /** Contained in JWT access tokens; those of an earlier generation are inactive. */
  token_generation: number
  /** While sessions are ended in small steps: only those of this generation live (decision 0145). */
  session_generation: Nullable<string>
  /** JSON list of the keys in `group_members`, sorted, so that claims need no further read. */
  groups: Json
}

/** Folded words by which operators find a person. */
export interface AccountTermsTable {
  term: string
  user_id: string
}

/** Append only. */
export interface ActivitiesTable {
  id: string
  user_id: string
  type: string
  created_at: Time
  session_id: Nullable<string>
  os: Nullable<string>
  browser: Nullable<string>
  ip: Nullable<string>
  location: Nullable<string>
  client_id: Nullable<string>
  scopes: Nullable<Json>
  /** The service that acted for the user in the client (RFC 8693). */
  acting_client_id: Nullable<string>
  /** Binding message of the answered request of a client (OpenID Connect CIBA Core §7.1). */
  binding_message: Nullable<string>
}

/** Uploaded pictures. Rows stay for an hour after their files are deleted, because they count against the upload quota. */
export interface PicturesTable {
  file: string
  user_id: Nullable<string>
  created_at: Time
  /** Since when an account, client or organization uses it; null while it is rendered and after a failure. */
  kept_at: Nullable<Time>
  /** Since when nothing uses it. */
  dropped_at: Nullable<Time>
  /** SHA-256 (hex) of what was sent, for pictures of the branding that came in a document. */
  source_hash: Nullable<string>
}

/** Requested archives of all data of a user. */
export interface DataRequestsTable {
  id: string
  user_id: string
  parts: Json
  state: 'queued' | 'building' | 'ready' | 'expired' | 'failed'
  file: Nullable<string>
  bytes: Nullable<number>
  created_at: Time
  ready_until: Nullable<Time>
}

/** Scheduled deletions of accounts; a sign-in before `due_at` cancels one. */
export interface AccountDeletionsTable {
  user_id: string
  requested_at: Time
  due_at: Time
}

/** Requests of operators to remove second factor and passkeys of a person. */
export interface FactorResetsTable {
  id: string
  user_id: string
  /** Hash of the mailed link that stops the removal. */
  token_hash: string
  /** How the operator has checked who asks. */
  reason: string
  /** The operator; null for a command, and once the account of the operator is deleted. */
  requested_by: Nullable<string>
  requested_by_command: Nullable<string>
  requested_at: Time
  due_at: Time
  /** How it ended: `stopped` by the person's link, `canceled` by an operator, `void` by another change of the account; null while it waits. */
  ended_as: Nullable<'done' | 'stopped' | 'canceled' | 'void'>
  ended_at: Nullable<Time>
}

export interface AccountTables {
  users: UsersTable
  account_terms: AccountTermsTable
  activities: ActivitiesTable
  pictures: PicturesTable
  data_requests: DataRequestsTable
  account_deletions: AccountDeletionsTable
  factor_resets: FactorResetsTable
}
