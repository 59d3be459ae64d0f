import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { NEXT_STEPS } from '../policy/next-steps.ts'
import { userInfo } from './account.ts'
import { passkeyAssertion, requestOptions } from './passkeys.ts'

/** Authentication methods of a session. A recovery code counts as `otp`. */
export const AUTHENTICATION_METHODS = ['pwd', 'otp', 'passkey', 'qr'] as const

export const session = z.object({
  id: f.id,
  /** The browser, the same in all its sessions of this user; null in sessions of earlier releases. */
  device_id: z.string().nullable(),
  /** Name that the user has given to the device. */
  device_name: z.string().nullable(),
  os: z.string().nullable(),
  browser: z.string().nullable(),
  /** Name of the app that this session signed in to last. */
  app: z.string().nullable(),
  /** All apps that this session signed in to, the latest first. */
  apps: z.array(z.object({ client_id: f.clientId, name: z.string(), icon: f.picture })),
  /** The session began in an unknown browser and has not been recognized by the user. */
  unknown: z.boolean(),
  last_seen: f.time,
  location: z.string().nullable(),
  ip: z.string(),
  current: z.boolean(),
  created_at: f.time,
  age: f.age,
  methods: z.array(z.enum(AUTHENTICATION_METHODS)),
})
export type SessionInfo = z.output<typeof session>

export const listSessions = route('GET', '/auth/sessions', {
  summary: 'List the sessions of the user, the current one first, then by last use.',
  needs: 'session',
  data: z.array(session),
})

export const recognizeSession = route('PUT', '/auth/sessions/:id/known', {
  summary:
    'Mark the device of another session of the user as recognized. From a device that is new itself, a week after its first sign-in.',
  needs: 'session',
  params: z.object({ id: f.id }),
  data: f.nothing,
  problems: ['not_found', 'unrecognized_device'],
})

export const renameDevice = route('PUT', '/auth/devices/:id', {
  summary: 'Name a device on which the user is signed in; null removes the name.',
  needs: 'session',
  params: z.object({ id: z.string().max(64) }),
  body: z.object({ name: f.line(LIMITS.device_name_max, 1).nullable() }),
  data: f.nothing,
  problems: ['not_found'],
})

export const refresh = route('PUT', '/auth/refresh', {
  summary: 'Renew the access cookie with the session cookie; `developer_id` also switches the current developer.',
  needs: 'nobody',
  body: z.object({ developer_id: f.id.nullable().optional() }),
  data: userInfo,
  problems: ['unauthenticated', 'not_found'],
})

export const reauthenticate = route('POST', '/auth/reauthenticate', {
  summary: 'Reauthenticate; valid for 10 minutes.',
  needs: 'session',
  during: NEXT_STEPS,
  body: f.exactlyOne({ password: f.password, otp_token: f.otpToken, passkey: passkeyAssertion }),
  data: f.nothing,
  problems: ['invalid_password', 'invalid_otp', 'invalid_passkey'],
})

export const reauthenticateOptions = route('POST', '/auth/reauthenticate/options', {
  summary: 'Create WebAuthn request options for reauthentication with a passkey.',
  needs: 'session',
  during: NEXT_STEPS,
  data: requestOptions,
  problems: ['not_found'],
})

/**
 * After the end of the current session. `redirect_to`: the page that signs the browser out of apps (OpenID Connect
 * Front-Channel Logout); missing when no app needs it. With the query parameter `redirect`, sign-in then continues there.
 */
const signedOut = z.object({ redirect_to: z.string().optional() })

export const logout = route('POST', '/auth/logout', {
  summary: 'End the current session. Succeeds without one. A browser continues at `redirect_to`, if there is one.',
  needs: 'nobody',
  data: signedOut,
})

export const logoutSession = route('PUT', '/auth/logout/:id', {
  summary: 'End a session of the user.',
  needs: 'session',
  params: z.object({ id: f.id }),
  data: signedOut,
  problems: ['not_found'],
})

export const logoutAll = route('PUT', '/auth/logout-all', {
  summary: 'End all sessions of the user but the current one; with `include_current` also that one.',
  needs: 'session',
  body: z.object({ include_current: z.boolean().optional() }),
  data: signedOut,
})
