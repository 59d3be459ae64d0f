import type { audit } from '@vrata/contract'
import { findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import { toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { hashOf } from './hash-chain.ts'
import { insertEvent } from './store.ts'

/** Who acts: a person in a request, a command by its name, or the server itself. */
export type AuditActor = Pick<UserActor, 'user_id' | 'ip' | 'request_id'> | { command: string } | 'system'

export interface NewAuditEvent {
  type: audit.AuditType
  subject: { kind: string; id: string }
  changes?: audit.AuditChanges
}

/** Setting with position and hash of the last event. */
export const AUDIT_HEAD = 'audit_head'
/** Setting with position and hash of the last event that was deleted because of its age. */
export const AUDIT_START = 'audit_start'
/** Wakes the server that sends events. */
export const AUDIT_CHANNEL = 'audit'

/**
 * Records an event in the transaction of the change. Transactions that record events wait for each other from here on, so
 * rules call it last.
 */
export async function recordAudit(
  deps: Pick<TransactionDeps, 'db' | 'clock' | 'signals'>,
  actor: AuditActor,
  { type, subject, changes }: NewAuditEvent,
): Promise<void> {
  await insertSetting(deps.db, AUDIT_HEAD, '0 ')
  const { position, hash: previous_hash } = headOf(await findSettingForUpdate(deps.db, AUDIT_HEAD))
  const row = {
    position: position + 1,
    id: newId(deps.clock),
    at: toTime(deps.clock.now()),
    ...columnsOf(actor),
    type,
    subject_kind: subject.kind,
    subject_id: subject.id,
    changes: changes ? toJson(changes) : null,
    previous_hash,
  }
  const hash = hashOf(row)
  await insertEvent(deps.db, { ...row, hash })
  await upsertSetting(deps.db, AUDIT_HEAD, `${row.position} ${hash}`)
  await deps.signals.announce(AUDIT_CHANNEL, 'events')
}

function columnsOf(actor: AuditActor) {
  if (actor === 'system') return { actor_kind: 'system', actor_id: null, actor_name: null, ip: null, request_id: null }
  if ('command' in actor)
    return { actor_kind: 'command', actor_id: null, actor_name: actor.command, ip: null, request_id: null }
  const { user_id, ip, request_id } = actor
  return { actor_kind: 'user', actor_id: user_id, actor_name: null, ip, request_id }
}

/** Position and hash of the last event. */
export function headOf(setting: string | undefined): { position: number; hash: string } {
  const [position = '0', hash = ''] = (setting ?? '').split(' ')
  return { position: Number(position), hash }
}
