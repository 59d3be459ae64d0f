import type { TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { recordDeveloperActivity } from './activity.ts'
import { pendingSince } from './approval.ts'
import { requireDeveloper, toDeveloper } from './developer.ts'
import { findDeveloperForUpdate, updateDeveloperRow } from './store.ts'

/** Requests approval of a rejected organization again. Other organizations are not changed. */
export async function requestApproval(deps: TransactionDeps, actor: MemberActor) {
  const row = requireDeveloper(await findDeveloperForUpdate(deps.db, actor.developer_id))
  if (row.approval !== 'rejected') return toDeveloper(row, actor.permission)
  const pending = pendingSince(deps.clock.now())
  await updateDeveloperRow(deps.db, row.id, pending)
  await recordDeveloperActivity(deps, actor, 'REQUESTED_APPROVAL', { name: row.name })
  await deps.emit('approval_changed', { developer_id: row.id })
  return toDeveloper({ ...row, ...pending }, actor.permission)
}
