import { type audit, type policy, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { DeveloperRow } from './store.ts'

/** Columns of an organization or app that tell whether operators have approved it (operators §12). */
export type ApprovalColumns = Pick<DeveloperRow, 'approval' | 'approval_reason' | 'approval_asked_at'>

/** Approved, or without need of approval. */
export const APPROVED: ApprovalColumns = { approval: null, approval_reason: null, approval_asked_at: null }

/** Waits for the decision of an operator from now on. */
export function pendingSince(now: Date): ApprovalColumns {
  return { approval: 'pending', approval_reason: null, approval_asked_at: toTime(now) }
}

/** A decision of an operator. `seen_approval`: what the operator has decided about; undefined overturns anything. */
export type ApprovalDecision = {
  approved?: boolean | undefined
  reason?: string | undefined
  seen_approval?: ApprovalColumns['approval'] | undefined
}

/**
 * What a decision of an operator changes of a locked row. When approval was requested stays known after a rejection. Throws
 * `invalid_request` for a reason without one, and `already_decided` when the operator has not seen the present approval.
 */
export function decidedApproval(
  before: ApprovalColumns,
  { approved, reason, seen_approval }: ApprovalDecision,
): Partial<ApprovalColumns> {
  if (reason !== undefined && approved !== false) throw problem('invalid_request', { fields: { reason: 'unknown' } })
  if (approved === undefined) return {}
  const after = approved ? APPROVED : { approval: 'rejected' as const, approval_reason: reason || null }
  const hasSeen = seen_approval === undefined || seen_approval === before.approval
  if (!hasSeen && !isSameDecision(before, after)) throw problem('already_decided')
  return after
}

/** Whether two states of an approval are the same decision, with the same reason. */
export function isSameDecision(
  one: Pick<ApprovalColumns, 'approval' | 'approval_reason'>,
  other: Pick<ApprovalColumns, 'approval' | 'approval_reason'>,
): boolean {
  return one.approval === other.approval && one.approval_reason === other.approval_reason
}

/** Whether an organization or app is approved, or has needed no approval. */
export function isApproved({ approval }: Pick<ApprovalColumns, 'approval'>): boolean {
  return approval === null
}

/** Whether the apps of an organization can be enabled, and it can have new ones. */
export function isActiveDeveloper({ enabled, approval }: Pick<DeveloperRow, 'enabled' | 'approval'>): boolean {
  return enabled === 1 && isApproved({ approval })
}

/** Throws `disabled_by_operator` or `organization_not_approved` unless the organization can have new apps. */
export function requireActiveDeveloper(row: Pick<DeveloperRow, 'enabled' | 'approval'>): void {
  if (!isApproved(row)) throw problem('organization_not_approved')
  if (!isActiveDeveloper(row)) throw problem('disabled_by_operator')
}

/**
 * What a changed name or picture of a verified organization or app changes besides: operators have not checked the new one, which the consent page
 * would call checked (operators §11). Undefined for others.
 */
export function unverify({
  verified,
}: Pick<DeveloperRow, 'verified'>): { columns: { verified: 0 }; changes: audit.AuditChanges } | undefined {
  return verified === 1 ? { columns: { verified: 0 }, changes: { verified: [true, false] } } : undefined
}

type ApprovalDeps = Pick<AppDeps, 'db' | 'clock' | 'policy' | 'operatorRoles' | 'secondFactors'>

/**
 * The approval of what a user creates, by this setting of the policy. An admin, who could approve it, does not wait; without a
 * user it was registered by a program, which always waits.
 */
export async function initialApproval(
  deps: ApprovalDeps,
  setting: 'organization_creation' | 'app_creation',
  user_id: string | null,
): Promise<ApprovalColumns> {
  const { [setting]: rule }: Pick<policy.Policy, typeof setting> = await deps.policy.find(deps.db)
  if (rule !== 'approved') return APPROVED
  const decides = user_id !== null && (await deps.operatorRoles.isAdmin(deps, user_id))
  return decides ? APPROVED : pendingSince(deps.clock.now())
}
