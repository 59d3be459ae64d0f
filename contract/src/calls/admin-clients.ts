import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { adminApproval, decision } from './approval.ts'
import { access } from './client-access.ts'
import { CLIENT_TYPES } from './clients.ts'

/** By an operator, or with its organization; null when its developers did. */
export const DISABLED_BY = ['operator', 'organization'] as const

/** `enabled` and `disabled` are those of approved apps. */
export const CLIENT_STATUSES = ['enabled', 'pending', 'rejected', 'disabled'] as const
export type ClientStatus = (typeof CLIENT_STATUSES)[number]

export const adminClient = z.object({
  client_id: f.id,
  name: z.string(),
  icon: f.picture,
  type: z.enum(CLIENT_TYPES),
  organization: z.object({ id: f.id, name: z.string() }),
  enabled: z.boolean(),
  /** The reason why its developers cannot enable it. */
  disabled_by: z.enum(DISABLED_BY).nullable(),
  /** Operators have checked who is behind it; the consent page says so. */
  verified: z.boolean(),
  /** An app of the installation itself: consent is not asked. */
  trusted: z.boolean(),
  ...adminApproval,
  created_at: f.time,
})
export type AdminClient = z.output<typeof adminClient>

/** An app with who may use it. */
const adminClientWithAccess = adminClient.extend({ access })
export type AdminClientWithAccess = z.output<typeof adminClientWithAccess>

export const listAdminClients = route('GET', '/admin/clients', {
  summary: 'List the registered apps of the installation by name.',
  needs: 'operator:auditor',
  replica: true,
  page: true,
  query: z.object({
    ...f.cursorQuery,
    /** Part of the name, or a whole client id. */
    query: f.line(LIMITS.search_max).optional(),
    status: z.enum(CLIENT_STATUSES).optional(),
    /** Apps of one organization. */
    organization: f.id.optional(),
  }),
  data: z.array(adminClient),
})

export const getAdminClient = route('GET', '/admin/clients/:id', {
  summary: 'Get an app, with who may use it.',
  needs: 'operator:auditor',
  params: z.object({ id: f.id }),
  data: adminClientWithAccess,
})

export const updateAdminClient = route('PUT', '/admin/clients/:id', {
  summary:
    'Change what operators decide about an app, and who may use it. Disabled or not approved: sign-ins and tokens end at once, and its developers cannot enable it. The person who asked for approval gets a mail.',
  needs: 'operator:admin',
  fresh: true,
  params: z.object({ id: f.id }),
  body: z.object({
    enabled: z.boolean().optional(),
    verified: z.boolean().optional(),
    trusted: z.boolean().optional(),
    ...decision,
    /** As PUT /client/{id}/access. Tokens of all others end at once. */
    access: access.strict().optional(),
  }),
  data: adminClientWithAccess,
  problems: ['organization_disabled', 'not_approved', 'already_decided'],
})
