import { problem } from '@vrata/contract'
import { toFlag, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import {
  type ApprovalDecision,
  decidedApproval,
  findDeveloperForUpdate,
  isActiveDeveloper,
  isApproved,
} from '../developers/public.ts'
import { UNREGISTERED } from './metadata-documents/unregistered.ts'
import { announceClientChange } from './own-client.ts'
import { type ClientChanges, type ClientRow, findClientById, listClientsForUpdate, updateClient } from './store.ts'

/**
 * `enabled` of a row is what counts everywhere: a client that is not approved is not enabled. `disabled_by` says who has disabled it
 * besides its developers, who cannot enable it then.
 */
type Decision = ApprovalDecision & {
  enabled?: boolean | undefined
  verified?: boolean | undefined
  trusted?: boolean | undefined
}

/**
 * Changes what operators decide about a client, and returns the row before and after. Undefined for clients that are not
 * registered. `whenLocked` runs before tokens end. Throws `organization_disabled`, `already_decided`, and `not_approved` when one is enabled
 * that is not approved.
 */
export async function updateOperatorSettings(
  deps: TransactionDeps,
  client_id: string,
  { verified, trusted, ...decision }: Decision,
  whenLocked: () => Promise<void> = async () => {},
): Promise<{ before: ClientRow; after: ClientRow } | undefined> {
  const found = await findClientById(deps.db, client_id)
  if (!found || found.developer_id === UNREGISTERED) return undefined
  // Before the client, so that the organization is not disabled meanwhile.
  const developer = await findDeveloperForUpdate(deps.db, found.developer_id)
  const [before] = await listClientsForUpdate(deps.db, found.developer_id, client_id)
  if (!before || !developer) return undefined
  await whenLocked()
  const changes: ClientChanges = {
    ...stateAfter(before, decision, isActiveDeveloper(developer)),
    ...(verified === undefined ? {} : { verified: toFlag(verified) }),
    ...(trusted === undefined ? {} : { trusted: toFlag(trusted) }),
  }
  const after = { ...before, ...changes }
  await write(deps, before, changes)
  return { before, after }
}

/** `active`: the organization of the client can have enabled ones. */
function stateAfter(before: ClientRow, { enabled, ...decision }: Decision, active: boolean): ClientChanges {
  const approval = decidedApproval(before, decision)
  if (!isApproved({ ...before, ...approval })) {
    if (enabled) throw problem('not_approved')
    return { ...approval, enabled: 0, ...(enabled === undefined ? {} : { disabled_by: 'operator' }) }
  }
  if (enabled && !active) throw problem('organization_disabled')
  if (enabled !== undefined) return { ...approval, enabled: toFlag(enabled), disabled_by: enabled ? null : 'operator' }
  if (isApproved(before)) return approval
  const disabled_by = before.disabled_by ?? (active ? null : 'organization')
  return { ...approval, enabled: toFlag(disabled_by === null), disabled_by }
}

/** Disables the clients of an organization, or enables those that were disabled with it and are approved. */
export async function setClientsOfDeveloper(
  deps: TransactionDeps,
  developer_id: string,
  enabled: boolean,
): Promise<void> {
  const rows = await listClientsForUpdate(deps.db, developer_id)
  const concerned = rows.filter((row) => (enabled ? row.disabled_by === 'organization' : row.enabled === 1))
  const disabled_by = enabled ? null : ('organization' as const)
  for (const row of concerned) await write(deps, row, { enabled: toFlag(enabled && isApproved(row)), disabled_by })
}

async function write(deps: TransactionDeps, before: ClientRow, changes: ClientChanges): Promise<void> {
  await updateClient(deps.db, before, { ...changes, updated_at: toTime(deps.clock.now()) })
  const event = changes.approval === 'rejected' ? 'app_rejected' : 'app_disabled'
  if (changes.enabled === 0 && before.enabled === 1) await deps.revoke(event, { client_id: before.client_id })
  if (changes.enabled === 1 && before.enabled === 0) await deps.revoke('app_enabled', { client_id: before.client_id })
  await announceClientChange(deps, before.client_id)
}
