import { z } from 'zod'
import { GENDERS } from '../catalog.ts'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { OPERATOR_ROLES } from '../operator-roles.ts'
import { ACTIVITY_TYPES } from './activity.ts'
import { groupKey } from './groups.ts'

/** `disabled` comes before the others, `deleting` before `unconfirmed`. */
export const USER_STATUSES = ['active', 'unconfirmed', 'disabled', 'deleting'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

export const adminUser = z.object({
  id: f.id,
  ...f.person,
  status: z.enum(USER_STATUSES),
  operator_role: z.enum(OPERATOR_ROLES).nullable(),
  created_at: f.time,
})
export type AdminUser = z.output<typeof adminUser>

/** A person as operators see them: without secrets and contents of archives. */
export const adminUserDetails = adminUser.extend({
  email_verified: z.boolean(),
  pending_email: z.string().nullable(),
  phone_number: z.string().nullable(),
  birth_date: z.string().nullable(),
  country_code: z.string().nullable(),
  gender: z.enum(GENDERS).nullable(),
  language: z.array(f.locale),
  disabled: z.object({ at: f.time, reason: z.string() }).nullable(),
  /** When the account is deleted; null unless the person has asked for it. */
  deletion_due_at: f.time.nullable(),
  sign_in_methods: z.object({
    password: z.boolean(),
    two_factor: z.boolean(),
    recovery_codes_left: z.number().int(),
    passkeys: z.number().int(),
  }),
  sessions: z.array(
    z.object({
      id: f.id,
      os: z.string().nullable(),
      browser: z.string().nullable(),
      ip: z.string(),
      location: z.string().nullable(),
      methods: z.array(z.string()),
      created_at: f.time,
      last_seen: f.time,
    }),
  ),
  /** The removal of second factor and passkeys that waits for its time; null where none waits. */
  factor_reset: z
    .object({
      reason: z.string(),
      requested_at: f.time,
      due_at: f.time,
      /** The operator or command. The name is missing once the account is deleted. */
      requested_by: z.object({ id: f.id.optional(), name: z.string().optional() }),
    })
    .nullable(),
  /** Names only: what the person allowed an app is between them. */
  connections: z.array(z.object({ client_id: f.clientId, name: z.string(), icon: f.picture, connected_at: f.time })),
  groups: z.array(z.object({ key: groupKey, name: z.string(), added_at: f.time })),
  organizations: z.array(z.object({ developer_id: f.id, name: z.string(), permission: f.level })),
  /** The last twenty. */
  activity: z.array(
    z.object({
      id: f.id,
      type: z.enum(ACTIVITY_TYPES),
      created_at: f.time,
      os: z.string().nullable(),
      browser: z.string().nullable(),
      ip: z.string().nullable(),
      location: z.string().nullable(),
    }),
  ),
})
export type AdminUserDetails = z.output<typeof adminUserDetails>

const params = z.object({ id: f.id })

export const listAdminUsers = route('GET', '/admin/users', {
  summary: 'List the people of the installation, newest first; those who match a search by matching term.',
  needs: 'operator:auditor',
  replica: true,
  page: true,
  query: z.object({
    ...f.cursorQuery,
    /** Beginnings of words of name, user name and address, in any order; or a whole id. */
    query: f.line(LIMITS.search_max).optional(),
    status: z.enum(USER_STATUSES).optional(),
    /** Key of a group. */
    group: groupKey.optional(),
  }),
  data: z.array(adminUser),
})

export const getAdminUser = route('GET', '/admin/users/:id', {
  summary: 'Get a person: profile, state, sign-in methods, sessions, names of apps, organizations, recent activity.',
  needs: 'operator:auditor',
  params,
  data: adminUserDetails,
})

/** As the person may write them (api §3.1). */
const names = { first_name: f.personName.optional(), last_name: f.personName.optional() }

export const createUser = route('POST', '/admin/users', {
  summary: 'Create an account; the person gets a link to set a password or passkey, unless `send_invitation` is false.',
  needs: 'operator:support',
  fresh: true,
  status: 201,
  body: z.object({
    email: f.email,
    ...names,
    /** Keys; only an `admin` may name groups. */
    groups: z.array(groupKey).max(100).optional(),
    send_invitation: z.boolean().default(true),
  }),
  data: adminUserDetails,
  problems: ['email_exists'],
})

export const updateUser = route('PUT', '/admin/users/:id', {
  summary:
    'Change names and address of a person. A new address is `pending_email` until it is confirmed by mail; null cancels it.',
  needs: 'operator:admin',
  fresh: true,
  params,
  body: z.object({ ...names, email: f.email.optional(), pending_email: z.null().optional() }),
  data: adminUserDetails,
  problems: ['email_exists'],
})

export const deleteUser = route('DELETE', '/admin/users/:id', {
  summary: 'Delete an account as its person would: everything ends now, the account is deleted in 14 days.',
  needs: 'operator:admin',
  fresh: true,
  params,
  data: adminUserDetails,
  problems: ['last_owner', 'last_operator'],
})

export const restoreUser = route('POST', '/admin/users/:id/restore', {
  summary: 'Cancel the deletion of an account. What has ended stays ended.',
  needs: 'operator:admin',
  fresh: true,
  params,
  data: adminUserDetails,
})

/** Calls about an operator need the role `admin`. */
const change = { needs: 'operator:support', fresh: true, params, data: adminUserDetails } as const

export const disableUser = route('POST', '/admin/users/:id/disable', {
  ...change,
  summary:
    'Disable an account: sessions and tokens end at once, and the person reads the reason after signing in with the right password.',
  body: z.object({ reason: f.line(LIMITS.reason_max, 1) }),
  problems: ['last_operator'],
})

export const enableUser = route('POST', '/admin/users/:id/enable', {
  ...change,
  summary: 'Enable a disabled account. What has ended stays ended.',
})

export const endUserSessions = route('POST', '/admin/users/:id/end-sessions', {
  ...change,
  summary: 'Sign a person out everywhere, also out of apps.',
})

export const unlockUser = route('POST', '/admin/users/:id/unlock', {
  ...change,
  summary: 'Lift the waits after wrong passwords and codes.',
})

export const sendPasswordReset = route('POST', '/admin/users/:id/send-reset', {
  ...change,
  summary:
    'Mail a person the link that sets a new password, or a new passkey where passwords are off. A few times an hour.',
  problems: ['account_disabled', 'sign_in_method_off'],
})

export const resetFactors = route('POST', '/admin/users/:id/reset-factors', {
  ...change,
  summary:
    'Remove second factor and passkeys after checking who asks. The person is mailed at once and can stop it for 24 hours; an `admin` can do it immediately. A person whom no password signs in is mailed a link that sets up a new passkey.',
  body: z.object({
    /** How it was checked who asks. Operators read it, the person does not. */
    reason: f.line(LIMITS.reason_max, 1),
    immediately: z.boolean().optional(),
  }),
  problems: ['account_disabled', 'no_factors', 'factor_reset_waiting'],
})

export const cancelFactorReset = route('DELETE', '/admin/users/:id/reset-factors', {
  ...change,
  summary: 'Cancel the removal of second factor and passkeys while it waits.',
})

const tokenParams = z.object({ token: z.string().min(1).max(200) })
const factorReset = z.object({ state: z.enum(['waiting', 'stopped', 'done']), due_at: f.time })
export type FactorResetState = z.output<typeof factorReset>

export const checkFactorReset = route('GET', '/auth/keep-factors/:token', {
  summary: 'Describe the removal of second factor and passkeys whose link was mailed to the person. Stops nothing.',
  needs: 'nobody',
  params: tokenParams,
  data: factorReset,
  problems: ['invalid_token'],
})

export const keepFactors = route('POST', '/auth/keep-factors/:token', {
  summary: 'Stop the removal of second factor and passkeys with the token of the mail.',
  needs: 'nobody',
  params: tokenParams,
  data: factorReset,
  problems: ['invalid_token'],
})
