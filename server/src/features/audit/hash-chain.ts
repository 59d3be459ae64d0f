import { createHash } from 'node:crypto'
import type { AuditRow } from './store.ts'

/**
 * SHA-256, in base64url, over all columns of an event but the hash itself. The hash of the event before is one of them, so
 * that a changed, removed or inserted event breaks the chain.
 */
export function hashOf({ hash: _, ...row }: Omit<AuditRow, 'hash'> & { hash?: string }): string {
  const columns = [
    row.previous_hash,
    row.position,
    row.id,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.type,
    row.subject_kind,
    row.subject_id,
    row.changes,
    row.ip,
    row.request_id,
    // Events from before there was this column have the hash that they had.
    ...(row.organization_id === null ? [] : [row.organization_id]),
  ]
  return createHash('sha256').update(JSON.stringify(columns)).digest('base64url')
}
