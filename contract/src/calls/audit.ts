import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'

/** Types of events. The part before the dot is the kind of the subject. */
export const AUDIT_TYPES = [
  'operator.added',
  'operator.role_changed',
  'operator.removed',
  'setup.changed',
  'audit.exported',
  'audit.expired',
  'branding.changed',
  'policy.changed',
  'organization.changed',
  'organization.transferred',
  'organization.created',
  'organization.approved',
  'organization.rejected',
  'client.changed',
  'client.created',
  'client.approved',
  'client.rejected',
  'client.secret_regenerated',
  'user.created',
  'user.changed',
  'user.deletion_requested',
  'user.restored',
  'user.disabled',
  'user.enabled',
  'user.sessions_ended',
  'user.unlocked',
  'user.reset_sent',
  'user.group_added',
  'user.group_removed',
  'client.access_changed',
  'group.created',
  'group.changed',
  'group.deleted',
  'user.factor_reset_requested',
  'user.factor_reset_canceled',
  'user.factor_reset_stopped',
  'user.factors_reset',
  'mail.tested',
  'mail.retried',
  'key.rotated',
  'key.revoked',
  'secret.rotated',
  'registration_token.created',
  'registration_token.deleted',
  'user.registered',
  'user.password_changed',
  'user.password_reset',
  'user.email_changed',
  'user.second_factor_added',
  'user.second_factor_removed',
  'user.passkey_added',
  'user.passkey_removed',
  'user.recovery_codes_renewed',
  'user.session_ended',
  'user.data_requested',
  'user.deleted',
  'user.throttled',
  'user.locked',
  'user.codes_throttled',
  'user.session_replayed',
  'user.token_replayed',
  'user.blocked',
  'user.unblocked',
  'network.throttled',
  'organization.approval_requested',
  'client.approval_requested',
  'organization.deleted',
  'organization.users_exported',
  'invitation.sent',
  'invitation.withdrawn',
  'member.joined',
  'member.level_changed',
  'member.removed',
  'member.left',
  'client.deleted',
  'client.redirect_uri_added',
  'client.redirect_uri_removed',
  'client.origin_added',
  'client.origin_removed',
  'client.scope_defined',
  'client.scope_removed',
  'client.resource_added',
  'client.resource_removed',
] as const
export type AuditType = (typeof AUDIT_TYPES)[number]

export const AUDIT_ACTOR_KINDS = ['user', 'client', 'command', 'system'] as const
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number]

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Fields of `changes` with ids of people, between spaces. Addresses without an account are among them. */
export const FIELDS_WITH_PEOPLE = ['owner', 'user', 'people']

export const auditEvent = z.object({
  id: f.id,
  at: f.time,
  /** The name of a person is that of today; it is missing once the account is deleted. */
  actor: z.object({ kind: z.enum(AUDIT_ACTOR_KINDS), id: f.clientId.optional(), name: z.string().optional() }),
  type: z.enum(AUDIT_TYPES),
  subject: z.object({ kind: z.string(), id: z.string(), name: z.string().optional() }),
  /** In which it happened. The name is that of today. */
  organization: z.object({ id: f.id, name: z.string().optional() }).optional(),
  /** By field: the value before and after. Never a secret. */
  changes: z.record(z.string(), z.tuple([value, value])).optional(),
  /** Names of today, by id, of people in `changes`: an owner, a member, those who may use an app. Missing once the account is deleted. */
  names: z.record(z.string(), z.string()).optional(),
  ip: z.string().optional(),
  request_id: z.string().optional(),
  /** SHA-256 over this event and the hash of the event before it. */
  hash: z.string(),
})
export type AuditEvent = z.output<typeof auditEvent>
export type AuditChanges = NonNullable<AuditEvent['changes']>

const moment = z.union([z.iso.date(), z.iso.datetime()])

const filter = {
  /** Id of the person or app that acted. */
  actor: f.clientId.optional(),
  type: z.enum(AUDIT_TYPES).optional(),
  /** Id of what it concerns. */
  subject: f.id.optional(),
  /** Id of the organization in which it happened. */
  organization: f.id.optional(),
  /** From this day or time (UTC) on. */
  from: moment.optional(),
  /** Up to this day (included) or time (UTC, excluded). */
  to: moment.optional(),
}

export const listAudit = route('GET', '/admin/audit', {
  summary:
    'List what operators, commands and the system have done, what members have changed in organizations, and what concerns the security of accounts, newest first.',
  needs: 'operator:auditor',
  replica: true,
  page: true,
  query: z.object({ ...f.cursorQuery, ...filter }),
  data: z.array(auditEvent),
})

export const exportAudit = route('GET', '/admin/audit/export', {
  summary: 'Export the audit log as CSV or as JSON lines, oldest first. The export is recorded.',
  needs: 'operator:auditor',
  replica: true,
  query: z.object({ ...filter, format: z.enum(['csv', 'ndjson']).default('csv') }),
  file: 'text/csv; charset=utf-8',
  other_file_types: ['application/x-ndjson; charset=utf-8'],
  data: z.unknown(),
})
