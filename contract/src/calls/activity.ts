import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'

/** The nine types of product §3.7 first, then later ones (api §3.6). */
export const ACTIVITY_TYPES = [
  'LOGGED_IN',
  'CHANGED_PASSWORD',
  'CHANGED_EMAIL',
  'CREATED_ACCOUNT',
  'ENABLED_OTP',
  'DISABLED_OTP',
  'LOGGED_IN_TO_APP',
  'GRANTED_SCOPES_TO_APP',
  'REVOKED_SCOPES_FROM_APP',
  'ADDED_PASSKEY',
  'REMOVED_PASSKEY',
  'RENEWED_RECOVERY_CODES',
  'LOGGED_OUT_DEVICE',
  'REQUESTED_DATA',
  'BEGAN_DELETION',
  'UNDID_DELETION',
  'SERVICE_USED_ACCESS',
  'ALLOWED_REQUEST_OF_APP',
  'DENIED_REQUEST_OF_APP',
  'OPERATOR_ROLE_CHANGED',
  'OPERATOR_DISABLED_ACCOUNT',
  'OPERATOR_ENABLED_ACCOUNT',
  'OPERATOR_SIGNED_OUT',
  'OPERATOR_UNLOCKED',
  'OPERATOR_SENT_RESET',
  'OPERATOR_ADDED_TO_GROUP',
  'OPERATOR_REMOVED_FROM_GROUP',
  'OPERATOR_CREATED_ACCOUNT',
  'OPERATOR_CHANGED_PROFILE',
  'OPERATOR_BEGAN_DELETION',
  'OPERATOR_UNDID_DELETION',
  'OPERATOR_REQUESTED_FACTOR_RESET',
  'OPERATOR_CANCELED_FACTOR_RESET',
  'STOPPED_FACTOR_RESET',
  'OPERATOR_RESET_FACTORS',
  'OPERATOR_CREATED_REGISTRATION_TOKEN',
  'OPERATOR_CREATED_ORGANIZATION',
  'OPERATOR_GAVE_ORGANIZATION',
  'OPERATOR_APPROVED_ORGANIZATION',
  'OPERATOR_REJECTED_ORGANIZATION',
  'OPERATOR_APPROVED_APP',
  'OPERATOR_REJECTED_APP',
] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]

export const activity = z.object({
  id: f.id,
  type: z.enum(ACTIVITY_TYPES),
  created_at: f.time,
  age: f.age,
  os: z.string().nullable(),
  browser: z.string().nullable(),
  location: z.string().nullable(),
  ip: z.string().nullable(),
  /** The session in which it happened and its state; an unrecognized one can be ended by its id. */
  session_id: f.id.nullable(),
  session: z.enum(['current', 'open', 'ended']).nullable(),
  app: z.object({ client_id: f.clientId, name: z.string(), icon: f.picture }).optional(),
  /** The service that acted for the user in `app` (RFC 8693). */
  acting_app: z.object({ client_id: f.clientId, name: z.string(), icon: f.picture }).optional(),
  scopes: z.array(z.string()).optional(),
  /** Binding message of the request of an app that the user has answered (OpenID Connect CIBA Core §7.1). */
  binding_message: z.string().optional(),
  /** Titles by scope key; deleted scopes have none. */
  scope_titles: z.record(z.string(), z.string()).optional(),
})
export type Activity = z.output<typeof activity>

export const listActivity = route('GET', '/account/activity', {
  summary: 'List the activity of the account, newest first.',
  needs: 'session',
  page: true,
  query: z.object({
    type: z.enum(ACTIVITY_TYPES).optional(),
    /** Activity that concerns one app, or in which it acted. */
    client_id: f.clientId.optional(),
    /** Activity in one session. */
    session_id: f.id.optional(),
    ...f.cursorQuery,
  }),
  data: z.array(activity),
})
