import type { Json, Nullable, Time } from './columns.ts'

/** A signed-in browser. Both cookies are stored as SHA-256 hashes only (api §2). */
export interface SessionsTable {
  id: string
  user_id: string
  token_hash: string
  previous_hash: Nullable<string>
  /** Until when `previous_hash` is accepted, too. */
  previous_until: Nullable<Time>
  access_hash: string
  access_until: Time
  /** Time since which all `methods` have been verified; `auth_time` and `amr` of ID tokens. */
  authenticated_at: Time
  /** When one of two factors was last verified again, or the password or a code by a call that changes them. Apps are not told it. */
  reauthenticated_at: Nullable<Time>
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
  /** The user's `session_generation` when the session began. */
  generation: Nullable<string>
  /** Start of a session in an unknown browser; null after the user has confirmed it. */
  unknown_since: Nullable<Time>
  /** The browser, derived from its device cookie and the user; null in sessions of earlier releases until they are renewed. */
  device_id: Nullable<string>
  /** Step that the user must take before the sign-in is complete; null once it is. */
  next_step: Nullable<'terms' | 'second_factor_setup'>
}

/** The clients that a session has signed in to. Rows of deleted clients stay until the session is deleted. */
export interface SessionClientsTable {
  session_id: string
  client_id: string
  /** The last sign-in, or one up to a minute before it. */
  signed_in_at: Time
}

/** Browsers in which a user has signed in before; wrong passwords from elsewhere do not lock them out. */
export interface KnownDevicesTable {
  token_hash: string
  user_id: string
  /** Same as in `sessions`; null for browsers that were last used with an earlier release. */
  device_id: Nullable<string>
  created_at: Time
  last_used_at: Time
  /** The first sign-in, until the user has recognized the browser: its sessions begin as unknown ones. */
  unknown_since: Nullable<Time>
}

/** Names that users have given to their devices. */
export interface DeviceNamesTable {
  user_id: string
  device_id: string
  name: string
}

/** Versions of the terms of use that users have accepted. */
export interface AcceptedTermsTable {
  user_id: string
  version: string
  accepted_at: Time
}

/** Sign-ins with a correct password that wait for the second factor; not sessions. */
export interface PendingSignInsTable {
  token_hash: string
  user_id: string
  /** SHA-256 of the device cookie. */
  browser_hash: string
  tries: number
  created_at: Time
  expires_at: Time
}

/** QR codes on login screens, approved on a signed-in phone and usable only in the browser that shows them. */
export interface QrCodesTable {
  code_hash: string
  /** SHA-256 of the cookie of the browser that shows the code. */
  browser_hash: string
  /** The two digits shown with the code. */
  match: string
  tries: number
  state: 'pending' | 'seen' | 'approved' | 'denied' | 'used'
  /** The user who opened the code on a phone; only this user can answer it. */
  user_id: Nullable<string>
  /** The session that has approved it; null also for a code that a server of an earlier release has approved. */
  session_id: Nullable<string>
  /** The session that the browser got. */
  opened_session_id: Nullable<string>
  os: Nullable<string>
  browser: Nullable<string>
  ip: string
  location: Nullable<string>
  created_at: Time
  /** For an approved code: until when the browser can use it. */
  expires_at: Time
}

export interface SessionTables {
  accepted_terms: AcceptedTermsTable
  sessions: SessionsTable
  session_clients: SessionClientsTable
  known_devices: KnownDevicesTable
  device_names: DeviceNamesTable
  pending_sign_ins: PendingSignInsTable
  qr_codes: QrCodesTable
}
