import type { Flag, Json, Nullable, Time } from './columns.ts'

/** Consecutive wrong passwords per account, known browser or unknown user name. */
export interface ThrottlesTable {
  key: string
  failures: number
  blocked_until: Nullable<Time>
  updated_at: Time
}

/** Tokens of mailed links, stored as hashes, bound to a user and consumed by one conditional update. */
export interface OneTimeTokensTable {
  token_hash: string
  kind: 'confirm_email' | 'reset_password' | 'accept_account' | 'new_passkey'
  user_id: string
  /** The address that the link was mailed to: a link to a former pending address is invalid. */
  email: string
  created_at: Time
  expires_at: Time
  consumed_at: Nullable<Time>
}

/** Encrypted TOTP seeds; two-factor authentication is on once `enabled_at` is set. */
export interface OtpSeedsTable {
  user_id: string
  /** Base32; before `enabled_at` is set perhaps several, with spaces between. */
  sealed_seed: string
  created_at: Time
  /** Null until the first code is verified. */
  enabled_at: Nullable<Time>
  /** The latest time step of an accepted code (RFC 6238 §4.2); codes of this and earlier steps are rejected. */
  last_step: number
}

/** Unused recovery codes, stored as HMAC. */
export interface RecoveryCodesTable {
  user_id: string
  code_hash: string
}

/** Attempted codes per account, known browser, session or mailed link. */
export interface OtpTriesTable {
  key: string
  /** Wrong codes since the last correct one. */
  in_a_row: number
  within_hour: number
  hour_until: Time
}

/** Public keys of passkeys. */
export interface PasskeysTable {
  id: string
  user_id: string
  /** Base64url, like the key (COSE, RFC 9052 §7). */
  credential_id: string
  public_key: string
  /** Unsigned 32-bit signature counter, in decimal: no integer column holds it in both databases. */
  counter: string
  transports: Json
  aaguid: string
  /** WebAuthn "backup eligible": may exist on several devices. */
  synced: Flag
  /** WebAuthn "backup state": exists on several devices. */
  backed_up: Flag
  name: string
  created_at: Time
  last_used_at: Nullable<Time>
}

/** WebAuthn challenges, single use, bound to a purpose and to a browser. */
export interface PasskeyChallengesTable {
  challenge_hash: string
  purpose: 'register' | 'sign_in' | 'reauthenticate'
  /** SHA-256 of the device cookie. */
  browser_hash: string
  user_id: Nullable<string>
  expires_at: Time
}

/** Mails of one kind to one address, or caused by one user, within a day. */
export interface MailCountsTable {
  /** Addresses are hashed. */
  key: string
  sent: number
  /** End of the day that began with the first mail. */
  until: Time
}

export interface SecurityTables {
  mail_counts: MailCountsTable
  throttles: ThrottlesTable
  one_time_tokens: OneTimeTokensTable
  otp_seeds: OtpSeedsTable
  recovery_codes: RecoveryCodesTable
  otp_tries: OtpTriesTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
}
