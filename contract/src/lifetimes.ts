/** Lifetimes in seconds. */
export const LIFETIMES = {
  access_cookie: 10 * 60,
  session_idle: 30 * 24 * 60 * 60,
  /** For how long the previous session cookie is accepted after a renewal, for concurrent tabs (api §2). */
  session_grace: 30,
  fresh_sign_in: 10 * 60,
  /** Age of a new browser from which a session in it may recognize other browsers (decision 0016). */
  new_browser: 7 * 24 * 60 * 60,
  /** Time between password and second factor (api §2). */
  pending_sign_in: 5 * 60,
  /** Time between the TOTP secret and its first code. */
  otp_setup: 30 * 60,
  /** Long, because a login page may stay open before a passkey is chosen from its autofill. */
  passkey_challenge: 10 * 60,
  confirm_email: 24 * 60 * 60,
  /** Lifetime of an account whose address is not confirmed. */
  unconfirmed_account: 14 * 24 * 60 * 60,
  reset_password: 30 * 60,
  /** Lifetime of a QR code on a login page (api §2). */
  qr_code: 120,
  /** Time in which the browser can use an approved QR code. */
  qr_collect: 60,
  authorization_code: 60,
  access_token: 10 * 60,
  /** The longest lifetime of access tokens that an app can choose. */
  access_token_max: 24 * 60 * 60,
  id_token: 10 * 60,
  refresh_idle: 30 * 24 * 60 * 60,
  refresh_absolute: 90 * 24 * 60 * 60,
  interaction: 60 * 60,
  /** Lifetime of a device code (RFC 8628 §3.2). */
  device_code: 10 * 60,
  /** Longest lifetime of a backchannel authentication request; the client may request less (OpenID Connect CIBA Core §7.1). */
  ciba_request: 10 * 60,
  /** Age of signing keys at which they are rotated. */
  signing_keys: 90 * 24 * 60 * 60,
  /** Lifetime of the link by which a person takes over the account that an operator has created (operators §2). */
  accept_account: 7 * 24 * 60 * 60,
  /** Lifetime of the link by which a person without another way to sign in sets up a new passkey (operators §7). */
  new_passkey: 24 * 60 * 60,
  /** Lifetime of an invitation (api §5). */
  invitation: 7 * 24 * 60 * 60,
  /** Lifetime of the link that makes the first operator (operators §1). */
  setup_link: 24 * 60 * 60,
  /** Lifetime of the token with which `vrata doctor` tests the proxies. */
  proxy_test: 60,
  /** Time between an operator's request to remove second factor and passkeys and their removal, which the person can stop (operators §2). */
  factor_reset: 24 * 60 * 60,
  /** Lifetime of a data archive (api §3). */
  archive: 7 * 24 * 60 * 60,
  /** Time between the request to delete an account and its deletion, during which a sign-in cancels it (api §3). */
  deletion: 14 * 24 * 60 * 60,
} as const
