import { findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import { timeAfter } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { hashOf } from './hash-chain.ts'
import { AUDIT_HEAD, AUDIT_START, headOf, recordAudit } from './record.ts'
import { findSentPosition } from './send-events.ts'
import { deleteEventsUpTo, listEvents } from './store.ts'

const DAY = 24 * 60 * 60

/**
 * Deletes events that are older than the policy keeps them, once a day, never those that the sink has not accepted. Position and hash
 * of the last deleted one stay, so that the chain begins there, and an event says what was deleted. Returns their number.
 */
export async function pruneEvents(deps: TransactionDeps, most: number): Promise<number> {
  const { audit_days: days } = await deps.policy.find(deps.db)
  if (days === null) return 0
  const { sink } = deps.config.audit
  const now = deps.clock.now()
  const expired = timeAfter(now, -days * DAY)
  const [oldest] = await listEvents(deps.db, {}, { order: 'asc', after: undefined, limit: 1 })
  // A day later, so that not each round deletes a few events and records that it did.
  if (!oldest || oldest.at >= timeAfter(now, -(days + 1) * DAY)) return 0
  await insertSetting(deps.db, AUDIT_START, '0 ')
  await findSettingForUpdate(deps.db, AUDIT_HEAD)
  const rows = await listEvents(deps.db, { before: expired }, { order: 'asc', after: undefined, limit: most })
  const sent = sink ? ((await findSentPosition(deps.db)) ?? 0) : Number.POSITIVE_INFINITY
  const first = headOf(await findSettingForUpdate(deps.db, AUDIT_START)).position + 1
  // Only events without a gap between them are deleted; a gap must stay visible.
  const last = rows.filter((row, i) => row.position === first + i && row.position <= sent).at(-1)
  if (!last) return 0
  await deleteEventsUpTo(deps.db, last.position)
  await upsertSetting(deps.db, AUDIT_START, `${last.position} ${hashOf(last)}`)
  await recordAudit(deps, 'system', {
    type: 'audit.expired',
    subject: { kind: 'audit', id: String(last.position) },
    changes: { events: [first, last.position], hash: [null, last.hash] },
  })
  return last.position - first + 1
}
