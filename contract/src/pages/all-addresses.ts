import { paths as pages, withQuery } from './page-addresses.ts'
import type { RequestError } from './request-errors.ts'

/** Addresses of the pages, with those to which only the server leads: scripts of the pages have a size budget. */
export const paths = {
  ...pages,
  signUp: (redirect?: string) => withQuery('/login', { register: 'true', redirect }),
  /** Login for an interaction of a client (OpenID Connect Core §3.1.2.1). */
  loginForClient: (
    query: { redirect: string } & Partial<Record<'prompt' | 'login_hint' | 'ui_locales', string | undefined>>,
  ) => withQuery('/login', query),
  /** The second step of the login `sign_in`. */
  loginSecondFactor: (sign_in: string, redirect?: string) => withQuery('/login', { otp: 'true', sign_in, redirect }),
  /** The step that asks for the address of a forgotten password. */
  forgotPassword: (redirect?: string) => withQuery('/login', { forgot: 'true', redirect }),
  /** The step after a password link was requested. */
  passwordLinkSent: (redirect?: string) => withQuery('/login', { sent: 'true', redirect }),
  /** `verify` without script; `sent` after the mail was sent again. */
  plainVerify: (redirect?: string, sent = false) =>
    withQuery('/verify/plain', { redirect, sent: sent ? 'true' : undefined }),
  /** Says without script that an address is confirmed, also to a browser that is not signed in. */
  plainEmailConfirmed: '/confirm-email/plain/confirmed',
  /** Says without script that a mailed link has set the password. */
  plainPasswordChanged: '/change-password/plain/changed',
  /** After the answer to the request of an app that does not wait in this browser. */
  requestAnswered: (decision: 'allowed' | 'denied') => `/request-answered/${decision}`,
  /** The consent page without script. */
  plainConsent: ({ uid, client_id }: { uid: string; client_id: string }) =>
    `/authorize/${encodeURIComponent(uid)}/consent/${encodeURIComponent(client_id)}`,
  /** The consent page showing an authorization error, or why a sign-out was refused. */
  consentError: (error: { error: RequestError; client_id: string | undefined; uid?: string; sign_out?: 'true' }) =>
    withQuery('/oauth', error),
  qrCode: (code: string) => `/qr-code/${encodeURIComponent(code)}`,
  confirmEmail: (token: string) => `/confirm-email/${encodeURIComponent(token)}`,
  /** Takes over an account that an operator has created. */
  acceptAccount: (token: string) => `/accept-account/${encodeURIComponent(token)}`,
  /** Sets up a passkey where a person has no other way to sign in. */
  newPasskey: (token: string) => `/new-passkey/${encodeURIComponent(token)}`,
  /** Stops the removal of second factor and passkeys; works without script. */
  keepFactors: (token: string) => `/keep-factors/${encodeURIComponent(token)}`,
  resetPassword: (token: string) => `/change-password/${encodeURIComponent(token)}`,
}
