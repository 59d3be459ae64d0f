import type { Flag, Json, Nullable, Time } from './columns.ts'
import type { ClientTables } from './schema-clients.ts'
import type { DeveloperTables } from './schema-developers.ts'
import type { IssuerTables } from './schema-issuer.ts'
import type { SecurityTables } from './schema-security.ts'

export type * from './schema-clients.ts'
export type * from './schema-developers.ts'
export type * from './schema-issuer.ts'
export type * from './schema-security.ts'

/**
 * The whole model, one file an area. Columns are text and integer only (house.md §8): times are UTC ISO text,
 * switches 0 or 1, lists and objects JSON text. Each table names the slice that owns it; only its store speaks to it.
 */

/** account */
export interface UsersTable {
  id: string
  email: string
  email_verified_at: Nullable<Time>
  pending_email: Nullable<string>
  username: Nullable<string>
  /** `username` in lower case: unique without regard to case. */
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
  created_at: Time
  updated_at: Time
  disabled_at: Nullable<Time>
}

/** auth. One row is one signed-in browser; both cookies are known by their SHA-256 only (api.md §2). */
export interface SessionsTable {
  id: string
  user_id: string
  token_hash: string
  previous_hash: Nullable<string>
  /** Until when `previous_hash` is answered with the successor. */
  previous_until: Nullable<Time>
  access_hash: string
  access_until: Time
  /** Last time the person proved who they are, also by reauthentication. */
  authenticated_at: Time
  methods: Json
  os: Nullable<string>
  browser: Nullable<string>
  ip: string
  location: Nullable<string>
  developer_id: Nullable<string>
  created_at: Time
  last_seen_at: Time
  idle_until: Time
  expires_at: Time
  ended_at: Nullable<Time>
  /** When it began in a browser that the account did not know; null once the person has said that they know it. */
  unknown_since: Nullable<Time>
}

/** auth. A browser in which this person has signed in before; it is not locked out by strangers' wrong guesses. */
export interface KnownDevicesTable {
  token_hash: string
  user_id: string
  created_at: Time
  last_used_at: Time
}

/** media. A picture that somebody sent; its files have the name as their stem. Rows stay an hour to be counted. */
export interface PicturesTable {
  file: string
  user_id: Nullable<string>
  created_at: Time
  /** Since when something shows it; null while it is being made, or when that failed. */
  kept_at: Nullable<Time>
  /** Since when nothing shows it any more. */
  dropped_at: Nullable<Time>
}

/** privacy. An archive of all data that somebody asked for; `ready_until` is null while it is being made. */
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

/** privacy. An account that is deleted when `due_at` has come, unless somebody signs in before. */
export interface AccountDeletionsTable {
  user_id: string
  requested_at: Time
  due_at: Time
}

/** auth. Somebody who has given the password and owes the second factor; no session. */
export interface PendingSignInsTable {
  token_hash: string
  user_id: string
  /** Of the device cookie. */
  browser_hash: string
  tries: number
  created_at: Time
  expires_at: Time
}

/** auth. A code on a login screen, which a signed-in phone may approve; worth nothing in any other browser. */
export interface QrCodesTable {
  code_hash: string
  /** Of the cookie of the browser that shows it. */
  browser_hash: string
  /** The two digits beside it. */
  match: string
  tries: number
  state: 'pending' | 'seen' | 'approved' | 'denied' | 'used'
  /** Whoever has opened it on a phone; nobody else can answer. */
  user_id: Nullable<string>
  os: Nullable<string>
  browser: Nullable<string>
  ip: string
  location: Nullable<string>
  created_at: Time
  /** Of an approved one: until when it can be collected. */
  expires_at: Time
}

/** activity. Append only. */
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
}

/** connections. What a person allows an app. */
export interface ConnectionsTable {
  id: string
  user_id: string
  client_id: string
  scopes: Json
  /** JSON list of scopes that were asked for and not allowed; a sign-in asks for them again only where the app insists. */
  declined: Json
  created_at: Time
  updated_at: Time
  last_used_at: Nullable<Time>
  /** The app's organisation has blocked this person: no sign-in, no token. */
  blocked_at: Nullable<Time>
}

/** connections. Which of the scopes that apps define it holds: what its `scopes` say, the other way round. */
export interface ConnectionScopesTable {
  key: string
  connection_id: string
}

/** ports/jobs. Mails and other work that leaves the process, written with what it tells about. */
export interface JobsTable {
  id: string
  kind: string
  payload: Json
  run_at: Time
  attempts: number
  locked_until: Nullable<Time>
  last_error: Nullable<string>
  created_at: Time
  done_at: Nullable<Time>
  failed_at: Nullable<Time>
}

/** db. Facts about this installation, such as a fingerprint of its secret. */
export interface SettingsTable {
  key: string
  value: string
}

export interface Database extends ClientTables, DeveloperTables, IssuerTables, SecurityTables {
  users: UsersTable
  sessions: SessionsTable
  known_devices: KnownDevicesTable
  pending_sign_ins: PendingSignInsTable
  qr_codes: QrCodesTable
  activities: ActivitiesTable
  pictures: PicturesTable
  data_requests: DataRequestsTable
  account_deletions: AccountDeletionsTable
  connections: ConnectionsTable
  connection_scopes: ConnectionScopesTable
  jobs: JobsTable
  settings: SettingsTable
}
