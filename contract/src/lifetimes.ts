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
