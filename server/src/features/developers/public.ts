import type { ReadDb } from '../../db/open.ts'
import { fromFlag } from '../../db/values.ts'
import { listDevelopers } from './store.ts'

export { changedFields, recordDeveloperActivity } from './activity.ts'
export { findApplicant } from './activity-store.ts'
export {
  APPROVED,
  type ApprovalColumns,
  type ApprovalDecision,
  decidedApproval,
  initialApproval,
  isActiveDeveloper,
  isApproved,
  isSameDecision,
  pendingSince,
  requireActiveDeveloper,
  unverify,
} from './approval.ts'
export {
  DELETE_ORGANIZATION_JOB,
  type DeleteOrganizationJob,
  deleteDeveloperWithClients,
  deleteOrganizationRows,
} from './deletion.ts'
export { listDeletedDevelopers } from './deletion-store.ts'
export { insertNewDeveloper, requireDeveloper, toDeveloper } from './developer.ts'
export { displayName } from './display-name.ts'
export { ownLimits } from './own-limits.ts'
export { type DeveloperRow, findDeveloper, findDeveloperForUpdate, updateDeveloperRow } from './store.ts'

/** The part of a client's developer account that users see. */
export type DeveloperCard = { name: string; logo: string | null; website: string | null; verified: boolean }

/** Returns cards of developer accounts by id. */
export async function findDeveloperCards(
  db: ReadDb,
  developer_ids: readonly string[],
): Promise<Map<string, DeveloperCard>> {
  const rows = await listDevelopers(db, developer_ids)
  return new Map(
    rows.map(({ id, name, logo, website, verified }) => [id, { name, logo, website, verified: fromFlag(verified) }]),
  )
}
