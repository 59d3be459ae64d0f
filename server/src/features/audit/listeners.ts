import type { SecurityEvent } from '../../events.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import type { Listener, Listeners } from '../../listeners.ts'
import {
  AUDITED_ACTIVITIES,
  AUDITED_DEVELOPER_ACTIVITIES,
  AUDITED_SECURITY_EVENTS,
  subjectOf,
} from './audited-events.ts'
import { type AuditActor, recordAudit } from './record.ts'

type Origin = Pick<AnonymousActor, 'ip' | 'request_id'>
type SecurityEventOfUser = Exclude<SecurityEvent, { type: 'network_throttled' }>

const onActivity: Listener<'activity_recorded'> = async (deps, { type, user_id, from, session_id }) => {
  const audited = AUDITED_ACTIVITIES[type]
  if (audited === null) return
  const actor: AuditActor = from ? { user_id, ip: from.ip, request_id: from.request_id } : 'system'
  // Without a session it was set by a mailed link.
  const byLink = audited === 'user.password_changed' && session_id === null
  await recordAudit(deps, actor, {
    type: byLink ? 'user.password_reset' : audited,
    subject: { kind: 'user', id: user_id },
  })
}

const onDeveloperActivity: Listener<'developer_activity_recorded'> = async (deps, event) => {
  const { developer_id, user_id, from, params } = event
  const audited = AUDITED_DEVELOPER_ACTIVITIES[event.type]
  const changes = { ...audited.changes?.(params), ...event.changes }
  const { type } = audited
  await recordAudit(
    deps,
    { user_id, ip: from.ip, request_id: from.request_id },
    {
      type,
      subject: subjectOf(type, event),
      organization_id: developer_id,
      ...(Object.keys(changes).length > 0 ? { changes } : {}),
    },
  )
}

const onDeveloperDeleted: Listener<'developer_deleted'> = async (deps, { developer_id: id, name, by }) => {
  const actor: AuditActor = by ? { user_id: by.user_id, ip: by.ip, request_id: by.request_id } : 'system'
  const subject = { kind: 'organization', id }
  await recordAudit(deps, actor, {
    type: 'organization.deleted',
    subject,
    organization_id: id,
    changes: { name: [name, null] },
  })
}

const onAccountDeleted: Listener<'account_deleted'> = async (deps, { user_id }) => {
  await recordAudit(deps, 'system', { type: 'user.deleted', subject: { kind: 'user', id: user_id } })
}

const onSecurityEvent: Listener<'security_event'> = async (deps, event) => {
  const type = AUDITED_SECURITY_EVENTS[event.type]
  const from = { ip: event.from.ip, request_id: event.from.request_id }
  if (event.type === 'network_throttled')
    return await recordAudit(deps, from, { type, subject: { kind: 'network', id: event.network } })
  // The name does not exist. Recorded nevertheless, because the response time must not reveal which names exist.
  const subject = event.user_id === null ? { kind: 'login', id: 'unknown' } : { kind: 'user', id: event.user_id }
  await recordAudit(deps, actorOf(event, from), { type, subject })
}

/** Guesses and stolen tokens have no actor, because it is unknown. */
function actorOf(event: SecurityEventOfUser, from: Origin): AuditActor {
  if (event.type === 'token_replayed') return { client_id: event.client_id, from }
  const isOwn = event.type === 'signed_out_elsewhere' || event.type === 'signed_out_everywhere'
  return isOwn ? { user_id: event.user_id, ...from } : from
}

/** Records what people and owners do, and what may be an attack (operators §3). Operators' rules record by themselves. */
export const auditListeners: Listeners = {
  activity_recorded: [onActivity],
  developer_activity_recorded: [onDeveloperActivity],
  developer_deleted: [onDeveloperDeleted],
  account_deleted: [onAccountDeleted],
  security_event: [onSecurityEvent],
}
