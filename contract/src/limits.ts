/** Figures that both sides must agree on, each stated once. Durations are in seconds unless the name says otherwise. */
export const LIMITS = {
  /** Specification §5 and §9. */
  password_min: 12,
  /** ASVS 6.2.9: at least 64 must be allowed; nothing is truncated. */
  password_max: 256,
  name_max: 100,
  description_max: 500,
  url_max: 2000,
  email_max: 254,
  username_min: 3,
  username_max: 32,
  /** Redirect URIs and origins per app (api.md §6). */
  uris_per_client: 50,
  /** Public keys that an app may register by value. */
  keys_per_client: 10,
  /** Scopes that one app defines, and those that it asks for. */
  scopes_per_client: 500,
  asked_scopes: 200,
  scope_title_max: 80,
  scope_description_max: 300,
  passkeys_per_person: 20,
  passkey_name_max: 60,
  recovery_codes: 10,
  page_default: 50,
  page_max: 100,
  json_body_bytes: 64 * 1024,
  /** Of a picture that is sent (api.md §3; ASVS 5.2.1). */
  picture_bytes: 10 * 1024 * 1024,
  picture_pixels: 50_000_000,
  uploads_per_hour: 20,
  data_requests_per_day: 3,
  /** Days of sign-ins by day that are kept. */
  statistics_days: 366,
  /** Members and invitations that wait, of one organisation: its list is answered whole. */
  members_per_developer: 500,
  /** Mails to people who may never have heard of us: of one organisation, and of these to one address. */
  invitations_per_day: 50,
  invitations_per_address_and_day: 5,
} as const

/** Lifetimes (security.md, "Decided"), in seconds. */
export const LIFETIMES = {
  access_cookie: 10 * 60,
  session_idle: 30 * 24 * 60 * 60,
  session_absolute: 90 * 24 * 60 * 60,
  /** In which a replayed session cookie of a racing tab is answered with the same successor (api.md §2). */
  session_grace: 30,
  fresh_sign_in: 10 * 60,
  /** Between the password and the second factor (api.md §2). */
  pending_sign_in: 5 * 60,
  /** Between the secret of two-factor authentication and its first code. */
  otp_setup: 30 * 60,
  /** A page may stand open for a while before somebody takes a passkey from its autofill. */
  passkey_challenge: 10 * 60,
  confirm_email: 24 * 60 * 60,
  reset_password: 30 * 60,
  /** On a login screen (api.md §2). */
  qr_code: 120,
  /** Within which the screen must come for what was approved. */
  qr_collect: 60,
  authorization_code: 60,
  access_token: 10 * 60,
  id_token: 10 * 60,
  refresh_idle: 30 * 24 * 60 * 60,
  refresh_absolute: 90 * 24 * 60 * 60,
  interaction: 60 * 60,
  /** Between the code on a device and the person who allows it (RFC 8628 §3.2). */
  device_code: 10 * 60,
  /** Between pushing an authorization request and sending the browser with it (RFC 9126 §2.2). */
  pushed_request: 60,
  /** How long the keys sign before their successors do. */
  signing_keys: 90 * 24 * 60 * 60,
  /** api.md §5. */
  invitation: 7 * 24 * 60 * 60,
  /** How long an archive of all data can be fetched (api.md §3). */
  archive: 7 * 24 * 60 * 60,
  /** In which signing in undoes the deletion of an account (api.md §3). */
  deletion: 14 * 24 * 60 * 60,
} as const

/** Timings of the interface (specification §9), in milliseconds. */
export const TIMINGS = { overlay: 500, dialog_focus: 200, dialog_poll: 50, page_fade: 200 } as const
