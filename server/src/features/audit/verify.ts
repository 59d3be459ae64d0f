import type { ReadDb } from '../../db/open.ts'
import { findSetting } from '../../db/settings.ts'
import { hashOf } from './hash-chain.ts'
import { AUDIT_HEAD, AUDIT_START, headOf } from './record.ts'
import { type AuditRow, listEvents } from './store.ts'

/** `broken`: the first event that does not follow from the one before it; `missing` when the last events were deleted. */
export type AuditVerification = { events: number; broken?: { position: number; reason: 'changed' | 'missing' } }

/** Events per query. */
const BATCH = 1000

/** Checks the hash of every event, and that none is missing, from the first to the last (operators §3). */
export async function verifyAudit(db: ReadDb): Promise<AuditVerification> {
  for (;;) {
    const start = await findSetting(db, AUDIT_START)
    const found = await verifyAfter(db, headOf(start))
    // Old events that were deleted meanwhile are not missing: the log begins after them now.
    if (!found.broken || (await findSetting(db, AUDIT_START)) === start) return found
  }
}

async function verifyAfter(db: ReadDb, start: { position: number; hash: string }): Promise<AuditVerification> {
  // Read first: events that are recorded meanwhile only add to the chain.
  const head = headOf(await findSetting(db, AUDIT_HEAD))
  let last = start
  let expiry = start.position === 0
  let rows: AuditRow[]
  do {
    rows = await listEvents(db, {}, { order: 'asc', after: last.position, limit: BATCH })
    for (const row of rows) {
      const position = last.position + 1
      if (row.position !== position) return { events: last.position, broken: { position, reason: 'missing' } }
      if (row.previous_hash !== last.hash || row.hash !== hashOf(row))
        return { events: last.position, broken: { position, reason: 'changed' } }
      if (position === head.position && row.hash !== head.hash)
        return { events: last.position, broken: { position, reason: 'changed' } }
      expiry ||= row.type === 'audit.expired' && row.subject_id === String(start.position)
      last = { position, hash: row.hash }
    }
  } while (rows.length === BATCH)
  // Events may only be missing at the beginning where one of the chain says that they were deleted.
  if (!expiry) return { events: 0, broken: { position: start.position, reason: 'missing' } }
  if (last.position < head.position)
    return { events: last.position, broken: { position: last.position + 1, reason: 'missing' } }
  return { events: last.position - start.position }
}
