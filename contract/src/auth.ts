import { z } from 'zod'
import { userInfo } from './account.ts'
import * as f from './fields.ts'
import { passkeyProof, requestOptions } from './passkeys.ts'
import { route } from './route.ts'

/** How a session proved who it is. A recovery code is a one-time password, too. */
export const METHODS = ['pwd', 'otp', 'passkey', 'qr'] as const

export const register = route('POST', '/auth/register', {
  summary: 'Create an account and sign in; a confirmation mail is sent.',
  needs: 'nobody',
  status: 201,
  body: z.object({
    email: f.email,
    password: f.newPassword,
    first_name: f.personName.optional(),
    last_name: f.personName.optional(),
    language: f.locale.optional(),
  }),
  data: userInfo,
  problems: ['email_exists', 'password_too_short', 'password_breached'],
})

const signedIn = z.object({ next: z.literal('done'), user: userInfo })

export const login = route('POST', '/auth/login', {
  summary:
    'Sign in with a user name or an email and the password; `otp`: the second factor is asked for, within 5 minutes.',
  needs: 'nobody',
  body: z.object({ username: z.string().trim().min(1).max(254), password: f.password }),
  data: z.discriminatedUnion('next', [signedIn, z.object({ next: z.literal('otp') })]),
  // Disabled is told to whoever knows the password only.
  problems: ['invalid_credentials', 'account_disabled'],
})

export const loginOtp = route('POST', '/auth/login/otp', {
  summary: 'The second step of signing in: a code of the authenticator app, or a recovery code.',
  needs: 'nobody',
  body: f.exactlyOne({ otp_token: f.otpToken, recovery_code: f.recoveryCode }),
  data: signedIn,
  problems: ['invalid_otp', 'sign_in_expired', 'account_disabled'],
})

export const passkeyLoginOptions = route('POST', '/auth/passkey/options', {
  summary: 'What the browser needs to sign somebody in with a passkey, also from its autofill.',
  needs: 'nobody',
  data: requestOptions,
})

export const passkeyLogin = route('POST', '/auth/passkey', {
  summary: 'Sign in with a passkey, which stands for both factors.',
  needs: 'nobody',
  body: z.object({ response: passkeyProof }),
  data: signedIn,
  problems: ['invalid_passkey', 'account_disabled'],
})

export const refresh = route('PUT', '/auth/refresh', {
  summary: 'Renew the access cookie with the session cookie; `developer_id` also switches the current developer.',
  needs: 'nobody',
  body: z.object({ developer_id: f.id.nullable().optional() }),
  data: userInfo,
  problems: ['unauthenticated', 'not_found'],
})

export const logout = route('POST', '/auth/logout', {
  summary: 'End this session. Succeeds without one, too.',
  needs: 'nobody',
  data: f.nothing,
})

export const logoutSession = route('PUT', '/auth/logout/:id', {
  summary: 'End another session of mine.',
  needs: 'session',
  params: z.object({ id: f.id }),
  data: f.nothing,
  problems: ['not_found'],
})

export const logoutAll = route('PUT', '/auth/logout-all', {
  summary: 'End all sessions of mine but this one; with `include_current` that one, too.',
  needs: 'session',
  body: z.object({ include_current: z.boolean().optional() }),
  data: f.nothing,
})

export const session = z.object({
  id: f.id,
  os: z.string().nullable(),
  browser: z.string().nullable(),
  /** Name of the app that was signed in to last from here. */
  app: z.string().nullable(),
  /** All of them, the latest first. */
  apps: z.array(z.object({ client_id: f.id, name: z.string(), icon: f.picture })),
  /** It began in a browser that the account did not know, and nobody has said yet that they know it. */
  unknown: z.boolean(),
  last_seen: f.time,
  location: z.string().nullable(),
  ip: z.string(),
  current: z.boolean(),
  created_at: f.time,
  methods: z.array(z.enum(METHODS)),
})
export type SessionInfo = z.output<typeof session>

export const knowSession = route('PUT', '/auth/sessions/:id/known', {
  summary: 'Say of another session of mine that I know its device.',
  needs: 'session',
  params: z.object({ id: f.id }),
  data: f.nothing,
  problems: ['not_found'],
})

export const listSessions = route('GET', '/auth/sessions', {
  summary: 'My sessions, the current one first, then by last use.',
  needs: 'session',
  data: z.array(session),
})

/** The card of an account on the login screen of a browser in which it signed in before (api.md §3). */
export const knownAccount = z.object({
  id: f.id,
  first_name: z.string(),
  last_name: z.string(),
  profile_picture: f.picture,
  /** What to sign in with. */
  username_or_email: z.string(),
})
export type KnownAccount = z.output<typeof knownAccount>

export const listKnownAccounts = route('GET', '/auth/known-accounts', {
  summary: 'Accounts that have signed in with this browser and allow to be shown on its login screen.',
  needs: 'nobody',
  data: z.array(knownAccount),
})

export const forgetKnownAccount = route('DELETE', '/auth/known-accounts/:id', {
  summary: 'Forget an account on this browser. Succeeds when it is not known, too.',
  needs: 'nobody',
  params: z.object({ id: f.id }),
  data: f.nothing,
})

export const reauthenticate = route('POST', '/auth/reauthenticate', {
  summary: 'Prove again who you are; good for 10 minutes.',
  needs: 'session',
  body: f.exactlyOne({ password: f.password, otp_token: f.otpToken, passkey: passkeyProof }),
  data: f.nothing,
  problems: ['invalid_password', 'invalid_otp', 'invalid_passkey'],
})

export const reauthenticateOptions = route('POST', '/auth/reauthenticate/options', {
  summary: 'What the browser needs to prove it with a passkey of mine.',
  needs: 'session',
  data: requestOptions,
  problems: ['not_found'],
})

export const forgotPassword = route('POST', '/auth/forgot-password', {
  summary: 'Mail a link to set a new password. The same answer for every address.',
  needs: 'nobody',
  body: z.object({ email: f.email }),
  data: f.nothing,
})

export const checkPasswordLink = route('GET', '/auth/forgot-password/:token', {
  summary: 'Whether a link of a forgotten password is still good; consumes nothing.',
  needs: 'nobody',
  params: z.object({ token: z.string().max(200) }),
  data: z.object({ email: z.string().meta({ description: 'masked' }), otp_required: z.boolean() }),
  problems: ['invalid_token'],
})

export const resetPassword = route('PUT', '/auth/forgot-password', {
  summary:
    'Set a new password with the token of the mail; every session ends. Where two-factor is on, with a code of it.',
  needs: 'nobody',
  body: z.object({
    token: z.string().max(200),
    new_password: f.newPassword,
    otp_token: f.otpToken.optional(),
    recovery_code: f.recoveryCode.optional(),
  }),
  data: f.nothing,
  problems: ['invalid_token', 'password_too_short', 'password_breached', 'otp_required', 'invalid_otp'],
})
