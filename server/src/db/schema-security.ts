import type { Flag, Json, Nullable, Time } from './columns.ts'

/** Wrong passwords in a row, per account, known browser or unknown name. */
export interface ThrottlesTable {
  key: string
  failures: number
  blocked_until: Nullable<Time>
  updated_at: Time
}

/** Typed, hashed, bound to their owner, consumed by one conditional write. */
export interface OneTimeTokensTable {
  token_hash: string
  kind: 'confirm_email' | 'reset_password'
  user_id: string
  /** The address it was mailed to: a link for a former pending address is void. */
  email: string
  created_at: Time
  expires_at: Time
  consumed_at: Nullable<Time>
}

/** The seed of an authenticator app, sealed; it counts from `enabled_at` on. */
export interface OtpSeedsTable {
  user_id: string
  sealed_seed: string
  created_at: Time
  /** Null while its first code is awaited. */
  enabled_at: Nullable<Time>
  /** The latest 30 seconds (RFC 6238 §4.2) of which a code was taken: none of them or before counts any more. */
  last_step: number
}

/** Those that have not been used, by an HMAC. */
export interface RecoveryCodesTable {
  user_id: string
  code_hash: string
}

/** Codes that were tried, per account, known browser, session or mailed link. */
export interface OtpTriesTable {
  key: string
  /** Wrong ones since the last right one. */
  in_a_row: number
  within_hour: number
  hour_until: Time
}

/** Public halves of passkeys. */
export interface PasskeysTable {
  id: string
  user_id: string
  /** Base64url, as is the key (COSE, RFC 9052 §7). */
  credential_id: string
  public_key: string
  /** 32 bits without a sign, which no integer column of both engines holds; decimal. */
  counter: string
  transports: Json
  aaguid: string
  /** It may be on several devices (WebAuthn "backup eligible"). */
  synced: Flag
  /** It is (WebAuthn "backup state"). */
  backed_up: Flag
  name: string
  created_at: Time
  last_used_at: Nullable<Time>
}

/** What a passkey is to sign, once; bound to what it is for and to the browser that asked for it. */
export interface PasskeyChallengesTable {
  challenge_hash: string
  purpose: 'register' | 'sign_in' | 'reauthenticate'
  /** Of the device cookie. */
  browser_hash: string
  user_id: Nullable<string>
  expires_at: Time
}

/** Tables of slice security: what proves that somebody is who they say, and how often they may try. */
export interface SecurityTables {
  throttles: ThrottlesTable
  one_time_tokens: OneTimeTokensTable
  otp_seeds: OtpSeedsTable
  recovery_codes: RecoveryCodesTable
  otp_tries: OtpTriesTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
}
