import type { audit } from '@vrata/contract'
import type { Db } from '../../db/open.ts'
import { findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import { toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { AnonymousActor, UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { hashOf } from './hash-chain.ts'
import { insertEvents } from './store.ts'

/**
 * Who acts: a person in a request, an app, a command by its name, or the server itself, also because of a request without a
 * session.
 */
export type AuditActor = PersonOfAudit | { client_id: string; from: Origin } | { command: string } | 'system' | Origin

type Origin = Pick<AnonymousActor, 'ip' | 'request_id'>
type PersonOfAudit = Pick<UserActor, 'user_id' | 'ip' | 'request_id'>

export interface NewAuditEvent {
  type: audit.AuditType
  subject: { kind: string; id: string }
  /** The organization in which it happened. */
  organization_id?: string
  changes?: audit.AuditChanges
}

/** Setting with position and hash of the last event. */
export const AUDIT_HEAD = 'audit_head'
/** Setting with position and hash of the last event that was deleted because of its age. */
export const AUDIT_START = 'audit_start'
/** Wakes the server that sends events. */
export const AUDIT_CHANNEL = 'audit'

type Deps = Pick<TransactionDeps, 'db' | 'clock' | 'signals' | 'beforeCommit'>

/**
 * Records an event in the transaction of the change, as its last work: transactions that record events wait for each other from
 * there on (decision 0106).
 */
export async function recordAudit(deps: Deps, actor: AuditActor, event: NewAuditEvent): Promise<void> {
  recordAuditEvents(deps, actor, [event])
}

/** `recordAudit` for many events. */
export function recordAuditEvents(deps: Deps, actor: AuditActor, events: readonly NewAuditEvent[]): void {
  if (events.length > 0) deps.beforeCommit(() => append(deps, actor, events))
}

async function append(
  { db, clock, signals }: Deps,
  actor: AuditActor,
  events: readonly NewAuditEvent[],
): Promise<void> {
  let head = await lockHead(db)
  const rows = events.map(({ type, subject, organization_id, changes }) => {
    const row = {
      position: head.position + 1,
      id: newId(clock),
      at: toTime(clock.now()),
      ...columnsOf(actor),
      type,
      subject_kind: subject.kind,
      subject_id: subject.id,
      organization_id: organization_id ?? null,
      changes: changes ? toJson(changes) : null,
      previous_hash: head.hash,
    }
    head = { position: row.position, hash: hashOf(row) }
    return { ...row, hash: head.hash }
  })
  await insertEvents(db, rows)
  await upsertSetting(db, AUDIT_HEAD, `${head.position} ${head.hash}`)
  await signals.announce(AUDIT_CHANNEL, 'events')
}

async function lockHead(db: Db): Promise<{ position: number; hash: string }> {
  const head = await findSettingForUpdate(db, AUDIT_HEAD)
  if (head !== undefined) return headOf(head)
  await insertSetting(db, AUDIT_HEAD, '0 ')
  return headOf(await findSettingForUpdate(db, AUDIT_HEAD))
}

function columnsOf(actor: AuditActor) {
  const nobody = { actor_id: null, actor_name: null, ip: null, request_id: null }
  if (actor === 'system') return { ...nobody, actor_kind: 'system' }
  if ('command' in actor) return { ...nobody, actor_kind: 'command', actor_name: actor.command }
  if ('client_id' in actor)
    return { ...nobody, ...originOf(actor.from), actor_kind: 'client', actor_id: actor.client_id }
  const who = 'user_id' in actor ? { actor_kind: 'user', actor_id: actor.user_id } : { actor_kind: 'system' }
  return { ...nobody, ...originOf(actor), ...who }
}

function originOf({ ip, request_id }: Origin) {
  return { ip, request_id }
}

/** Position and hash of the last event. */
export function headOf(setting: string | undefined): { position: number; hash: string } {
  const [position = '0', hash = ''] = (setting ?? '').split(' ')
  return { position: Number(position), hash }
}
