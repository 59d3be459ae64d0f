import type { activity, audit, developers } from '@vrata/contract'
import type { Events, SecurityEvent } from '../../events.ts'
import type { NewAuditEvent } from './record.ts'

/**
 * Audit events for each type of activity of people. Null: none, because it is an ordinary sign-in, concerns one person and one
 * app, or was done by an operator, whose rule records it.
 */
export const AUDITED_ACTIVITIES = {
  LOGGED_IN: null,
  CHANGED_PASSWORD: 'user.password_changed',
  CHANGED_EMAIL: 'user.email_changed',
  CREATED_ACCOUNT: 'user.registered',
  ENABLED_OTP: 'user.second_factor_added',
  DISABLED_OTP: 'user.second_factor_removed',
  LOGGED_IN_TO_APP: null,
  GRANTED_SCOPES_TO_APP: null,
  REVOKED_SCOPES_FROM_APP: null,
  ADDED_PASSKEY: 'user.passkey_added',
  REMOVED_PASSKEY: 'user.passkey_removed',
  RENEWED_RECOVERY_CODES: 'user.recovery_codes_renewed',
  LOGGED_OUT_DEVICE: 'user.session_ended',
  REQUESTED_DATA: 'user.data_requested',
  BEGAN_DELETION: 'user.deletion_requested',
  UNDID_DELETION: 'user.restored',
  SERVICE_USED_ACCESS: null,
  ALLOWED_REQUEST_OF_APP: null,
  DENIED_REQUEST_OF_APP: null,
  OPERATOR_ROLE_CHANGED: null,
  OPERATOR_DISABLED_ACCOUNT: null,
  OPERATOR_ENABLED_ACCOUNT: null,
  OPERATOR_SIGNED_OUT: null,
  OPERATOR_UNLOCKED: null,
  OPERATOR_SENT_RESET: null,
  OPERATOR_ADDED_TO_GROUP: null,
  OPERATOR_REMOVED_FROM_GROUP: null,
  OPERATOR_CREATED_ACCOUNT: null,
  OPERATOR_CHANGED_PROFILE: null,
  OPERATOR_BEGAN_DELETION: null,
  OPERATOR_UNDID_DELETION: null,
  OPERATOR_REQUESTED_FACTOR_RESET: null,
  OPERATOR_CANCELED_FACTOR_RESET: null,
  STOPPED_FACTOR_RESET: 'user.factor_reset_stopped',
  OPERATOR_RESET_FACTORS: null,
  OPERATOR_CREATED_REGISTRATION_TOKEN: null,
  OPERATOR_APPROVED_APP: null,
  OPERATOR_APPROVED_ORGANIZATION: null,
  OPERATOR_CREATED_ORGANIZATION: null,
  OPERATOR_GAVE_ORGANIZATION: null,
  OPERATOR_REJECTED_APP: null,
  OPERATOR_REJECTED_ORGANIZATION: null,
} as const satisfies Record<activity.ActivityType, audit.AuditType | null>

type DeveloperEvent = Pick<Events['developer_activity_recorded'], 'developer_id' | 'user_id' | 'client_id' | 'params'>
type Params = DeveloperEvent['params']

interface AuditedDeveloperActivity {
  type: audit.AuditType
  /** From the names and values of the activity; changed settings are added by their rule. */
  changes?: (params: Params) => audit.AuditChanges
}

const added = (field: string) => (params: Params) => ({ [field]: [null, params[field] ?? null] }) satisfies Changes
const removed = (field: string) => (params: Params) => ({ [field]: [params[field] ?? null, null] }) satisfies Changes
const level = ({ from, to }: Params) => ({ level: [from ?? null, to ?? null] }) satisfies Changes
const enabled = (now: boolean) => () => ({ enabled: [!now, now] }) satisfies Changes
const picture = (field: string) => () => ({ fields: [null, field] }) satisfies Changes
type Changes = audit.AuditChanges

/** Audit events for each type of activity of organizations: all of them. */
export const AUDITED_DEVELOPER_ACTIVITIES: Record<developers.DeveloperActivityType, AuditedDeveloperActivity> = {
  CREATED_DEVELOPER: { type: 'organization.created', changes: added('name') },
  REQUESTED_APPROVAL: { type: 'organization.approval_requested' },
  EDITED_DEVELOPER: { type: 'organization.changed' },
  CHANGED_LOGO: { type: 'organization.changed', changes: picture('logo') },
  INVITED_MEMBER: { type: 'invitation.sent', changes: level },
  WITHDREW_INVITATION: { type: 'invitation.withdrawn' },
  JOINED: { type: 'member.joined', changes: level },
  CHANGED_LEVEL: { type: 'member.level_changed', changes: level },
  REMOVED_MEMBER: { type: 'member.removed' },
  LEFT: { type: 'member.left' },
  CREATED_APP: { type: 'client.created', changes: added('name') },
  REQUESTED_APP_APPROVAL: { type: 'client.approval_requested' },
  EDITED_APP: { type: 'client.changed' },
  CHANGED_ICON: { type: 'client.changed', changes: picture('icon') },
  DISABLED_APP: { type: 'client.changed', changes: enabled(false) },
  ENABLED_APP: { type: 'client.changed', changes: enabled(true) },
  DELETED_APP: { type: 'client.deleted', changes: removed('name') },
  CHANGED_APP_SCOPES: { type: 'client.changed' },
  CHANGED_APP_ACCESS: { type: 'client.access_changed' },
  CHANGED_ADVANCED: { type: 'client.changed' },
  ADDED_REDIRECT_URI: { type: 'client.redirect_uri_added', changes: added('redirect_uri') },
  REMOVED_REDIRECT_URI: { type: 'client.redirect_uri_removed', changes: removed('redirect_uri') },
  ADDED_ORIGIN: { type: 'client.origin_added', changes: added('origin') },
  REMOVED_ORIGIN: { type: 'client.origin_removed', changes: removed('origin') },
  REGENERATED_SECRET: {
    type: 'client.secret_regenerated',
    changes: ({ grace }) => ({ grace: [null, grace === 'true'] }),
  },
  DEFINED_SCOPE: { type: 'client.scope_defined', changes: added('scope') },
  REMOVED_SCOPE: { type: 'client.scope_removed', changes: removed('scope') },
  ADDED_RESOURCE: { type: 'client.resource_added', changes: added('resource') },
  REMOVED_RESOURCE: { type: 'client.resource_removed', changes: removed('resource') },
  BLOCKED_USER: { type: 'user.blocked' },
  UNBLOCKED_USER: { type: 'user.unblocked' },
  EXPORTED_USERS: { type: 'organization.users_exported' },
}

/** The kind of the subject is the part of the type before the dot. */
export function kindOf(type: audit.AuditType): string {
  return type.slice(0, type.indexOf('.'))
}

/** Id of the subject of an activity of an organization: what the rule names, else by its kind. */
export function subjectOf(
  type: audit.AuditType,
  { developer_id, user_id, client_id, params, subject_id }: DeveloperEvent & { subject_id?: string | undefined },
): NewAuditEvent['subject'] {
  const kind = kindOf(type)
  const byKind = { organization: developer_id, member: user_id, client: client_id, user: params.user }
  return { kind, id: subject_id ?? byKind[kind as keyof typeof byKind] ?? developer_id }
}

/** Audit events for security events that are in no activity log. */
export const AUDITED_SECURITY_EVENTS = {
  password_throttled: 'user.throttled',
  password_locked: 'user.locked',
  codes_throttled: 'user.codes_throttled',
  session_replayed: 'user.session_replayed',
  signed_out_elsewhere: 'user.sessions_ended',
  signed_out_everywhere: 'user.sessions_ended',
  network_throttled: 'network.throttled',
  token_replayed: 'user.token_replayed',
} as const satisfies Record<SecurityEvent['type'], audit.AuditType>
