import { z } from 'zod'
import { userInfo } from './account.ts'
import * as f from './fields.ts'
import { route } from './route.ts'

/** How a session proved who it is (RFC 8176 names). `fed` by a phone: QR. */
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

export const login = route('POST', '/auth/login', {
  summary: 'Sign in with a user name or an email and the password.',
  needs: 'nobody',
  body: z.object({ username: z.string().trim().min(1).max(254), password: f.password }),
  data: z.object({ next: z.literal('done'), user: userInfo }),
  // Disabled is told to whoever knows the password only.
  problems: ['invalid_credentials', 'account_disabled'],
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
  app: z.string().nullable(),
  last_seen: f.time,
  location: z.string().nullable(),
  ip: z.string(),
  current: z.boolean(),
  created_at: f.time,
  methods: z.array(z.enum(METHODS)),
})
export type SessionInfo = z.output<typeof session>

export const listSessions = route('GET', '/auth/sessions', {
  summary: 'My sessions, the current one first, then by last use.',
  needs: 'session',
  data: z.array(session),
})

export const reauthenticate = route('POST', '/auth/reauthenticate', {
  summary: 'Prove again who you are; good for 10 minutes.',
  needs: 'session',
  body: z.object({ password: f.password }),
  data: f.nothing,
  problems: ['invalid_password'],
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
  data: z.object({ email: z.string().meta({ description: 'masked' }) }),
  problems: ['invalid_token'],
})

export const resetPassword = route('PUT', '/auth/forgot-password', {
  summary: 'Set a new password with the token of the mail; every session ends.',
  needs: 'nobody',
  body: z.object({ token: z.string().max(200), new_password: f.newPassword }),
  data: f.nothing,
  problems: ['invalid_token', 'password_too_short', 'password_breached'],
})
