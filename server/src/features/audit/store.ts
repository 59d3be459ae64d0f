import type { Db, ReadDb } from '../../db/open.ts'
import type { AuditEventsTable } from '../../db/schema.ts'
import { batches } from '../../lib/batches.ts'

export type AuditRow = AuditEventsTable

export async function insertEvents(db: Db, rows: readonly AuditRow[]): Promise<void> {
  for (const some of batches(rows)) await db.insertInto('audit_events').values(some).execute()
}

export interface AuditSelection {
  actor?: string | undefined
  type?: string | undefined
  subject?: string | undefined
  organization?: string | undefined
  /** ISO times: from the first, before the second. */
  from?: string | undefined
  before?: string | undefined
}

type Page = { order: 'asc' | 'desc'; after: number | undefined; limit: number }

/** Lists events by position, after the position `after` in the given order. */
export async function listEvents(
  db: ReadDb,
  { actor, type, subject, organization, from, before }: AuditSelection,
  { order, after, limit }: Page,
): Promise<AuditRow[]> {
  let query = db.selectFrom('audit_events').selectAll()
  if (actor !== undefined) query = query.where('actor_id', '=', actor)
  if (type !== undefined) query = query.where('type', '=', type)
  if (subject !== undefined) query = query.where('subject_id', '=', subject)
  if (organization !== undefined) query = query.where('organization_id', '=', organization)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (before !== undefined) query = query.where('at', '<', before)
  if (after !== undefined) query = query.where('position', order === 'desc' ? '<' : '>', after)
  return await query.orderBy('position', order).limit(limit).execute()
}

/** Deletes the events up to a position. */
export async function deleteEventsUpTo(db: Db, position: number): Promise<void> {
  await db.deleteFrom('audit_events').where('position', '<=', position).execute()
}
