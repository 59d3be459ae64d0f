import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { adminClient } from './admin-clients.ts'
import { adminApproval, decision } from './approval.ts'

export const ORGANIZATION_STATUSES = ['active', 'pending', 'rejected', 'disabled'] as const
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number]

export const adminOrganization = z.object({
  id: f.id,
  name: z.string(),
  logo: f.picture,
  website: z.string().nullable(),
  status: z.enum(ORGANIZATION_STATUSES),
  enabled: z.boolean(),
  /** Operators have checked who it is; the consent page of its apps says so. */
  verified: z.boolean(),
  ...adminApproval,
  members: z.number().int(),
  clients: z.number().int(),
  created_at: f.time,
})
export type AdminOrganization = z.output<typeof adminOrganization>

/** Quotas of one organization; null: those of the policy. */
const limit = z.number().int().min(0).max(LIMITS.organization_quota).nullable()

export const adminOrganizationDetails = adminOrganization.extend({
  description: z.string().nullable(),
  company: z.string().nullable(),
  limits: z.object({ clients: limit, members: limit }),
  /** The first hundred, highest level first. */
  member_list: z.array(
    z.object({
      user: z.object({
        id: f.id,
        ...f.person,
      }),
      permission: f.level,
      /** The account can be used: confirmed, neither disabled nor being deleted. */
      active: z.boolean(),
    }),
  ),
  /** By name; the first hundred. */
  client_list: z.array(adminClient),
  /** No owner has an account that can be used, so ownership can be handed to a member. */
  ownerless: z.boolean(),
})
export type AdminOrganizationDetails = z.output<typeof adminOrganizationDetails>

const params = z.object({ id: f.id })

export const listAdminOrganizations = route('GET', '/admin/organizations', {
  summary: 'List the organizations of the installation, newest first.',
  needs: 'operator:auditor',
  replica: true,
  page: true,
  query: z.object({
    ...f.cursorQuery,
    /** Part of the name, or a whole id. */
    query: f.line(LIMITS.search_max).optional(),
    status: z.enum(ORGANIZATION_STATUSES).optional(),
  }),
  data: z.array(adminOrganization),
})

export const getAdminOrganization = route('GET', '/admin/organizations/:id', {
  summary: 'Get an organization with its members and apps.',
  needs: 'operator:auditor',
  params,
  data: adminOrganizationDetails,
})

export const updateAdminOrganization = route('PUT', '/admin/organizations/:id', {
  summary:
    'Change what operators decide about an organization. Disabled or not approved: sign-ins and tokens of all its apps end at once, and nobody enables or adds one. The person who asked for approval gets a mail.',
  needs: 'operator:admin',
  fresh: true,
  params,
  body: z.object({
    enabled: z.boolean().optional(),
    verified: z.boolean().optional(),
    ...decision,
    /** Absent members stay unchanged. */
    limits: z.object({ clients: limit.optional(), members: limit.optional() }).optional(),
  }),
  data: adminOrganizationDetails,
  problems: ['already_decided'],
})

export const transferOrganization = route('POST', '/admin/organizations/:id/transfer', {
  summary: 'Make a member the owner of an organization without an owner whose account can be used.',
  needs: 'operator:admin',
  fresh: true,
  params,
  body: z.object({ user_id: f.id }),
  data: adminOrganizationDetails,
  problems: ['has_owner'],
})
