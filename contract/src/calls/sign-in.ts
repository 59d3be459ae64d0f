import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { NEXT_STEPS } from '../policy/next-steps.ts'
import { userInfo } from './account.ts'
import { passkeyAssertion, requestOptions } from './passkeys.ts'

export * from './qr-sign-in.ts'

export const register = route('POST', '/auth/register', {
  summary: 'Create an account and sign in; a confirmation mail is sent.',
  needs: 'nobody',
  limit: 'costly',
  status: 201,
  body: z.object({
    email: f.email,
    password: f.newPassword,
    first_name: f.personName.optional(),
    last_name: f.personName.optional(),
    language: f.locale.optional(),
    /** Token of an invitation to this address; needed where only invited people may register. */
    invitation: z.string().min(1).max(200).optional(),
  }),
  data: userInfo,
  problems: [
    'registration_closed',
    'email_exists',
    'password_too_short',
    'password_breached',
    'password_is_email',
    'password_guessable',
  ],
})

/** Where a new session continues: it can do nothing else before (operators §8). */
const afterSignIn = [
  z.object({ next: z.literal('done'), user: userInfo }),
  z.object({ next: z.literal('terms'), terms_url: z.string(), terms_version: z.string(), user: userInfo }),
  z.object({ next: z.literal('second_factor_setup'), user: userInfo }),
] as const
const signedIn = z.discriminatedUnion('next', [...afterSignIn])

export const acceptTerms = route('POST', '/auth/accept-terms', {
  summary:
    'Accept the current terms of use. Recorded with the time; asked once for each version. Without a version once there are no terms any more.',
  needs: 'session',
  // Also in the next step, for a page that did not get the first answer.
  during: NEXT_STEPS,
  body: z.object({ terms_version: z.string().min(1).max(LIMITS.name_max).optional() }),
  data: signedIn,
})

export const login = route('POST', '/auth/login', {
  summary:
    'Sign in with a user name or an email and the password; `otp`: the second factor is required within 5 minutes, and `sign_in` names this sign-in.',
  needs: 'nobody',
  limit: 'costly',
  body: z.object({ username: z.string().trim().min(1).max(254), password: f.password }),
  data: z.discriminatedUnion('next', [...afterSignIn, z.object({ next: z.literal('otp'), sign_in: z.string() })]),
  // `account_disabled` only after a correct password. `unauthenticated`: with the session cookie before the last refresh, whose late answer would
  // replace the new one (decision 0016).
  problems: ['unauthenticated', 'invalid_credentials', 'account_disabled', 'sign_in_method_off'],
})

export const loginOtp = route('POST', '/auth/login/otp', {
  summary: 'Complete a sign-in with a code of the authenticator app or a recovery code.',
  needs: 'nobody',
  body: f.exactlyOne({ otp_token: f.otpToken, recovery_code: f.recoveryCode }).safeExtend({
    /** The sign-in for which the page asks: another tab may have begun that of another user since. */
    sign_in: z.string().max(100).optional(),
  }),
  data: signedIn,
  problems: [
    'unauthenticated',
    'invalid_otp',
    'sign_in_expired',
    'sign_in_replaced',
    'account_disabled',
    'sign_in_method_off',
  ],
})

export const passkeyLoginOptions = route('POST', '/auth/passkey/options', {
  summary: 'Create WebAuthn request options for sign-in with a passkey, also from browser autofill.',
  needs: 'nobody',
  data: requestOptions,
  problems: ['sign_in_method_off'],
})

export const passkeyLogin = route('POST', '/auth/passkey', {
  summary: 'Sign in with a passkey, which counts as both factors.',
  needs: 'nobody',
  body: z.object({ response: passkeyAssertion }),
  data: signedIn,
  problems: ['unauthenticated', 'invalid_passkey', 'account_disabled', 'sign_in_method_off'],
})

/** Account card on the login screen of a browser in which the account signed in before (api §3.11). */
export const knownAccount = z.object({
  id: f.id,
  first_name: z.string(),
  last_name: z.string(),
  profile_picture: f.picture,
  /** User name for the sign-in form. */
  username_or_email: z.string(),
})
export type KnownAccount = z.output<typeof knownAccount>

export const listKnownAccounts = route('GET', '/auth/known-accounts', {
  summary: 'List accounts that have signed in with this browser and have `allow_details_on_login` on.',
  needs: 'nobody',
  data: z.array(knownAccount),
})

export const removeKnownAccount = route('DELETE', '/auth/known-accounts/:id', {
  summary: 'Remove an account from the known accounts of this browser. Succeeds when it is unknown.',
  needs: 'nobody',
  params: z.object({ id: f.id }),
  data: f.nothing,
})

export const forgotPassword = route('POST', '/auth/forgot-password', {
  summary: 'Mail a link to set a new password. The answer is the same for every address.',
  needs: 'nobody',
  limit: 'costly',
  body: z.object({ email: f.email }),
  data: f.nothing,
  problems: ['sign_in_method_off'],
})

export const checkPasswordLink = route('GET', '/auth/forgot-password/:token', {
  summary: 'Check whether a password reset link is valid. Consumes nothing.',
  needs: 'nobody',
  params: z.object({ token: z.string().max(200) }),
  data: z.object({ email: z.string().meta({ description: 'masked' }), otp_required: z.boolean() }),
  problems: ['invalid_token'],
})

export const resetPassword = route('PUT', '/auth/forgot-password', {
  summary:
    'Set a new password with the token of the mail; all sessions end. Needs a code where two-factor authentication is on.',
  needs: 'nobody',
  body: z.object({
    token: z.string().max(200),
    new_password: f.newPassword,
    otp_token: f.otpToken.optional(),
    recovery_code: f.recoveryCode.optional(),
  }),
  data: f.nothing,
  problems: [
    'invalid_token',
    'sign_in_method_off',
    'password_too_short',
    'password_breached',
    'password_is_email',
    'password_guessable',
    'otp_required',
    'invalid_otp',
  ],
})
