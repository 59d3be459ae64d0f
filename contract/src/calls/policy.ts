import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'

/** People who may create an account. `invited`: people who open an invitation that was mailed to them. */
export const REGISTRATIONS = ['open', 'domains', 'invited', 'closed'] as const
export type Registration = (typeof REGISTRATIONS)[number]

/** People who need a second factor: nobody, members of organizations, everyone. */
export const SECOND_FACTOR_RULES = ['optional', 'developers', 'everyone'] as const

/** People who may found an organization. `approved`: anyone, and an operator approves it before it has apps and members. */
export const ORGANIZATION_CREATIONS = ['anyone', 'approved', 'operators'] as const

/** Which apps of members work: all, or those that an operator has approved. */
export const APP_CREATIONS = ['members', 'approved'] as const

/** The longest period in days that a setting takes. */
const DAYS_MAX = 3650

const days = z.number().int().min(1).max(365)
const quota = z.number().int().min(0).max(1_000_000)

export const policy = z.object({
  registration: z.enum(REGISTRATIONS),
  /** Domains of addresses that may register, where `registration` is `domains`. Subdomains are domains of their own. */
  registration_domains: z.array(f.domain).max(LIMITS.registration_domains),
  organization_creation: z.enum(ORGANIZATION_CREATIONS),
  app_creation: z.enum(APP_CREATIONS),
  password_sign_in: z.boolean(),
  passkey_sign_in: z.boolean(),
  qr_sign_in: z.boolean(),
  /** A person without a required one sets it up at the next sign-in. Two-factor authentication, or a passkey where passkeys sign in. */
  second_factor: z.enum(SECOND_FACTOR_RULES),
  terms_url: f.pageUrl.nullable(),
  privacy_url: f.pageUrl.nullable(),
  /** Everyone accepts each version once, at the next sign-in; null asks for nothing. */
  terms_version: f.line(LIMITS.name_max, 1).nullable(),
  /** Of new passwords. */
  password_min_length: z.number().int().min(LIMITS.password_min).max(64),
  /** A session ends when it was not used for so many days, and after `session_max_days` in any case. */
  session_idle_days: days,
  session_max_days: days,
  /** For how many days activity of people is kept; null: as long as their account. */
  activity_days: z.number().int().min(1).max(DAYS_MAX).nullable(),
  /** For how many days events of the audit log are kept; null: forever. */
  audit_days: z.number().int().min(30).max(DAYS_MAX).nullable(),
  limits: z.strictObject({
    organizations_per_person: quota,
    clients_per_organization: quota,
    members_per_organization: quota,
    invitation_mails_per_day: quota,
  }),
})
export type Policy = z.output<typeof policy>

export const getPolicy = route('GET', '/admin/policy', {
  summary: 'Get the policy of the installation: who may join, and how people sign in.',
  needs: 'operator:auditor',
  data: policy,
})

export const updatePolicy = route('PUT', '/admin/policy', {
  summary:
    'Change settings of the policy; those that are not named stay. Every server follows within a second. 409 `last_operator` when no administrator could sign in any more.',
  needs: 'operator:admin',
  fresh: true,
  body: policy.partial().extend({ limits: policy.shape.limits.partial().optional() }),
  data: policy,
  problems: ['last_operator'],
})

export const countAffected = route('GET', '/admin/policy/affected', {
  summary:
    'Count the people who could not sign in any more, or would have to set up a second factor, if the policy had these settings.',
  needs: 'operator:auditor',
  query: z.object({
    password_sign_in: f.flag.optional(),
    passkey_sign_in: f.flag.optional(),
    second_factor: z.enum(SECOND_FACTOR_RULES).optional(),
  }),
  data: z.object({
    /** People whose account is not disabled. */
    people: z.number().int(),
    /** Those of them who can sign in now, and could not any more. */
    locked_out: z.number().int(),
    /** Those who have to set up a second factor at the next sign-in. */
    second_factor_setup: z.number().int(),
  }),
})

/** The public part of the policy, which the pages of sign-in and registration show. */
export const publicPolicy = policy.pick({
  registration: true,
  registration_domains: true,
  organization_creation: true,
  app_creation: true,
  password_sign_in: true,
  passkey_sign_in: true,
  qr_sign_in: true,
  password_min_length: true,
  terms_url: true,
  privacy_url: true,
  terms_version: true,
})
export type PublicPolicy = z.output<typeof publicPolicy>

export const getPublicPolicy = route('GET', '/auth/policy', {
  summary: 'Get who may register, and how people sign in.',
  needs: 'nobody',
  data: publicPolicy,
})
